/* Looking for text. */
#include "search.h"

#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

#include "line.h"
#include "utf8.h"

/* How many rows are looked at between two looks at the keyboard. */
enum { ROWS_AT_A_TIME = 1000 };

/* The next character, in lower case; 0 at the end. */
static uint32_t next_character(const char **text)
{
    uint32_t character;
    size_t size = utf8_decode(&character, *text, strlen(*text));
    if (size == 0) {
        character = (unsigned char)**text;
        size = character != 0;
    }
    *text += size;
    return (uint32_t)towlower((wint_t)character);
}

static bool begins_with(const char *text, const char *words)
{
    while (*words != '\0') {
        if (*text == '\0' || next_character(&text) != next_character(&words)) {
            return false;
        }
    }
    return true;
}

static bool contains(const char *text, const char *words)
{
    for (; *text != '\0'; text++) {
        if (begins_with(text, words)) {
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
            found = contains(line_text(&line), words);
        }
    }
    fr_object_unref(object);
    line_free(&line);
    return found;
}

static bool key_was_pressed(void)
{
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, 0) > 0;
}

int64_t search_rows(fr_list *list, const char *text, int64_t index, int direction)
{
    int64_t count = 0;
    fr_list_count(&count, list);
    for (int64_t left = count; left > 0 && *text != '\0'; left--) {
        index = (index + direction + count) % count;
        if (shows(list, index, text)) {
            return index;
        }
        if (left % ROWS_AT_A_TIME == 0 && key_was_pressed()) {
            return -1;
        }
    }
    return -1;
}
