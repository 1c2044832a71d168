/*
 * Statements on the standard input. SQLite says where one ends:
 * https://www.sqlite.org/c3ref/complete.html
 */
#include "input.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

enum { CHUNK = 65536 };

void input_read(struct input *input, int descriptor)
{
    ssize_t length;
    if (input->length + CHUNK + 1 > input->capacity) {
        size_t capacity = input->capacity * 2 + CHUNK + 1;
        char *grown = realloc(input->bytes, capacity);
        if (grown == NULL) {
            message("out of memory");
            input->has_ended = true;
            return;
        }
        input->bytes = grown;
        input->capacity = capacity;
    }
    length = read(descriptor, input->bytes + input->length, CHUNK);
    if (length > 0) {
        input->length += (size_t)length;
        input->bytes[input->length] = '\0';
    } else if (length == 0 || (errno != EINTR && errno != EAGAIN)) {
        input->has_ended = true;
    }
}

static char *take(struct input *input, size_t length)
{
    const char *begin = input->bytes;
    size_t skipped = strspn(begin, " \t\r\n"), size = length;
    char *statement;
    skipped = skipped < size ? skipped : size;
    while (size > skipped && strchr(" \t\r\n", begin[size - 1]) != NULL) {
        size--;
    }
    statement = size > skipped ? strndup(begin + skipped, size - skipped) : NULL;
    input->length -= length;
    memmove(input->bytes, input->bytes + length, input->length + 1);
    return statement;
}

char *input_next(struct input *input)
{
    for (size_t i = 0; i < input->length; i++) {
        if (input->bytes[i] == ';') {
            char next = input->bytes[i + 1];
            int is_complete;
            input->bytes[i + 1] = '\0';
            is_complete = sqlite3_complete(input->bytes);
            input->bytes[i + 1] = next;
            if (is_complete) {
                return take(input, i + 1);
            }
        }
    }
    return input->has_ended && input->length > 0 ? take(input, input->length) : NULL;
}

void input_free(struct input *input)
{
    free(input->bytes);
    memset(input, 0, sizeof *input);
}
