/* Stores, lists and observers through the C interface. A failure ends the program. */
#ifndef LISTS_H
#define LISTS_H

#include <fetchedresults.h>

/* Ends the program if a call failed. */
void ok(fr_status status);

/* A store for a file or ":memory:", with the pragmas of both sides. */
fr_store *open_store(const char *path);

/* What a list shows. */
struct list {
    const char *entity;
    const char *section; /* NULL: flat */
    const char *sort;
    const char *predicate; /* NULL: all rows */
    int64_t parameter;     /* ?1 of the predicate */
    const char *cache_name; /* NULL: not cached */
    int64_t limit;          /* 0: no window */
    int64_t offset;
};

/* Items in sections, by name. */
extern const struct list items_by_name;

/* A controller that has not fetched yet. */
fr_list *make_controller(fr_store *store, struct list list);

/* A controller that has fetched. */
fr_list *fetch(fr_store *store, struct list list);

/* A list of the groups of `items` by section, with four totals. */
fr_list *fetch_groups(fr_store *store);

/* How many records observers have read. */
extern int64_t records_read;

/* Adds an observer that reads the records of each change set. */
void observe(fr_list *controller);

/* Adds an observer with all four callbacks, which receives one record at a time. */
void observe_each(fr_list *controller);

#endif
