/* Collections: several lists shown as one. */
#ifndef FETCHEDRESULTS_COLLECTION_H
#define FETCHEDRESULTS_COLLECTION_H

#include "base.h"
#include "controller.h"
#include "request.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * A collection shows several lists as one: controllers, section maps and other collections, of one store or several,
 * and placeholders. It is an fr_list: the functions of list.h that read, fetch and observe work on it, and
 * it is freed like one. Those that need a request of its own (fr_controller_set_request, fr_controller_request,
 * fr_controller_set_row_cache_size, fr_controller_set_row_cache_bytes, fr_controller_counters,
 * fr_controller_set_index_title_function, fr_controller_pause and fr_controller_resume) answer FR_MISUSE; use the
 * children.
 *
 * The sections of all children are numbered one after another, as if there were no children. A flat child is one
 * section, also when it is empty; a sectioned one that is empty is no section, or one if it was given a placeholder for
 * that. What a commit changes in several children is one bracket. Index titles are the children's, one after another: a
 * title of two children is there twice, and its number decides between them.
 *
 * When the store of a child is closed, the collection goes on counting what the child showed; reading that answers
 * FR_CLOSED.
 *
 * Collections can be nested 100 levels deep.
 *
 * A child lives on in its collection when its handle is freed; it is then no longer told to its own observers. The same
 * list can be in several collections, but only once in each. Fetching a child by itself has its collections told to
 * reload.
 *
 * All functions below answer FR_MISUSE for a list that is no collection. Children come and go at any time; of a fetched
 * collection that is delivered as one bracket before the call returns, inside a callback after the current round.
 * Errors leave the collection as it was.
 */

/* A section without objects: for itself, or in the place of a list that has no sections. One owner. */
typedef struct fr_placeholder fr_placeholder;

/*
 * fr_placeholder_new: a placeholder. name, index_title: copied; may be NULL.
 * out: to be freed with fr_placeholder_free. Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_placeholder_new(fr_placeholder **out, const char *name, const char *index_title);

/* fr_placeholder_free: gives it up; a collection that shows it goes on showing it. NULL does nothing. Since 0.1. */
void fr_placeholder_free(fr_placeholder *placeholder);

/*
 * fr_placeholder_set_name: another name, or NULL for none. While a fetched collection shows it, that is delivered as an
 * update of the section with column 0 changed. Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_placeholder_set_name(fr_placeholder *placeholder, const char *name);

/* fr_placeholder_set_index_title: the same for the index title, with column 1 changed. Since 0.1. */
fr_status fr_placeholder_set_index_title(fr_placeholder *placeholder, const char *index_title);

/*
 * fr_placeholder_name: its name. out: NULL for none; borrowed until the placeholder gets another name or title, or is
 * freed.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_placeholder_name(const char **out, fr_placeholder *placeholder);

/* fr_placeholder_index_title: the same for the index title. Since 0.1. */
fr_status fr_placeholder_index_title(const char **out, fr_placeholder *placeholder);

/*
 * fr_collection_new: a collection without children. out: to be freed with fr_list_free. Errors: FR_MISUSE. Since
 * 0.1.
 */
fr_status fr_collection_new(fr_list **out);

/*
 * fr_collection_new_with_requests: a collection of a controller for each of `count` requests, in their order.
 * Errors: those of fr_controller_new. Since 0.1.
 */
fr_status fr_collection_new_with_requests(fr_list **out, fr_store *store, fr_request *const *requests, size_t count);

/*
 * fr_collection_insert: puts a list at place `index`; -1 appends it. One that was not fetched is fetched if the
 * collection is. empty: what is shown while the list has no sections; NULL to show nothing then.
 * Errors: FR_MISUSE if the list is in the collection already, is the collection or has it inside, or if the placeholder
 *   is in use; FR_RANGE, also if more than 100 collections were inside one another; FR_CLOSED if its store was closed;
 *   those of fr_list_perform_fetch. O(log children), and the list's rows to be reported. Since 0.1.
 */
fr_status fr_collection_insert(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);

/* fr_collection_insert_placeholder: puts a section without objects at place `index`; -1 appends it. Since 0.1. */
fr_status fr_collection_insert_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);

/*
 * fr_collection_replace: puts a list into the place of child `index`, which leaves. Else as fr_collection_insert. Since
 * 0.1.
 */
fr_status fr_collection_replace(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);

/*
 * fr_collection_replace_with_placeholder: puts a placeholder into the place of child `index`, which leaves. Since 0.1.
 */
fr_status fr_collection_replace_with_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);

/* fr_collection_remove: takes child `index` out; it reports no more to the collection. Errors: FR_RANGE. Since 0.1. */
fr_status fr_collection_remove(fr_list *collection, int64_t index);

/* fr_collection_child_count: the number of children, placeholders among them. Since 0.1. */
fr_status fr_collection_child_count(int64_t *out, fr_list *collection);

/*
 * fr_collection_child: child `index`: also one that fr_collection_new_with_requests made, whose request, store and
 * observers are then those of any list.
 *
 * out: borrowed, the handle under which the program knows the list. If there is none, as it was made by the collection
 *   or its handle was freed, it is a handle that belongs to the collection: not to be freed, and valid until the child
 *   leaves it or the collection is freed. NULL for a placeholder. Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_collection_child(fr_list **out, fr_list *collection, int64_t index);

/*
 * fr_collection_placeholder: the placeholder that is child `index`, or that is shown while that list has no sections.
 * out: borrowed, the handle that the program made; NULL if there is no placeholder, or if its handle was freed.
 * Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_collection_placeholder(fr_placeholder **out, fr_list *collection, int64_t index);

/* fr_collection_index_of: the place of a list. Errors: FR_NOT_FOUND if it is no child. O(children). Since 0.1. */
fr_status fr_collection_index_of(int64_t *out, fr_list *collection, fr_list *child);

/* fr_collection_index_of_placeholder: the place of a placeholder. Errors: FR_NOT_FOUND. O(children). Since 0.1. */
fr_status fr_collection_index_of_placeholder(int64_t *out, fr_list *collection, fr_placeholder *placeholder);

/*
 * fr_collection_child_of_section: the place of the child that shows section `section`. Errors: FR_RANGE,
 * FR_NOT_FETCHED; FR_NOT_FOUND for a child that was removed inside a callback and is still shown. O(log children).
 * Since 0.1.
 */
fr_status fr_collection_child_of_section(int64_t *out, fr_list *collection, int64_t section);

FR_END_DECLS

#endif
