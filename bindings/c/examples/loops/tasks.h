/* What the examples of event loops watch: the tasks in a file. Each change of theirs is printed. */
#ifndef TASKS_H
#define TASKS_H

#include <fetchedresults.h>

typedef struct tasks {
    fr_store *store;
    fr_list *list;
    int descriptor; /* readable when fr_store_dispatch has something to deliver */
} tasks;

/* Opens the file, makes the table if necessary, and prints how many tasks there are. */
tasks tasks_open(const char *path);

/* Prints what has changed. */
void tasks_dispatch(const tasks *self);

void tasks_close(const tasks *self);

#endif
