#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *text, size_t extra)
{
    size_t needed = text->length + extra + 1;
    if (needed > text->capacity) {
        text->capacity = needed * 2;
        text->bytes = realloc(text->bytes, text->capacity);
        if (text->bytes == NULL) {
            abort();
        }
    }
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void text_free(struct text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

const char *text_get(const struct text *text)
{
    return text->bytes == NULL ? "" : text->bytes;
}

char *text_copy(const char *bytes)
{
    char *copy;
    if (bytes == NULL) {
        return NULL;
    }
    copy = malloc(strlen(bytes) + 1);
    if (copy == NULL) {
        abort();
    }
    return strcpy(copy, bytes);
}
