/* A store, a list of it, and a recorder of the list's deliveries. */
#ifndef WATCHED_H
#define WATCHED_H

#include "fixture.h"
#include "recorder.h"

struct watched {
    fr_store *store;
    fr_list *list;
    struct recorder recorder;
};

/*
 * Opens a store in memory, runs `script` and records the list that list_of makes of the other
 * arguments.
 */
void watch(struct watched *watched, const char *script, const char *entity, const char *section, const char *sort,
           const char *where);

/* The same for a request of the caller's, which is freed. */
void watch_request(struct watched *watched, const char *script, fr_request *request);

/* The same for a fetched list of the caller's, which `watched` takes over with its store. */
void watch_list(struct watched *watched, fr_store *store, fr_list *list);

/* Frees the list, checks that its observer was destroyed once, and closes the store. */
void unwatch(struct watched *watched);

/* Runs a script and compares what the list reported. */
#define CHECK_REPORTED(watched, script, expected) \
    do { \
        run((watched)->store, script); \
        CHECK_LOG(&(watched)->recorder, expected); \
    } while (0)

#endif
