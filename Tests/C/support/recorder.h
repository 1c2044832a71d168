/*
 * An observer that records its calls as text:
 *
 *   [delete section 1; insert section 0 (a); delete 1.0; insert 0.0; move 0.2>0.1 {rank}; update
 *   0.3>0.4 {name}]
 *
 * `[` is will_change, `]` did_change, `[reload]` a reload, `!` and a status an error. Old and new
 * paths are section.row. In braces stand the changed columns, {?} if they are not known; those of a
 * section that is not a row appear by their numbers. It also checks of every bracket that the list
 * shown in will_change is the old one, that both forms of the observer get the same changes, the
 * rules of changes.h, and that replaying the records on the old list, in the batch and in the
 * sequential reading, yields the new one.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "model.h"
#include "text.h"

struct recorder {
    struct text log;
    struct model shown;     /* the list after the last bracket */
    int64_t brackets;
    bool shares_rows;       /* whether the list may show a row twice; set by the test after the start */
    int64_t destroyed;

    /* Within a bracket. */
    bool open;
    bool reloading; /* a reload was reported in the bracket */
    fr_change *reported;        /* records reported one at a time */
    size_t reported_count;
    fr_change_set *changes; /* all records, retained */
};

/* Observes a fetched controller. */
void recorder_start(struct recorder *recorder, fr_list *controller);

/*
 * Notes that the list was fetched, which makes no callbacks: the next bracket begins with what the
 * list shows now.
 */
void recorder_note_fetch(struct recorder *recorder, fr_list *controller);

/* What was recorded since the last call; valid until the next. */
const char *recorder_take(struct recorder *recorder);

/*
 * Frees what the recorder holds: after the controller was freed, or at the end of a test that did
 * not free it.
 */
void recorder_free(struct recorder *recorder);

/* One record as text, as in the log. `changes` may be a sequential one. */
void record_add(struct text *text, fr_change_set *changes, size_t index);

#define CHECK_LOG(recorder, expected) CHECK_TEXT(recorder_take(recorder), expected)

#endif
