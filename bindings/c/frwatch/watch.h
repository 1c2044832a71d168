/* What is watched: a list of a database, and what is notified of its changes. */
#ifndef WATCH_H
#define WATCH_H

#include <fetchedresults.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "options.h"

/* What is printed when another file is followed. */
#define OTHER_FILE "another file is at this path, and is followed now"

struct watch;

/* What reports the changes of a list. Failures are already on the standard error. */
struct reporter {
    void (*delivered)(struct watch *watch, fr_change_set *changes, void *user_data);
    void (*failed)(struct watch *watch, const fr_error *error, void *user_data);
    void *user_data;
};

struct watch {
    const struct options *options;
    fr_store *store;
    bool has_log; /* whether the database was in WAL mode when it was opened */
    fr_list *list; /* NULL without a table */
    struct reporter reporter;
    int64_t deliveries; /* so far */
    int64_t generation; /* of the history: the list shows what was committed up to it; 0 without a history */
    struct stat file;   /* the one that is followed */
};

/*
 * Opens the database and fetches the list, if the options name a table; a list that is only
 * explained is not fetched. Returns false, with nothing
 * left open, after it has printed why not.
 *
 * The database is opened for reading only unless statements are to be executed. Either way it stays
 * in its journal mode.
 */
bool watch_open(struct watch *watch, const struct options *options);

/* Has the reporter notified of each delivery from now on. */
bool watch_report(struct watch *watch, struct reporter reporter);

/*
 * Gets the store's descriptor. Prints whether the kernel gives no notices of what others write.
 * Returns false, after it has printed why, if there is no descriptor left.
 */
bool watch_descriptor(struct watch *watch, int32_t *descriptor);

/*
 * Dispatches. Returns false, after it has printed why, if the list can't be followed any more.
 * *is_busy: whether the database is locked, and it is to be tried again later.
 */
bool watch_dispatch(struct watch *watch, bool *is_busy);

/* Executes statements. Returns false, after it has printed why, if one fails. */
bool watch_execute(struct watch *watch, const char *sql);

/*
 * Whether the last call failed because the database is not at its path, or another one is there
 * that can't be followed. The descriptor is readable when another file is there.
 */
bool watch_waits_for_file(void);

/* Whether another file replaced the followed one since the last call, after a dispatch. */
bool watch_has_other_file(struct watch *watch);

/* Adds the names of the columns that the rows of the list have, also if there are no rows. */
void watch_columns(struct watch *watch, struct names *names);

/* Closes what watch_open opened. Returns false, after it has printed why, if a commit fails. */
bool watch_close(struct watch *watch);

#endif
