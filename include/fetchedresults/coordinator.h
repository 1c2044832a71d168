/* Coordinators: each updates a view of the program's own with the changes of a list. */
#ifndef FETCHEDRESULTS_COORDINATOR_H
#define FETCHEDRESULTS_COORDINATOR_H

#include <stdbool.h>

#include "base.h"
#include "changes.h"
#include "controller.h"
#include "object.h"

FR_BEGIN_DECLS

/*
 * A coordinator updates one view with the changes of one list: a controller, a section map or a
 * collection. It observes the list as any other observer does, so any number of coordinators and
 * observers can follow one list. It has one owner, which frees it with fr_coordinator_free. When
 * the list is freed or its store is closed, nothing reaches the view any more; the program still
 * has to free the coordinator.
 *
 * For each delivery the view gets one batch, then update_cell for each cell to update, then
 * count_changed. All this happens while the list shows its new state, in the list's turn among
 * those that changed.
 *
 * A batch is safe for views that read their rows from the list. A deleted section removes its rows,
 * and an inserted one inserts its rows. So these rows, which have records of their own in a change
 * set, are left out of the batch. For a row's change the view gets:
 *
 *   change   new section is inserted   old section is deleted   the view gets
 *   delete   -                         no                       a row delete
 *   insert   no                        -                        a row insert
 *   move     no                        no                       a row move; update_cell
 *   move     no                        yes                      a row insert
 *   move     yes                       no                       a row delete
 *   update   -                         no                       update_cell, else a row reload
 *   any other                                                   nothing
 */
typedef struct fr_coordinator fr_coordinator;

/* Where a row was before a batch, and where it is after all of it. */
typedef struct fr_row_places {
    fr_index_path old_path;
    fr_index_path new_path;
} fr_row_places;

/* Where a section was before a batch, and where it is after all of it. */
typedef struct fr_section_places {
    int64_t old_index;
    int64_t new_index;
} fr_section_places;

/*
 * A view, as the functions that are called for it. Set `struct_size` to sizeof(fr_view); members
 * may be NULL. Arrays are never empty. Arrays and objects are borrowed during the call.
 *
 * A batch is `begin`, then the groups that have entries, in the order of the members below, then
 * `end`. Old places count before the batch, new places after the whole batch.
 *
 * A view whose `move_sections` or `move_rows` is NULL gets deletes and inserts instead. If the
 * member for another group that has entries is NULL, the view gets a `reload` instead of the batch,
 * without update_cell. (`update_sections` is the exception: without it, that group is left out.) So
 * a view that has only `reload` is reloaded for each delivery. If `reload` is NULL, nothing is
 * called in its place.
 *
 * With `step`, a batch is `begin`, its changes one after another, and `end`, and no group is
 * called. This is for list models that take one change at a time.
 *
 * A callback may read any list, and write to the store; the view gets these changes as another
 * batch. It may pause, resume and load: the reload or batch of these is delivered after the current
 * round, and a batch that has begun is delivered to its end. It may free the coordinator or the
 * list, and close the store; then nothing more is called, not even `end`.
 */
