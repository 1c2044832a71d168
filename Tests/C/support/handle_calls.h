/* Every function that takes a handle and returns a status, with valid other arguments. */
#ifndef HANDLE_CALLS_H
#define HANDLE_CALLS_H

#include <fetchedresults/views.h>

enum handle_kind {
    STORE,
    STATEMENT,
    OBJECT,
    REQUEST,
    CONTROLLER,
    CHANGE_SET,
    PLACEHOLDER,
    COORDINATOR,
    DATA_SOURCE,
    CELL,
    ENTITY_LIST,
    HANDLE_KINDS
};

struct handle_call {
    const char *name;
    enum handle_kind kind; /* of handle that it wants */
    fr_status (*call)(void *handle);
};

/* Ends with a NULL name. */
extern const struct handle_call handle_calls[];

/* What the `out` parameters of all these calls point to. */
extern char untouched[256];

#endif
