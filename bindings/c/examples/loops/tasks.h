/* What the examples of event loops watch: the tasks in a file. Each change of theirs is printed. */
#ifndef TASKS_H
#define TASKS_H

#include <fetchedresults.h>
#include <stdbool.h>

typedef struct tasks {
    fr_store *store;
    fr_list *list;
    int descriptor; /* readable when fr_store_dispatch has something to deliver */
} tasks;

/* These return false after they have printed what failed. */

/*
 * Opens the file, makes the table if necessary, and prints how many tasks there are. On failure
 * nothing stays open.
 */
bool tasks_open(tasks *self, const char *path);

/* Prints what has changed. */
bool tasks_dispatch(const tasks *self);

/* Frees everything. */
bool tasks_close(const tasks *self);

#endif
