/* Coordinators: they keep a view of the program's own up to date with a list. */
#ifndef FETCHEDRESULTS_COORDINATOR_H
#define FETCHEDRESULTS_COORDINATOR_H

#include <stdbool.h>

#include "base.h"
#include "changes.h"
#include "controller.h"
#include "object.h"

FR_BEGIN_DECLS

/*
 * What keeps one view up to date with one list: a controller, a section map or a collection. It is one observer among
 * others: any number of coordinators and observers can follow a list side by side. One owner, who frees it with
 * fr_coordinator_free. When the list is freed or its store closed, nothing reaches the view any more; the coordinator
 * still has to be freed.
 *
 * For each delivery the view gets one batch, then update_cell for each cell to update, then count_changed. All this
 * happens while the list shows its new state, in the list's turn among those that changed.
 *
 * A batch is safe for views that read their rows from the list. A deleted section takes its rows along and an inserted
 * one brings them, so that their rows, of which a change set tells one by one, are left out. Of a row's change the view
 * gets:
 *
 *   change   its new section comes   its old section goes   the view gets
 *   delete   -                       no                     a row delete
 *   insert   no                      -                      a row insert
 *   move     no                      no                     a row move; update_cell
 *   move     no                      yes                    a row insert
 *   move     yes                     no                     a row delete
 *   update   -                       no                     update_cell if the view has it, else a row reload
 *   any other                                               nothing
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
 * A view, as the functions that are called for it. Set `struct_size` to sizeof(fr_view); members may be NULL. Arrays
 * are never empty, and borrowed during the call, as objects are.
 *
 * A batch is `begin`, the groups that have entries, in the order of the members below, and `end`. Old places count
 * before the batch, new ones after all of it. A view whose `section_moves` or `row_moves` is NULL gets deletes and
 * inserts instead. If another group but `section_updates` has entries and is NULL, the whole batch is a `reload`
 * instead, without update_cell; so a view that has nothing but `reload` is reloaded for each delivery. If `reload` is
 * NULL, nothing is called where it would be.
 *
 * With `step`, a batch is `begin`, its changes one after another, and `end`, and no group is called: for list models
 * that are told of one change at a time.
 *
 * What a callback may do: read any list; write to the store (its changes come as a batch of their own); pause, resume
 * and load (their reload or batch comes after the current round; a batch that has begun is still told to its end); free
 * the coordinator or the list, or close the store: nothing more is called then, not even `end`.
 */
