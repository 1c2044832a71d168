/*
 * Section maps: controllers whose sections are rows of their own, or keys that the program gives.
 */
#ifndef FETCHEDRESULTS_SECTION_MAP_H
#define FETCHEDRESULTS_SECTION_MAP_H

#include <stdbool.h>

#include "base.h"
#include "controller.h"
#include "object.h"
#include "request.h"
#include "store.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * A section map is an fr_list: all functions of list.h and controller.h take it, and it is freed
 * like any list. Its sections do not come from the values of its items: they are the rows of a
 * second request, or a list of keys. They have the order of that request or list, whatever their
 * names, and exist with or without items.
 *
 * Each item belongs to the section whose key equals the value of a key path of the item. Keys
 * compare by value (1 equals 1.0, but not '1'). Texts compare under the collation of the section's
 * column; keys from a list compare byte by byte. Two sections with one key are an error
 * (FR_CONSTRAINT). A section's name is its key as text, and its value is the key itself.
 *
 * A section represents its row. It is inserted, deleted and moved with its row, and updated when a
 * shown column of the row changes. Changes of its items never update it. When its key changes, its
 * items are matched again. A moved section causes no records of its rows, and moving a section
 * costs the same whatever its size.
 */

/* How sections without items are shown. */
enum { FR_EMPTY_SECTIONS_SHOWN = 0, FR_EMPTY_SECTIONS_HIDDEN = 1 };

/* How items are shown whose key is NULL, or the key of no section. */
enum {
    FR_ITEMS_WITHOUT_SECTION_SHOWN = 0,       /* in a last section, of NULL, that exists while it has any */
    FR_ITEMS_WITHOUT_SECTION_HIDDEN = 1,
    FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN = 2 /* the last section exists without any, too */
};

/*
 * Set `struct_size` to sizeof(fr_section_map_options) and all else to 0 before changing anything.
 */
typedef struct fr_section_map_options {
    size_t struct_size;
    /*
     * The column of a section's row that holds its key. NULL to derive it from the items' key path,
     * which must then be a foreign key to the sections ("list_id"), or end in one of their columns
     * ("list_id.name").
     */
    const char *section_key;
    /*
     * The column or key path of a section's row that provides index titles; NULL for the key. The
     * section's object shows it together with the columns of the section request.
     */
    const char *index_title;
    int32_t empty_sections;        /* FR_EMPTY_SECTIONS_... */
    int32_t items_without_section; /* FR_ITEMS_WITHOUT_SECTION_... */
} fr_section_map_options;

/*
 * fr_section_map_new: makes a section map of two requests, without fetching it.
 *
 * out: receives the map, to be freed with fr_list_free.
 * store: must stay open as long as the map is used. Both requests read from it.
 * items: copied; without a section, a limit or an offset of its own (FR_MISUSE).
 * sections: copied; a section of its own is ignored. A section's object shows the columns of this
 *   request, and those that the options name.
 * item_key: the key path from an item to the key of its section.
 * options: copied; NULL for the defaults.
 * Errors: any error of fr_controller_new; FR_MISUSE if `item_key` does not lead to the section's
 *   key; FR_RANGE for unknown options. Since 0.1.
 */
fr_status fr_section_map_new(fr_list **out, fr_store *store, fr_request *items, fr_request *sections,
                             const char *item_key, const fr_section_map_options *options);

/*
 * fr_section_map_new_with_keys: makes a section map of given keys, in their order.
 *
 * keys: `count` values, copied; none may be NULL (FR_MISUSE) or occur twice (FR_CONSTRAINT).
 *   Otherwise as fr_section_map_new; section_key and index_title of the options are ignored. Since
 *   0.1.
 */
fr_status fr_section_map_new_with_keys(fr_list **out, fr_store *store, fr_request *items, const fr_value *keys,
                                       size_t count, const char *item_key, const fr_section_map_options *options);

/*
 * fr_section_map_set_keys: sets other keys, or another order of them.
 *
 * A key that equals one of the earlier keys stands for the same section. If it is spelled
 * differently (1 and 1.0), the section is updated, with column 0 changed. If the map was fetched,
 * the difference is delivered as one change set before the call returns; inside a callback, after
 * the current round.
 *
 * Errors: FR_MISUSE, also if the sections are rows; FR_CONSTRAINT; FR_CLOSED. After a failure the
 *   map is unchanged. O(keys), and the cost of the items that change their section. Since 0.1.
 */
