/* Collections: several lists shown as one. */
#ifndef FETCHEDRESULTS_COLLECTION_H
#define FETCHEDRESULTS_COLLECTION_H

#include <stdbool.h>

#include "base.h"
#include "controller.h"
#include "request.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * A collection shows several lists as one. Its children are controllers, section maps and other
 * collections, of one store or several, and placeholders. It is an fr_list: the functions of list.h
 * that read, fetch and observe take it, and it is freed like any list. The functions that need a
 * request (fr_controller_set_request, fr_controller_request, fr_controller_set_row_cache_size,
 * fr_controller_set_row_cache_bytes, fr_controller_counters,
 * fr_controller_set_index_title_function, fr_controller_pause and fr_controller_resume) return
 * FR_MISUSE; call them with the children.
 *
 * The sections of all children are numbered consecutively. A flat child is one section, even when
 * it is empty. A sectioned child that is empty has no section, or one if it was inserted with a
 * placeholder or if fr_collection_set_shows_empty_lists was set. The changes of one commit in
 * several children are one bracket. The index titles are those of the children, one child after
 * another: a title that two children have occurs twice, and its number distinguishes the two.
 *
 * When the store of a child is closed, the collection still counts what the child showed; reading
 * that returns FR_CLOSED.
 *
 * Collections can be nested 100 levels deep, and show lists of up to 100 stores: fetching one of
 * more is FR_RANGE.
 *
 * When the handle of a child is freed, the collection still shows the child, but the child's own
 * observers are not notified any more. The same list can be in several collections, but only once
 * in each. When a child is fetched by itself, its collections deliver a reload.
 *
 * All functions below return FR_MISUSE for a list that is not a collection. Children can be
 * inserted and removed at any time. If the collection was fetched, the difference is delivered as
 * one bracket before the call returns; inside a callback, after the current round. After an error
 * the collection is unchanged.
 */

/*
 * A section without objects: a child by itself, or the substitute for a list that has no sections.
 * It has one owner, which frees it with fr_placeholder_free.
 */
typedef struct fr_placeholder fr_placeholder;

/*
 * fr_placeholder_new: makes a placeholder.
 *
 * out: to be freed with fr_placeholder_free.
 * name, index_title: copied; may be NULL.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_placeholder_new(fr_placeholder **out, const char *name, const char *index_title);

/*
 * fr_placeholder_free: frees the handle; a collection still shows the placeholder.
 *
 * NULL does nothing. Since 0.1.
 */
void fr_placeholder_free(fr_placeholder *placeholder);

/*
 * fr_placeholder_set_name: sets the name; NULL for none.
 *
 * If a fetched collection shows the placeholder, the change is delivered as an update of the
 * section with column 0 changed.
 *
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_placeholder_set_name(fr_placeholder *placeholder, const char *name);

/*
 * fr_placeholder_set_index_title: sets the index title, as fr_placeholder_set_name does the name,
 * with column 1 changed. Since 0.1.
 */
fr_status fr_placeholder_set_index_title(fr_placeholder *placeholder, const char *index_title);

/*
 * fr_placeholder_name: the name of a placeholder.
 *
 * out: NULL for none; borrowed until the placeholder gets another name or title, or is freed.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_placeholder_name(const char **out, fr_placeholder *placeholder);

/*
 * fr_placeholder_index_title: the index title of a placeholder; otherwise as fr_placeholder_name.
 * Since 0.1.
 */
fr_status fr_placeholder_index_title(const char **out, fr_placeholder *placeholder);

/*
 * fr_collection_new: makes a collection without children.
 *
 * out: to be freed with fr_list_free.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_collection_new(fr_list **out);

/*
 * fr_collection_new_with_requests: makes a collection of one controller for each of `count`
 * requests, in their order.
 *
 * Errors: any error of fr_controller_new. Since 0.1.
 */
fr_status fr_collection_new_with_requests(fr_list **out, fr_store *store, fr_request *const *requests, size_t count);

