/* Collections in one line each. */
#ifndef COLLECTIONS_H
#define COLLECTIONS_H

#include "fixture.h"
#include "watched.h"

/* Two tables with the same columns. */
#define TWO_TABLES \
    "CREATE TABLE a(id INTEGER PRIMARY KEY, s, k);" \
    "CREATE TABLE b(id INTEGER PRIMARY KEY, s, k);"
#define SOME_ROWS \
    "INSERT INTO a VALUES (1, 'x', 1), (2, 'x', 2);" \
    "INSERT INTO b VALUES (11, 'p', 1), (12, 'q', 2), (13, 'q', 3);"

/* A list like one of list_of, not fetched. */
fr_list *unfetched_list(fr_store *store, const char *entity, const char *section, const char *sort, const char *where);

/* A fetched collection of up to three lists; NULL for none. */
fr_list *collection_of(fr_list *first, fr_list *second, fr_list *third);

fr_placeholder *placeholder_of(const char *name, const char *index_title);

/*
 * A collection of table a, flat, and table b, in sections by s, both in the order of k, and its
 * recorder.
 */
struct watched_collection {
    struct watched w;
    fr_list *a;
    fr_list *b;
};

void watch_collection(struct watched_collection *watched, const char *rows);

/* Frees the rest of it: collection, lists, and store. */
void unwatch_collection(struct watched_collection *watched);

/* The place of a child; -1 if the list is not a child. */
int64_t place_of(fr_list *collection, fr_list *child);

#endif
