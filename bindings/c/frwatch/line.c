/* Lines. */
#include "line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "message.h"
#include "utf8.h"

const char *line_text(const struct line *line)
{
    return line->bytes != NULL ? line->bytes : "";
}

void line_clear(struct line *line)
{
    line->length = 0;
    line->width = 0;
    if (line->bytes != NULL) {
        line->bytes[0] = '\0';
    }
}

void line_free(struct line *line)
{
    free(line->bytes);
    memset(line, 0, sizeof *line);
}

static void add_bytes(struct line *line, const char *bytes, size_t length, int width)
{
    if (line->length + length + 1 > line->capacity) {
        size_t capacity = (line->length + length + 1) * 2;
        char *grown = realloc(line->bytes, capacity);
        if (grown == NULL) {
            fputs("frwatch: out of memory\n", stderr);
            exit(EXIT_UNUSABLE);
        }
        line->bytes = grown;
        line->capacity = capacity;
    }
    memcpy(line->bytes + line->length, bytes, length);
    line->length += length;
    line->bytes[line->length] = '\0';
    line->width += width;
}

void line_add(struct line *line, const char *text, int width)
{
    add_bytes(line, text, strlen(text), width);
}

void line_addf(struct line *line, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    line_add(line, text, (int)strlen(text));
}

/* How wide a character is; -1 for one that is to be escaped. */
static int width_of(uint32_t character)
{
    if (utf8_is_control(character)) {
        return -1;
    }
    return character < 0x7F ? 1 : wcwidth((wchar_t)character);
}

static void add_escaped(struct line *line, uint32_t character)
{
    switch (character) {
        /* clang-format off */
    case '\n': line_add(line, "\\n", 2); break;
    case '\r': line_add(line, "\\r", 2); break;
    case '\t': line_add(line, "\\t", 2); break;
        /* clang-format on */
    default:
        line_addf(line, character < 0x80 ? "\\x%02x" : character < 0x10000 ? "\\u%04x" : "\\U%08x", character);
    }
}

void line_add_text(struct line *line, const char *text, int64_t length)
{
    const char *end = text + (length < 0 ? strlen(text) : (size_t)length);
    while (text < end) {
        uint32_t character;
        size_t size = utf8_decode(&character, text, (size_t)(end - text));
        int width = size > 0 ? width_of(character) : -1;
        if (size == 0) {
            line_addf(line, "\\x%02x", (unsigned)(unsigned char)*text++);
            continue;
        }
        if (width < 0) {
            add_escaped(line, character);
        } else {
            add_bytes(line, text, size, width);
        }
        text += size;
    }
}

void line_add_value(struct line *line, const fr_value *value)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        line_addf(line, "%lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        line_addf(line, "%.15g", value->real);
        break;
    case FR_TYPE_TEXT:
        line_add_text(line, value->data, value->length);
        break;
    case FR_TYPE_BLOB:
        line_addf(line, "(%lld bytes)", (long long)value->length);
        break;
    default:
        line_add(line, "NULL", 4);
    }
}

void line_pad(struct line *line, int width)
{
    while (line->width < width) {
        line_add(line, " ", 1);
    }
}

static void add_part(struct line *line, const struct line *from, int skipped, int width)
{
    const char *text = line_text(from), *end = text + from->length;
    int column = 0, begin = line->width;
    while (text < end) {
        uint32_t character;
        size_t size = utf8_decode(&character, text, (size_t)(end - text));
        int wide = width_of(character);
        if (character == '\033') { /* The program wrote it: line_add_text escapes those of the database. */
            size = strcspn(text, "m") + 1;
            add_bytes(line, text, size, 0);
            text += size;
            continue;
        }
        if (column + wide > skipped + width) {
            break;
        }
        if (column >= skipped && (wide > 0 || line->width > begin)) {
            add_bytes(line, text, size, wide);
        } else if (column + wide > skipped) {
            line_add(line, " ", 1); /* the right half of a wide character */
        }
        column += wide;
        text += size;
    }
}

void line_add_part(struct line *line, const struct line *from, int skipped, int width)
{
    int begin = line->width;
    add_part(line, from, skipped, width);
    line_pad(line, begin + width);
}

void line_add_cut(struct line *line, const struct line *from, int width)
{
    if (from->width <= width) {
        add_bytes(line, line_text(from), from->length, from->width);
    } else {
        add_part(line, from, 0, width - 1);
        line_add(line, "\u2026", 1);
    }
}