typedef struct fr_view {
    size_t struct_size;
    /* The list is to be shown anew as a whole. */
    void (*reload)(fr_coordinator *coordinator, void *user_data);
    void (*begin)(fr_coordinator *coordinator, void *user_data);
    /* Old indexes, descending. */
    void (*delete_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    /* New indexes, ascending. */
    void (*insert_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    /* Ascending by new index. Their rows come along; rows that changed besides have entries of their own. */
    void (*move_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                          void *user_data);
    /* Old paths, descending. */
    void (*delete_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    /* New paths, ascending. */
    void (*insert_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    /* Ascending by new path. Their content may have changed as well. */
    void (*move_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    /* Rows that changed and kept their place, ascending by new path; none if there is `update_cell`. */
    void (*reload_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    /*
     * Sections whose own content changed, to draw their headers again, moved ones among them; ascending by new index.
     */
    void (*update_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                            void *user_data);
    void (*end)(fr_coordinator *coordinator, void *user_data);
    /*
     * One change. Its places hold in the list as all steps before it left it, as in fr_change_set_sequential, and
     * nothing is left out: a section is empty when it comes and when it goes. `final_path` is where the row or section
     * (whose row is -1) is after all steps, where the list shows it already; {-1, -1} if it goes. No steps of updated
     * rows come if there is `update_cell`.
     */
    void (*step)(fr_coordinator *coordinator, const fr_change *step, fr_index_path final_path, void *user_data);
    /*
     * The cell at `path`, a new path, is to draw its object again. After the batch, in ascending order, once for each
     * cell: for rows that changed or moved. A row that can't be read (FR_GONE), since another callback wrote to it, has
     * its cell updated when the round is over, or else with the next delivery.
     */
    void (*update_cell)(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data);
    /* The view shows another number of objects than it was told last; at the first load it is told in any case. */
    void (*count_changed)(fr_coordinator *coordinator, int64_t count, void *user_data);
    /*
     * As the `error` of an fr_observer, and told also if a fetch at the end of a pause, or reading an object for
     * update_cell, fails. While paused as well.
     */
    void (*did_fail)(fr_coordinator *coordinator, const fr_error *error, void *user_data);
} fr_view;

/* Flags of fr_coordinator_new. */
enum {
    FR_VIEW_NO_ROW_MOVES = 1,     /* rows that move come as deletes and inserts */
    FR_VIEW_NO_SECTION_MOVES = 2, /* so do sections, which then take their rows along: none of these is told of */
    FR_VIEW_DIFFERENCE = 4        /* a pause ends with one batch of the difference rather than with a reload */
};

/*
 * fr_coordinator_new: a coordinator for a view. Nothing reaches the view before fr_coordinator_load_data.
 *
 * out: receives the coordinator. list: a controller, section map or collection, fetched or not. view: copied.
 * flags: FR_VIEW_..., or 0.
 * destroy: may be NULL; called exactly once with `user_data`: when the coordinator is freed, or when this call fails;
 *   if it is freed inside a callback, after that.
 * Errors: FR_MISUSE; FR_RANGE for unknown flags or a wrong struct_size. O(1). Since 0.1.
 */
fr_status fr_coordinator_new(fr_coordinator **out, fr_list *list, const fr_view *view, uint32_t flags, void *user_data,
                             fr_destroy destroy);

/*
 * fr_coordinator_free: ends it. NULL does nothing. Inside one of its callbacks it is allowed: nothing more is called.
 * Since 0.1.
 */
void fr_coordinator_free(fr_coordinator *coordinator);

/*
 * fr_coordinator_load_data: fetches the list, begins to follow it, and has the view reload, before the call returns;
 * inside a callback the reload comes after the current round. Use it in place of fr_list_perform_fetch, which
 * tells no one: a list that was fetched by itself is reloaded at the next delivery.
 *
 * fetch: false to take a list that is fetched already as it is, as after a fetch in the background. A list that is
 *   fetched already and that others follow too, whom a fetch would not tell of what changed, is not fetched again: what
 *   the database has and the list does not show is delivered to all of them (of a store opened with FR_STORE_QUEUED, by
 *   dispatch).
 * Again, it fetches and reloads again; while paused as well, and the pause goes on.
 * Errors: FR_MISUSE, also if the list was freed; those of fr_list_perform_fetch; nothing has changed then. O(n),
 * or O(1) if nothing is fetched, besides what the view does. Since 0.1.
 */
fr_status fr_coordinator_load_data(fr_coordinator *coordinator, bool fetch);

/*
 * fr_coordinator_set_paused: true has nothing reach the view until it is set to false. The list goes on changing; to
 * spare it the work as well, see fr_controller_pause.
 *
 * When the pause ends, the list is brought up to date as by fr_coordinator_load_data and the view reloaded, also if
 * nothing changed. With FR_VIEW_DIFFERENCE, all that changed comes as one batch instead, none if nothing did. Inside a
 * callback this comes after the current round. If the fetch fails, the list's observers and the view are told by
 * `error`, and the view reloads what the list shows. Before the first fr_coordinator_load_data nothing happens.
 *
 * What changes during a pause with FR_VIEW_DIFFERENCE is put together as it comes: O(log k) for each of k records, and
 * memory for what differs. Errors: FR_MISUSE, also if the list was freed. Since 0.1.
 */
fr_status fr_coordinator_set_paused(fr_coordinator *coordinator, bool paused);

/* fr_coordinator_is_paused: whether nothing reaches the view for now. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_coordinator_is_paused(bool *out, fr_coordinator *coordinator);

/* fr_coordinator_is_loaded: whether fr_coordinator_load_data has succeeded. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_coordinator_is_loaded(bool *out, fr_coordinator *coordinator);

/*
 * fr_coordinator_list: the list that the coordinator follows.
 * out: borrowed, the handle that the program made. Errors: FR_MISUSE, also if the list was freed. Since 0.1.
 */
fr_status fr_coordinator_list(fr_list **out, fr_coordinator *coordinator);

FR_END_DECLS

#endif