typedef struct fr_view {
    size_t struct_size;
    /* The whole list changed and must be shown again. */
    void (*reload)(fr_coordinator *coordinator, void *user_data);
    void (*begin)(fr_coordinator *coordinator, void *user_data);
    /* Old indexes, descending. */
    void (*delete_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    /* New indexes, ascending. */
    void (*insert_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    /*
     * Ascending by new index. Their rows move with them; rows that changed as well have entries of
     * their own.
     */
    void (*move_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                          void *user_data);
    /* Old paths, descending. */
    void (*delete_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    /* New paths, ascending. */
    void (*insert_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    /* Ascending by new path. Their content may have changed as well. */
    void (*move_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    /*
     * Rows that changed without changing their place, ascending by new path; none if there is
     * `update_cell`.
     */
    void (*reload_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    /*
     * Sections whose own content changed, including moved ones, to draw their headers again;
     * ascending by new index.
     */
    void (*update_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                            void *user_data);
    void (*end)(fr_coordinator *coordinator, void *user_data);
    /*
     * One change. Its places count in the list as all steps before it left it, as in
     * fr_change_set_sequential. Nothing is left out: a section is empty when it is inserted and
     * when it is deleted. `final_path` is the place of the row or section (whose row is -1) after
     * all steps, where the list already shows it; {-1, -1} for a delete. With `update_cell`,
     * updated rows have no steps.
     */
    void (*step)(fr_coordinator *coordinator, const fr_change *step, fr_index_path final_path, void *user_data);
    /*
     * The cell at `path`, a new path, must draw its object again. Called after the batch, in
     * ascending order, once for each row that changed or moved. If a row can't be read (FR_GONE),
     * because another callback wrote to it, its cell is updated when the round is over, or else
     * with the next delivery.
     */
    void (*update_cell)(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data);
    /*
     * The number of objects differs from the last one that was reported. Also called at the first
     * load.
     */
    void (*count_changed)(fr_coordinator *coordinator, int64_t count, void *user_data);
    /*
     * As `did_fail` of an fr_observer. Also called if a fetch at the end of a pause, or reading an
     * object for update_cell, fails. Called while paused as well.
     */
    void (*did_fail)(fr_coordinator *coordinator, const fr_error *error, void *user_data);
} fr_view;

/* Flags of fr_coordinator_new. */
enum {
    FR_VIEW_NO_ROW_MOVES = 1, /* moves of rows are delivered as deletes and inserts */
    FR_VIEW_NO_SECTION_MOVES = 2, /* so are moves of sections; the rows of these sections have no entries */
    FR_VIEW_DIFFERENCE = 4 /* a pause ends with one batch of the difference rather than with a reload */
};

/*
 * fr_coordinator_new: makes a coordinator for a view.
 *
 * Nothing reaches the view before fr_coordinator_load_data.
 *
 * out: receives the coordinator.
 * list: a controller, section map or collection, fetched or not.
 * view: copied.
 * flags: FR_VIEW_..., or 0.
 * destroy: may be NULL; called exactly once with `user_data`: when the coordinator is freed, or
 *   when this call fails. If the coordinator is freed inside a callback, `destroy` is called after
 *   the callback.
 * Errors: FR_MISUSE; FR_RANGE for unknown flags or a wrong struct_size. O(1). Since 0.1.
 */
fr_status fr_coordinator_new(fr_coordinator **out, fr_list *list, const fr_view *view, uint32_t flags, void *user_data,
                             fr_destroy destroy);

/*
 * fr_coordinator_free: frees the coordinator.
 *
 * NULL does nothing. The call is allowed inside one of the coordinator's callbacks; nothing more is
 * called then. Since 0.1.
 */
void fr_coordinator_free(fr_coordinator *coordinator);

/*
 * fr_coordinator_load_data: fetches the list, begins to follow it, and reloads the view.
 *
 * The view is reloaded before the call returns; inside a callback, after the current round. Call
 * this function in place of fr_list_perform_fetch, which makes no callbacks. If the program fetches
 * the list by itself, the view is reloaded at the next delivery.
 *
 * A list that is already fetched and has other observers is not fetched again, because a fetch
 * would not notify them of the changes. Instead, what the database has and the list does not show
 * is delivered to all of them; in a store opened with FR_STORE_QUEUED, at the next dispatch.
 *
 * A second call fetches and reloads again. A call during a pause also does so, and the pause
 * continues.
 *
 * fetch: false to use an already fetched list as it is, for example after a fetch in the
 *   background.
 * Errors: FR_MISUSE, also if the list was freed; any error of fr_list_perform_fetch. After a
 *   failure nothing has changed. O(n), or O(1) if nothing is fetched, besides what the view does.
 *   Since 0.1.
 */
fr_status fr_coordinator_load_data(fr_coordinator *coordinator, bool fetch);

/*
 * fr_coordinator_set_paused: pauses the view, or ends its pause.
 *
 * While paused, nothing reaches the view. The list itself still follows the database;
 * fr_controller_pause stops the list.
 *
 * When the pause ends, the list is brought up to date as by fr_coordinator_load_data, and the view
 * is reloaded even if nothing changed. With FR_VIEW_DIFFERENCE, the view instead gets one batch of
 * all that changed, and none if nothing did. Inside a callback this happens after the current
 * round. If the fetch fails, `did_fail` of the list's observers and of the view is called, and the
 * view reloads what the list shows. Before the first fr_coordinator_load_data nothing happens.
 *
 * During a pause with FR_VIEW_DIFFERENCE, change sets are composed as they are delivered. This
 * costs O(log k) for each of k records, and memory for what differs.
 *
 * Errors: FR_MISUSE, also if the list was freed. Since 0.1.
 */
fr_status fr_coordinator_set_paused(fr_coordinator *coordinator, bool paused);

/* fr_coordinator_is_paused: whether the view is paused. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_coordinator_is_paused(bool *out, fr_coordinator *coordinator);

/*
 * fr_coordinator_is_loaded: whether fr_coordinator_load_data has succeeded.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_coordinator_is_loaded(bool *out, fr_coordinator *coordinator);

/*
 * fr_coordinator_list: the list that the coordinator follows.
 *
 * out: borrowed, the handle that the program made.
 * Errors: FR_MISUSE, also if the list was freed. Since 0.1.
 */
fr_status fr_coordinator_list(fr_list **out, fr_coordinator *coordinator);

FR_END_DECLS

#endif