/*
 * fr_collection_insert: inserts a list at place `index`; -1 appends it.
 *
 * If the collection was fetched and the list was not, the list is fetched.
 *
 * empty: the placeholder that is shown while the list has no sections; NULL to show nothing then,
 *   or an empty section if fr_collection_set_shows_empty_lists was set.
 * Errors: FR_MISUSE if the list is already in the collection, is the collection or contains it, or
 *   if the placeholder is in use; FR_RANGE, also for collections nested more than 100 levels deep;
 *   FR_CLOSED if the list's store was closed; any error of fr_list_perform_fetch. O(log children),
 *   and the list's rows that are reported. Since 0.1.
 */
fr_status fr_collection_insert(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);

/*
 * fr_collection_insert_placeholder: inserts a placeholder at place `index`; -1 appends it. Since
 * 0.1.
 */
fr_status fr_collection_insert_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);

/*
 * fr_collection_replace: removes child `index`, and inserts a list in its place.
 *
 * Otherwise as fr_collection_insert. Since 0.1.
 */
fr_status fr_collection_replace(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);

/*
 * fr_collection_replace_child: removes child `old`, and inserts a list in its place.
 *
 * `child` can be `old` itself, to show another placeholder while it has no sections.
 *
 * Errors: also FR_NOT_FOUND if `old` is not a child. Otherwise as fr_collection_insert. Since 0.1.
 */
fr_status fr_collection_replace_child(fr_list *collection, fr_list *old, fr_list *child, fr_placeholder *empty);

/*
 * fr_collection_replace_with_placeholder: removes child `index`, and inserts a placeholder in its
 * place. Since 0.1.
 */
fr_status fr_collection_replace_with_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);

/*
 * fr_collection_remove: removes child `index`.
 *
 * The collection stops observing it.
 *
 * Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_collection_remove(fr_list *collection, int64_t index);

/*
 * fr_collection_set_shows_empty_lists: shows or hides lists without sections.
 *
 * If it is set, each list that has no sections and was inserted without a placeholder is shown as
 * one empty section, without a name. It is not set in a new collection. A flat list is one section
 * in any case. If the collection was fetched, the difference is delivered as one bracket.
 *
 * Errors: FR_MISUSE. O(children). Since 0.1.
 */
fr_status fr_collection_set_shows_empty_lists(fr_list *collection, bool shows_empty_lists);

/* fr_collection_shows_empty_lists: whether that is set. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_collection_shows_empty_lists(bool *out, fr_list *collection);

/* fr_collection_child_count: the number of children, including placeholders. Since 0.1. */
fr_status fr_collection_child_count(int64_t *out, fr_list *collection);

/*
 * fr_collection_child: child `index`.
 *
 * For a child that fr_collection_new_with_requests made, the handle gives access to its request,
 * store and observers.
 *
 * out: borrowed; the handle that the program made. If there is none, because the collection made
 *   the child or the handle was freed, it is a handle that belongs to the collection: do not free
 *   it. It is valid until the child is removed from the collection or the collection is freed. NULL
 *   for a placeholder.
 * Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_collection_child(fr_list **out, fr_list *collection, int64_t index);

/*
 * fr_collection_placeholder: the placeholder that is child `index`, or that is shown while that
 * list has no sections.
 *
 * out: borrowed, the handle that the program made; NULL if there is no placeholder, or if its
 *   handle was freed.
 * Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_collection_placeholder(fr_placeholder **out, fr_list *collection, int64_t index);

/*
 * fr_collection_index_of: the place of a list.
 *
 * Errors: FR_NOT_FOUND if it is not a child. O(log children). Since 0.1.
 */
fr_status fr_collection_index_of(int64_t *out, fr_list *collection, fr_list *child);

/*
 * fr_collection_index_of_placeholder: the place of a placeholder.
 *
 * Errors: FR_NOT_FOUND. O(log children). Since 0.1.
 */
fr_status fr_collection_index_of_placeholder(int64_t *out, fr_list *collection, fr_placeholder *placeholder);

/*
 * fr_collection_child_of_section: the place of the child that shows section `section`.
 *
 * Errors: FR_RANGE, FR_NOT_FETCHED; FR_NOT_FOUND for a child that was removed inside a callback and
 *   is still shown. O(log children). Since 0.1.
 */
fr_status fr_collection_child_of_section(int64_t *out, fr_list *collection, int64_t section);

FR_END_DECLS

#endif
