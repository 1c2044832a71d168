/* Statements of SQL on the standard input. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* What has been read and is no whole statement yet. Zeroed, it is empty. */
struct input {
    char *bytes;
    size_t length, capacity;
    bool has_ended;
};

/* Reads what there is. Sets has_ended at the end of the input. */
void input_read(struct input *input, int descriptor);

/*
 * The next whole statement, which may have several lines; at the end of the input what is left,
 * unless it is blank. Returns NULL if there is none; else a string to be freed.
 */
char *input_next(struct input *input);

void input_free(struct input *input);

#endif
