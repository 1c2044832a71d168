/*
 * Entity lists: the request, list, coordinator and data source of an entity, made from its name and
 * an order.
 */
#ifndef FETCHEDRESULTS_ENTITY_LIST_H
#define FETCHEDRESULTS_ENTITY_LIST_H

#include <stdbool.h>

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
 * The list of an entity, with its request, controller, coordinator and data source. It also adds
 * and deletes items. The program names the entity and the order, and provides its view and cells.
 * It may replace any other part. An entity list has one owner, which frees it with
 * fr_entity_list_free.
 */
typedef struct fr_entity_list fr_entity_list;

/*
 * The settings of an entity list. Set `struct_size` to sizeof(fr_entity) and zero the rest before
 * setting anything. Only `entity` is required.
 *
 * If a function returns a status other than FR_OK, the call that needed it fails with that status.
 * The functions may do whatever an observer may. They may also free the entity list and set its
 * store. A store that is set while a list is being made is replaced by the new list's store.
 */
typedef struct fr_entity {
    size_t struct_size;
    const char *entity; /* a table or view, optionally with its database */
    const fr_sort *sorts;
    size_t sort_count;
    int64_t batch_size;           /* how many rows are read together; 0 for 20 */
    const char *reuse_identifier; /* of all cells for which fr_cells has none; NULL for "managedObjectCell" */
    uint32_t view_flags;          /* FR_VIEW_... */
    int32_t reserved;
    /* Changes the request before a list is made of it: a predicate, sections, columns. */
    fr_status (*prepare_request)(fr_request *request, void *user_data);
    /* Makes the list, for example a section map or a collection. The entity list owns it. */
    fr_status (*make_list)(fr_list **out, fr_store *store, fr_request *request, void *user_data);
    /*
     * Adds an item, with the arguments of fr_entity_list_add_item, whose caller owns the object. If
     * it sends the row elsewhere, for example to a server, it leaves `*out` NULL.
     */
    fr_status (*add_item)(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data);
    /*
     * Deletes an item. If it sends the deletion elsewhere, it marks the item with
     * fr_entity_list_set_pending.
     */
    fr_status (*delete_item)(fr_store *store, fr_object *item, void *user_data);
} fr_entity;

/*
 * fr_entity_list_new: makes an entity list, which has no store and shows nothing.
 *
 * If the view has neither `update_cell` nor `reload_rows` and the cells have `visible_cell`, the
 * visible cells of changed rows are configured again.
 *
 * out: receives the list.
 * entity, view, cells: copied; view and cells may be NULL.
 * destroy: may be NULL; called exactly once with the `user_data` of all these functions: when the
 *   list is freed, or when this call fails. If the list is freed inside a callback, `destroy` is
 *   called after the callback.
 * Errors: FR_MISUSE, also without an entity; FR_INVALID_UTF8; FR_RANGE for a wrong struct_size,
 *   unknown flags, and a batch size that fr_request_set_batch_size would refuse. Since 0.1.
 */
fr_status fr_entity_list_new(fr_entity_list **out, const fr_entity *entity, const fr_view *view, const fr_cells *cells,
                             void *user_data, fr_destroy destroy);

/*
 * fr_entity_list_free: frees the entity list, with its list, coordinator and data source.
 *
 * NULL does nothing. The call is allowed inside one of the list's callbacks; nothing more is called
 * then. Since 0.1.
 */
void fr_entity_list_free(fr_entity_list *list);

/*
 * fr_entity_list_set_store: sets the store, fetches from it, and reloads the view.
 *
 * Inside a callback of the list's view, the call ends the batch under way: the reload replaces the
 * rest.
 *
 * store: must stay open as long as the list is used; NULL to show nothing.
 * Errors: FR_MISUSE; any error of fr_controller_new and fr_list_perform_fetch; any status that your
 *   callbacks return. After a failure the list shows what it showed before. Since 0.1.
 */
fr_status fr_entity_list_set_store(fr_entity_list *list, fr_store *store);

/*
 * fr_entity_list_list: the list that the entity list shows.
 *
 * out: borrowed until another store is set or the entity list is freed; do not free it.
 * Errors: FR_MISUSE; FR_NOT_FOUND without a store. Since 0.1.
 */
fr_status fr_entity_list_list(fr_list **out, fr_entity_list *list);

/*
 * fr_entity_list_store: the store that was set.
 *
 * out: borrowed, the handle that the program set; NULL without one, and once the store is closed.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_store(fr_store **out, fr_entity_list *list);

/*
 * fr_entity_list_coordinator: the coordinator of its view, for pausing and reloading the view.
 *
 * It is the same for all stores, and the view's functions receive it. Without a store, all calls on
 * it return FR_NOT_FETCHED.
 *
 * out: borrowed until the list is freed; do not free it.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_coordinator(fr_coordinator **out, fr_entity_list *list);

/*
 * fr_entity_list_data_source: the data source of its view; the same for all stores.
 *
 * out: borrowed until the list is freed; do not free it.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_entity_list_data_source(fr_data_source **out, fr_entity_list *list);

/*
 * fr_entity_list_add_item: inserts a row into the entity.
 *
 * Columns without a given value get the entity's defaults.
 *
 * out: NULL, or receives the object, to be released with fr_object_unref; NULL if `add_item` sent
 *   the row elsewhere.
 * columns, values: `count` of each; may be 0.
 * Errors: FR_MISUSE, also without a store; any error of fr_store_insert. Since 0.1.
 */
fr_status fr_entity_list_add_item(fr_object **out, fr_entity_list *list, const char *const *columns,
                                  const fr_value *values, size_t count);

/*
 * fr_entity_list_delete_item: deletes the row at a path.
 *
 * Errors: FR_MISUSE, also without a store; FR_RANGE; any error of fr_list_object_at and
 *   fr_store_delete. Since 0.1.
 */
fr_status fr_entity_list_delete_item(fr_entity_list *list, fr_index_path path);

/*
 * fr_entity_list_set_pending: marks a row for which the program has sent an edit elsewhere, or ends
 * that, because the edit was refused.
 *
 * The mark also ends when the row has other values or leaves the list, which is what the edit leads
 * to when it comes back, and when another store is set. A row that the list does not have is not
 * marked. The view is not notified: draw the row's cell again.
 *
 * object: the row; only its entity and identity count.
 * Errors: FR_MISUSE, also for a mark without a store; FR_TYPE if the object is of another entity
 *   than the list; any error of fr_list_object_at. O(m + log n) for m marked rows. Since 0.1.
 */
fr_status fr_entity_list_set_pending(fr_entity_list *list, fr_object *object, bool is_pending);

/*
 * fr_entity_list_is_pending: whether a row is marked.
 *
 * object: the row as the list shows it, as a cell receives it.
 * Errors: FR_MISUSE. O(m) for m marked rows. Since 0.1.
 */
fr_status fr_entity_list_is_pending(bool *out, fr_entity_list *list, fr_object *object);

FR_END_DECLS

#endif
