/* Names. */
#include "names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"

static void add(struct names *names, const char *name, size_t length)
{
    char **items = realloc(names->items, (names->count + 1) * sizeof *items);
    char *copy = strndup(name, length);
    if (items == NULL || copy == NULL) {
        message("out of memory");
        exit(EXIT_UNUSABLE);
    }
    names->items = items;
    names->items[names->count++] = copy;
}

void names_add(struct names *names, const char *name)
{
    add(names, name, strlen(name));
}

void names_split(struct names *names, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        if (length > 0) {
            add(names, list, length);
        }
        list += length + (list[length] == ',');
    }
}

bool names_contain(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcasecmp(names->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i]);
    }
    free(names->items);
    memset(names, 0, sizeof *names);
}
