/* Section maps in one line each: task lists that are sections, and their tasks. */
#ifndef MAPS_H
#define MAPS_H

#include "fixture.h"
#include "watched.h"

#define LISTS_AND_TASKS \
    "CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, position, hidden DEFAULT 0);" \
    "CREATE TABLE tasks(id INTEGER PRIMARY KEY, list_id REFERENCES lists ON DELETE CASCADE, k, v);"

/* Three lists, of which 20 is empty, shown in the order 30, 10, 20; and a task without a list. */
#define SOME_TASKS \
    "INSERT INTO lists(id, title, position) VALUES (10, 'work', 2), (20, 'home', 3), (30, 'garden', 1);" \
    "INSERT INTO tasks(id, list_id, k) VALUES (1, 10, 1), (2, 10, 2), (3, 30, 1), (4, NULL, 1);"

/* The defaults. */
fr_section_map_options map_options(void);

/* A fetched map of two requests, which are freed. NULL `options` are the defaults. */
fr_list *map_of(fr_store *store, fr_request *items, fr_request *sections, const char *item_key,
                const fr_section_map_options *options);

/* A fetched map of the tasks, by k, in the lists, by their position. */
fr_list *task_map(fr_store *store, const fr_section_map_options *options);

/* A store that ran LISTS_AND_TASKS and `rows`, and a recorder of its task_map. */
void watch_tasks(struct watched *watched, const char *rows, const fr_section_map_options *options);

/* A fetched map of the rows of `entity`, by their k, with integer keys that end with a 0. */
fr_list *map_of_keys(fr_store *store, const char *entity, const char *item_key, const int64_t *keys,
                     const fr_section_map_options *options);

#endif
