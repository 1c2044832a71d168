/* Entity lists: all that it takes to show the rows of an entity, from its name and an order. */
#ifndef FETCHEDRESULTS_ENTITY_LIST_H
#define FETCHEDRESULTS_ENTITY_LIST_H

#include "base.h"
#include "controller.h"
#include "coordinator.h"
#include "data_source.h"
#include "object.h"
#include "request.h"
#include "store.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * The list of an entity with all that goes with it: request, controller, coordinator, data source, adding and deleting.
 * The program names the entity and the order, and gives its view and cells; each of the rest it may replace. One owner,
 * who frees it with fr_entity_list_free.
 */
typedef struct fr_entity_list fr_entity_list;

/*
 * What an entity list shows, and which defaults are replaced. Set `struct_size` to sizeof(fr_entity) and zero the rest
 * before setting anything; only `entity` has to be set. A function that answers another status than FR_OK has the call
 * that needed it fail with that status. They may do whatever an observer may, free the entity list, and have it take a
 * store; one that is taken while a list is being made gives way to that list.
 */
typedef struct fr_entity {
    size_t struct_size;
    const char *entity; /* a table or view, optionally with its database */
    const fr_sort *sorts;
    size_t sort_count;
    int64_t batch_size;           /* how many rows are read at once; 0 for 20 */
    const char *reuse_identifier; /* of all cells for which fr_cells has none; NULL for "managedObjectCell" */
    uint32_t view_flags;          /* FR_VIEW_... */
    int32_t reserved;
    /* Changes the request before a list is made of it: a predicate, sections, columns. */
    fr_status (*prepare_request)(fr_request *request, void *user_data);
    /* Makes the list: a section map or a collection, say. It belongs to the entity list then. */
    fr_status (*make_list)(fr_list **out, fr_store *store, fr_request *request, void *user_data);
    /* Adds an item, given what fr_entity_list_add_item was; the object belongs to whoever asked. */
    fr_status (*add_item)(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data);
    /* Deletes an item. */
    fr_status (*delete_item)(fr_store *store, fr_object *item, void *user_data);
} fr_entity;

/*
 * fr_entity_list_new: an entity list, which has no store yet and shows nothing.
 *
 * out: receives the list. entity, view, cells: copied; view and cells may be NULL. If the view has neither
 *   `update_cell` nor `row_reloads` and the cells have `visible_cell`, the visible cells of changed rows are configured
 *   again.
 * destroy: may be NULL; called exactly once with the `user_data` of all these functions: when the list is freed, or
 *   when this call fails; if it is freed inside a callback, after that.
 * Errors: FR_MISUSE, also without an entity; FR_INVALID_UTF8; FR_RANGE for a wrong struct_size, unknown flags,
 *   and a batch size that fr_request_set_batch_size would refuse. Since 0.1.
 */
fr_status fr_entity_list_new(fr_entity_list **out, const fr_entity *entity, const fr_view *view, const fr_cells *cells,
                             void *user_data, fr_destroy destroy);

/*
 * fr_entity_list_free: frees it, with its list, coordinator and data source. NULL does nothing. Inside one of its
 * callbacks it is allowed: nothing more is called. Since 0.1.
 */
void fr_entity_list_free(fr_entity_list *list);

/*
 * fr_entity_list_set_store: takes a store, fetches from it, and has the view reload; NULL to show nothing. Inside a
 * callback of its view it ends the batch under way: the reload comes in its place.
 * store: must outlive the list's use. Errors: FR_MISUSE, those of fr_controller_new and fr_list_perform_fetch,
 * and those of the functions that replace defaults: the list then shows what it showed. Since 0.1.
 */
fr_status fr_entity_list_set_store(fr_entity_list *list, fr_store *store);

/*
 * fr_entity_list_list: what it shows. out: borrowed until the list takes another store or is freed; not to be freed.
 * Errors: FR_MISUSE; FR_NOT_FOUND without a store. Since 0.1.
 */
fr_status fr_entity_list_list(fr_list **out, fr_entity_list *list);

/*
 * fr_entity_list_store: the store that it took. out: borrowed, the handle that the program gave; NULL without one, and
 * once the store is closed. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_store(fr_store **out, fr_entity_list *list);

/*
 * fr_entity_list_coordinator: what keeps its view up to date, to be paused and loaded again; the same for all stores,
 * and the one that the view's functions are given. Without a store it answers FR_NOT_FETCHED.
 * out: borrowed until the list is freed; not to be freed. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_coordinator(fr_coordinator **out, fr_entity_list *list);

/*
 * fr_entity_list_data_source: what its view asks; the same for all stores.
 * out: borrowed until the list is freed; not to be freed. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_data_source(fr_data_source **out, fr_entity_list *list);

/*
 * fr_entity_list_add_item: inserts a row into the entity, with its own defaults where no value is given.
 * out: NULL, or receives the object, to be given back with fr_object_unref. columns, values: `count` of each; may be 0.
 * Errors: FR_MISUSE, also without a store; those of fr_store_insert. Since 0.1.
 */
fr_status fr_entity_list_add_item(fr_object **out, fr_entity_list *list, const char *const *columns,
                                  const fr_value *values, size_t count);

/*
 * fr_entity_list_delete_item: deletes the row at a path. Errors: FR_MISUSE, also without a store; FR_RANGE; those of
 * fr_list_object_at and fr_store_delete. Since 0.1.
 */
fr_status fr_entity_list_delete_item(fr_entity_list *list, fr_index_path path);

FR_END_DECLS

#endif
