/*
 * A view that records its calls as text:
 *
 *   reload [ -s2 +s0 s3>1 -1.0 +0.0 0.1>0.2 r0.3>0.4 h3>1 ] c0.2(name) n5
 *
 * `[` is begin, `]` end; s are sections, r reloads, h headers, c updated cells, n the count;
 * failures appear by the name of their status. Steps are written as "delete 1.0", "insert s2 @2",
 * with the final place after "@".
 */
#ifndef VIEW_LOG_H
#define VIEW_LOG_H

#include "text.h"

#include <fetchedresults/views.h>

struct view_log {
    struct text text;
    int64_t destroyed;
    /* Acts once, after the entry that begins with `moment` was recorded. */
    const char *moment;
    void (*act)(struct view_log *log);
    fr_coordinator *coordinator;
    fr_list *list;
    fr_store *store;
    void *other;
};

/* A view with all functions but `step` and `update_cell`. */
fr_view logging_view(void);

/* The same with `update_cell`, which records the value of the column "name". */
fr_view cell_updating_view(void);

/* A view that gets steps. */
fr_view stepping_view(void);

void view_log_destroy(void *user_data);

/* What was recorded since the last call, without the blank at its end; valid until the next. */
const char *view_log_take(struct view_log *log);

#define CHECK_VIEW(log, expected) CHECK_TEXT(view_log_take(log), expected)

#endif
