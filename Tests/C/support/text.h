/* A string that grows. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

struct text {
    char *bytes; /* NUL-terminated once anything was added */
    size_t length;
    size_t capacity;
};

void text_add(struct text *text, const char *format, ...);
void text_free(struct text *text);

/* The string so far; "" if nothing was added. */
const char *text_get(const struct text *text);

/* A copy made by malloc; NULL of NULL. */
char *text_copy(const char *bytes);

#endif
