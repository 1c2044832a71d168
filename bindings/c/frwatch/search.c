/* Looking for text. */
#include "search.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wctype.h>

#include "line.h"
#include "utf8.h"

/* How long one call looks at rows: a key is obeyed after so many milliseconds. */
enum { SLICE_MS = 20 };

/* The next character, in lower case. */
static uint32_t next_character(const char **text, const char *end)
{
    uint32_t character;
    size_t size = utf8_decode(&character, *text, (size_t)(end - *text));
    if (size == 0) {
        character = (unsigned char)**text;
        size = 1;
    }
    *text += size;
    return (uint32_t)towlower((wint_t)character);
}

static bool begins_with(const char *text, const char *end, const char *words)
{
    const char *words_end = words + strlen(words);
    while (words < words_end) {
        if (text == end || next_character(&text, end) != next_character(&words, words_end)) {
            return false;
        }
    }
    return true;
}

static bool contains(const struct line *line, const char *words)
{
    const char *text = line_text(line), *end = text + line->length;
    for (; text < end; text++) {
        if (begins_with(text, end, words)) {
            return true;
        }
    }
    return false;
}

static bool shows(fr_list *list, int64_t index, const char *words)
{
    struct line line = {0};
    fr_index_path path;
    fr_object *object = NULL;
    int64_t count = 0;
    bool found = false;
    if (fr_list_index_path_at(&path, list, index) == FR_OK && fr_list_object_at(&object, list, path) == FR_OK) {
        fr_object_column_count(&count, object);
    }
    for (int64_t column = 0; column < count && !found; column++) {
        fr_value value;
        line_clear(&line);
        if (fr_object_value(&value, object, column) == FR_OK) {
            line_add_value(&line, &value);
            found = contains(&line, words);
        }
    }
    fr_object_unref(object);
    line_free(&line);
    return found;
}

void search_begin(struct search *search, fr_list *list, const char *words, int64_t index, int direction)
{
    *search = (struct search){.list = list, .words = words, .index = index, .direction = direction};
    fr_list_count(&search->count, list);
    search->left = *words != '\0' ? search->count : 0;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t search_continue(struct search *search)
{
    int64_t end = milliseconds() + SLICE_MS;
    while (search->left > 0) {
        search->left--;
        search->index = (search->index + search->direction + search->count) % search->count;
        if (shows(search->list, search->index, search->words)) {
            return search->index;
        }
        if (milliseconds() >= end) {
            break;
        }
    }
    return -1;
}
