/* Names that stand one after another. */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed, there are none. */
struct names {
    char **items;
    size_t count;
};

/* Adds a copy of a name. */
void names_add(struct names *names, const char *name);

/* Adds the parts of a list between commas. */
void names_split(struct names *names, const char *list);

/* Whether a name is among them, whatever the case of its ASCII letters. */
bool names_contain(const struct names *names, const char *name);

/* Drops them. */
void names_clear(struct names *names);

#endif
