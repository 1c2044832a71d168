/* Windows: the rows around one row of a list, as a list of their own. */
#ifndef FETCHEDRESULTS_WINDOW_H
#define FETCHEDRESULTS_WINDOW_H

#include "base.h"
#include "list.h"

FR_BEGIN_DECLS

/*
 * A window shows a row of a list with some rows before and after it. It is an fr_list: the
 * functions of list.h that read, fetch and observe take it, with its own index paths, and it is
 * freed like any list. It has a section for each section of the list that has rows in the window.
 * The functions that need a request return FR_MISUSE; call them with the list. fr_controller_store
 * returns the store of the list.
 *
 * A window hangs on a row, its anchor, and not on a place. Changes elsewhere in the list do not
 * concern it: they cost nothing, whatever the number of windows, and its observers are not
 * notified. If the anchor moves, the window goes with it. If the anchor leaves the list, the row
 * that is where it was becomes the anchor, and fr_change_set_window_place says so.
 *
 * Fetching a window fetches its list. If the list is read from scratch (fr_list_perform_fetch, or
 * fr_controller_resume with a reload), its windows find their anchors by their identities, and
 * deliver the difference; all rows that stay are updated, with unknown columns. If the list is
 * fetched inside a callback, they deliver a reload.
 *
 * A window lives on when the handle of its list is freed. It can't be a child of a collection.
 */

/* Numbers for fr_window_open in place of the number of a row. */
enum {
    FR_WINDOW_AT_END = -1 /* the last row */
};

/*
 * fr_window_open: opens a window at a row of a controller or section map.
 *
 * out: receives the window, to be freed with fr_list_free.
 * list: fetched, and no collection or window.
 * index: the number of the row over all sections (fr_list_index_of), or FR_WINDOW_AT_END. In a list
 *   without rows 0 and FR_WINDOW_AT_END open a window that shows nothing until the list gets rows.
 * before, after: how many rows it shows on each side of that row, as far as the list has them.
 * Errors: FR_MISUSE, also inside will_change; FR_NOT_FETCHED, FR_CLOSED; FR_RANGE if there is no
 *   such row, or for a negative count. O(log n), and the number of rows shown. Since 0.1.
 */
fr_status fr_window_open(fr_list **out, fr_list *list, int64_t index, int64_t before, int64_t after);

/*
 * fr_window_open_at_identity: opens a window at the row with an identity.
 *
 * identity: as in fr_store_update.
 * Errors: as fr_window_open; FR_NOT_FOUND if the list has no such row; FR_RANGE for a wrong count
 *   of values. Since 0.1.
 */
fr_status fr_window_open_at_identity(fr_list **out, fr_list *list, const fr_value *identity, size_t count,
                                     int64_t before, int64_t after);

/*
 * fr_window_open_at_section: opens a window at the first row of the section with a name.
 *
 * name: of the section, as fr_section_info has it.
 * Errors: as fr_window_open; FR_INVALID_UTF8; FR_NOT_FOUND if no section with rows has that name.
 *   O(sections). Since 0.1.
 */
fr_status fr_window_open_at_section(fr_list **out, fr_list *list, const char *name, int64_t before, int64_t after);

/*
 * fr_window_position: the number, over all sections of the list, of the window's first row; 0 if
 * the list has no rows.
 *
 * It changes without a notice when rows before the window come or leave. O(log n).
 *
 * Errors: FR_MISUSE, also for a list that is no window; FR_NOT_FETCHED, FR_CLOSED. Since 0.1.
 */
fr_status fr_window_position(int64_t *out, fr_list *window);

/*
 * fr_window_anchor: the index path, in the window, of the row on which it hangs.
 *
 * Errors: as fr_window_position; FR_NOT_FOUND if the list has no rows. Since 0.1.
 */
fr_status fr_window_anchor(fr_index_path *out, fr_list *window);

/*
 * fr_window_extent: how many rows the window shows before and after its anchor, if the list has as
 * many.
 *
 * Errors: FR_MISUSE, also for a list that is no window. Since 0.1.
 */
fr_status fr_window_extent(int64_t *before, int64_t *after, fr_list *window);

/*
 * fr_window_move: hangs the window on the row that is `rows` rows after its anchor, or before it if
 * the number is negative; on the last or first row if there are not so many.
 *
 * The difference is delivered to the window's observers before the call returns; inside a callback,
 * after the current round.
 *
 * Errors: as fr_window_position. Since 0.1.
 */
fr_status fr_window_move(fr_list *window, int64_t rows);

/*
 * fr_window_resize: shows another number of rows before and after the anchor.
 *
 * The difference is delivered as by fr_window_move.
 *
 * Errors: as fr_window_position; FR_RANGE for a negative count. Since 0.1.
 */
fr_status fr_window_resize(fr_list *window, int64_t before, int64_t after);

/* Where a window is after a change set. The layout is fixed. */
typedef struct fr_window_place {
    int64_t position; /* the number, in the list, of the window's first row */
    int64_t anchor;   /* the number, in the window, of the row on which it hangs; -1 if the list has no rows */
    int32_t is_anchor_replaced; /* 1 if the row on which it hung has left the list; else 0 */
    int32_t reserved;
} fr_window_place;

/*
 * fr_change_set_window_place: where the window is after a change set of it.
 *
 * Errors: FR_MISUSE; FR_NOT_FOUND for the change set of another list, and for a reload. Since 0.1.
 */
fr_status fr_change_set_window_place(fr_window_place *out, fr_change_set *changes);

FR_END_DECLS

#endif