fr_status fr_section_map_set_keys(fr_list *map, const fr_value *keys, size_t count);

/*
 * fr_section_map_set_section_request: sets another request for the sections, of the same entity.
 *
 * The difference is delivered as by fr_section_map_set_keys.
 *
 * Errors: any error of fr_section_map_new; FR_MISUSE also if the sections are keys. After a failure
 *   the map is unchanged. Since 0.1.
 */
fr_status fr_section_map_set_section_request(fr_list *map, fr_request *sections);

/*
 * fr_section_map_set_empty_sections: shows or hides sections without items.
 *
 * The difference is delivered as by fr_section_map_set_keys.
 *
 * value: FR_EMPTY_SECTIONS_...
 * Errors: FR_MISUSE, FR_RANGE, any error of fr_list_perform_fetch. O(n). Since 0.1.
 */
fr_status fr_section_map_set_empty_sections(fr_list *map, int32_t value);

/*
 * fr_section_map_set_items_without_section: shows or hides items without a section.
 *
 * value: FR_ITEMS_WITHOUT_SECTION_... Otherwise as fr_section_map_set_empty_sections. Since 0.1.
 */
fr_status fr_section_map_set_items_without_section(fr_list *map, int32_t value);

/*
 * fr_section_map_section_request: a copy of the request for the sections.
 *
 * out: to be freed with fr_request_free.
 * Errors: FR_MISUSE; FR_NOT_FOUND if the sections are keys. Since 0.1.
 */
fr_status fr_section_map_section_request(fr_request **out, fr_list *map);

/*
 * fr_section_map_key_count: the number of keys.
 *
 * Errors: FR_MISUSE; FR_NOT_FOUND if the sections are rows. Since 0.1.
 */
fr_status fr_section_map_key_count(int64_t *out, fr_list *map);

/*
 * fr_section_map_key: key number `index`, from 0.
 *
 * out: its data is borrowed until the list next changes or the map is freed.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND if the sections are rows. Since 0.1.
 */
fr_status fr_section_map_key(fr_value *out, fr_list *map, int64_t index);

/* fr_section_map_empty_sections: FR_EMPTY_SECTIONS_... Errors: FR_MISUSE. Since 0.1. */
fr_status fr_section_map_empty_sections(int32_t *out, fr_list *map);

/*
 * fr_section_map_items_without_section: FR_ITEMS_WITHOUT_SECTION_...
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_section_map_items_without_section(int32_t *out, fr_list *map);

/*
 * fr_section_map_all_section_count: the number of all sections, with and without items, shown or
 * not.
 *
 * Errors: FR_MISUSE, FR_NOT_FETCHED, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_section_map_all_section_count(int64_t *out, fr_list *map);

/*
 * fr_section_map_all_section: describes a section, by its number among all sections.
 *
 * out: as in fr_list_section; its `index` is -1 if the list does not show it.
 * Errors: also FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_section_map_all_section(fr_section_info *out, fr_list *map, int64_t index);

/*
 * fr_section_map_all_section_object: the row of a section, by its number among all sections.
 *
 * Otherwise as fr_list_section_object. Since 0.1.
 */
fr_status fr_section_map_all_section_object(fr_object **out, fr_list *map, int64_t index);

/*
 * fr_section_map_sections: the sections that have items.
 *
 * out: receives an array of their numbers among all sections, ascending, borrowed until the list
 *   next changes or the map is freed. fr_section_map_all_section and
 *   fr_section_map_all_section_object take the numbers.
 * count: receives how many there are.
 * Errors: FR_MISUSE, FR_NOT_FETCHED, FR_CLOSED. O(sections). Since 0.1.
 */
fr_status fr_section_map_sections(const int64_t **out, size_t *count, fr_list *map);

/*
 * fr_section_map_set_disabled: disables or enables a map.
 *
 * While it is disabled, changes are held back, and the map stays in its state. When it is enabled
 * again, it is read from scratch, and its observers receive a reload, even if nothing changed.
 *
 * Pausing a map (fr_controller_pause) is independent of disabling it: changes are delivered when
 * the map is neither paused nor disabled. fr_controller_resume describes when they are delivered,
 * and what happens if the list can't be read then.
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_section_map_set_disabled(fr_list *map, bool disabled);

/*
 * fr_section_map_is_disabled: whether fr_section_map_set_disabled holds changes back.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_section_map_is_disabled(bool *out, fr_list *map);

FR_END_DECLS

#endif
