/* Keys. Those that are no characters are sequences that begin with an escape (ECMA-48, xterm). */
#include "keys.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* How long a sequence may pause before its escape counts as the key of that name. */
enum { PAUSE_MS = 50 };

static unsigned char typed[256];
static size_t next_byte, typed_count;

/* The next byte, or KEY_NONE, or KEY_END_OF_INPUT. */
static int read_byte(int descriptor, int wait_ms)
{
    if (next_byte == typed_count) {
        struct pollfd input = {descriptor, POLLIN, 0};
        ssize_t length;
        if (poll(&input, 1, wait_ms) <= 0) {
            return KEY_NONE;
        }
        length = read(descriptor, typed, sizeof typed);
        if (length <= 0) {
            return length < 0 && (errno == EINTR || errno == EAGAIN) ? KEY_NONE : KEY_END_OF_INPUT;
        }
        next_byte = 0;
        typed_count = (size_t)length;
    }
    return typed[next_byte++];
}

static int key_of_number(int number)
{
    switch (number) {
        /* clang-format off */
    case 1: case 7: return KEY_HOME;
    case 4: case 8: return KEY_END;
    case 5: return KEY_PAGE_UP;
    case 6: return KEY_PAGE_DOWN;
        /* clang-format on */
    }
    return KEY_UNKNOWN;
}

static int key_of_letter(int letter)
{
    switch (letter) {
        /* clang-format off */
    case 'A': return KEY_UP;
    case 'B': return KEY_DOWN;
    case 'C': return KEY_RIGHT;
    case 'D': return KEY_LEFT;
    case 'H': return KEY_HOME;
    case 'F': return KEY_END;
        /* clang-format on */
    }
    return KEY_UNKNOWN;
}

/* What follows an escape: '[' or 'O', numbers, and a byte that ends it. */
static int read_sequence(int descriptor)
{
    int byte = read_byte(descriptor, PAUSE_MS), number = 0;
    bool is_first = true;
    if (byte != '[' && byte != 'O') {
        if (byte >= 0) {
            next_byte--;
        }
        return KEY_ESCAPE;
    }
    while ((byte = read_byte(descriptor, PAUSE_MS)) >= 0 && byte < '@') {
        is_first = is_first && byte != ';';
        if (is_first && byte >= '0' && byte <= '9' && number < 1000) {
            number = number * 10 + byte - '0';
        }
    }
    return byte == '~' ? key_of_number(number) : key_of_letter(byte);
}

int keys_next(int descriptor)
{
    int byte = read_byte(descriptor, 0);
    switch (byte) {
        /* clang-format off */
    case '\033': return read_sequence(descriptor);
    case '\r': case '\n': return KEY_ENTER;
    case '\b': case 0x7F: return KEY_BACKSPACE;
        /* clang-format on */
    }
    return byte;
}
