/* Data sources: what tables, grids and pickers ask about a list, and cells that configure themselves. */
#ifndef FETCHEDRESULTS_DATA_SOURCE_H
#define FETCHEDRESULTS_DATA_SOURCE_H

#include <stdbool.h>

#include "base.h"
#include "changes.h"
#include "controller.h"
#include "object.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * What a view asks: how many sections and rows there are, the cell of a row, headers, an index at the side,
 * supplementary views. It reads the list anew each time, so it goes with a coordinator that tells the view when to ask.
 * One owner, who frees it with fr_data_source_free.
 *
 * A list that is not fetched, was freed, or whose store was closed, has one section without rows.
 */
typedef struct fr_data_source fr_data_source;

/*
 * The program's part: where cells come from, and what they show. Cells and supplementary views are the program's own
 * pointers, which the library passes on and never follows. Set `struct_size` to sizeof(fr_cells); members may be NULL.
 * Strings and objects passed to these functions are borrowed during the call. They may do whatever an observer may, and
 * free the data source: nothing more of it is called then. An object is as it was when the cell was asked for: what a
 * function writes reaches the view as a batch of its own, and the cell by that.
 */
typedef struct fr_cells {
    size_t struct_size;
    /*
     * Which kind of cell an object wants, UTF-8, copied at once; NULL, or without this function: "managedObjectCell".
     */
    const char *(*reuse_identifier)(fr_object *object, fr_index_path path, void *user_data);
    /* A cell of a kind, used before or new. NULL is passed on, and not configured; so it is without this function. */
    void *(*dequeue)(const char *identifier, fr_index_path path, void *user_data);
    /* The cell that shows a row now; NULL if it is out of sight, or without this function. */
    void *(*visible_cell)(fr_index_path path, void *user_data);
    /*
     * Has a cell show an object, which is NULL in the blank row of a picker. Without this function, a cell that is an
     * fr_cell is given the object, and any other is left alone.
     */
    void (*configure)(void *cell, fr_object *object, fr_index_path path, void *user_data);
    /*
     * The same for supplementary views, of kinds that the program names. Without an identifier it is the kind. NULL is
     * passed on here as well.
     */
    const char *(*supplementary_identifier)(const char *kind, fr_index_path path, void *user_data);
    void *(*dequeue_supplementary)(const char *kind, const char *identifier, fr_index_path path, void *user_data);
    void (*configure_supplementary)(void *view, const char *kind, fr_index_path path, void *user_data);
} fr_cells;

/*
 * fr_data_source_new: a data source for a list: a controller, section map or collection.
 *
 * out: receives the data source. cells: copied; NULL for none of the functions.
 * destroy: may be NULL; called exactly once with `user_data`: when the data source is freed, or when this call fails;
 *   if it is freed inside a callback, after that.
 * Errors: FR_MISUSE; FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_data_source_new(fr_data_source **out, fr_list *list, const fr_cells *cells, void *user_data,
                             fr_destroy destroy);

/*
 * fr_data_source_new_array: the same over `count` objects in fixed order, as one section without a name. The objects
 * are kept. Errors: also FR_MISUSE for what is no object, FR_RANGE for more than 2^20 of them. Since 0.1.
 */
fr_status fr_data_source_new_array(fr_data_source **out, fr_object *const *objects, size_t count, const fr_cells *cells,
                                   void *user_data, fr_destroy destroy);

/*
 * fr_data_source_new_picker: the same over all objects of a list as one section, whatever their sections.
 * blank_row: whether there is a first row that stands for no object. Since 0.1.
 */
fr_status fr_data_source_new_picker(fr_data_source **out, fr_list *list, bool blank_row, const fr_cells *cells,
                                    void *user_data, fr_destroy destroy);

/* fr_data_source_free: frees it. NULL does nothing. Since 0.1. */
void fr_data_source_free(fr_data_source *source);

/* fr_data_source_section_count: the number of sections. Errors: FR_MISUSE. O(1). Since 0.1. */
fr_status fr_data_source_section_count(int64_t *out, fr_data_source *source);

/* fr_data_source_row_count: the number of rows of a section. Errors: FR_MISUSE, FR_RANGE. O(log n). Since 0.1. */
fr_status fr_data_source_row_count(int64_t *out, fr_data_source *source, int64_t section);

/*
 * fr_data_source_object_at: the object of a row.
 * out: to be given back with fr_object_unref. Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for the blank row of a picker;
 * else as fr_list_object_at. Since 0.1.
 */
fr_status fr_data_source_object_at(fr_object **out, fr_data_source *source, fr_index_path path);

/*
 * fr_data_source_index_path_of: where an object is. object: NULL for the blank row of a picker.
 * Errors: FR_MISUSE; FR_NOT_FOUND; FR_TYPE if it is of another entity than the list. O(log n); O(n) for an array. Since
 *   0.1.
 */
fr_status fr_data_source_index_path_of(fr_index_path *out, fr_data_source *source, fr_object *object);

/*
 * fr_data_source_cell: a cell for a row: asks for the identifier of its object, takes a cell from the view, and has it
 * configured. out: receives what `dequeue` returned.
 * Errors: FR_MISUSE; otherwise as fr_list_object_at. Since 0.1.
 */
fr_status fr_data_source_cell(void **out, fr_data_source *source, fr_index_path path);

/*
 * fr_data_source_update_visible_cell: has the cell of a row configured again if it is in sight, and does nothing
 * otherwise: what the update_cell of an fr_view has to do so that changed rows are not reloaded. object: as update_cell
 *   got it.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_data_source_update_visible_cell(fr_data_source *source, fr_index_path path, fr_object *object);

/*
 * fr_data_source_supplementary: a supplementary view of a kind that the program names, taken from the view and
 * configured.
 * path: passed on. out: receives what `dequeue_supplementary` returned. Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_data_source_supplementary(void **out, fr_data_source *source, const char *kind, fr_index_path path);

/* fr_data_source_set_system_headers: whether sections have their names as headers; false unless set. Since 0.1. */
fr_status fr_data_source_set_system_headers(fr_data_source *source, bool system_headers);

/*
 * fr_data_source_set_default_section_title: the header of sections without one of their own: all of them without system
 * headers, otherwise those without a name. title: copied; NULL for none, as it is unless set.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_data_source_set_default_section_title(fr_data_source *source, const char *title);

/* fr_data_source_set_table_index: whether there is an index of the sections; false unless set. Since 0.1. */
fr_status fr_data_source_set_table_index(fr_data_source *source, bool table_index);

/*
 * fr_data_source_section_title: the header of a section.
 * out: NULL for none; borrowed until the list next changes or the data source is freed. Errors: FR_MISUSE, FR_RANGE.
 * Since 0.1.
 */
fr_status fr_data_source_section_title(const char **out, fr_data_source *source, int64_t section);

/*
 * fr_data_source_index_title_count: the number of titles in the index at the side: the list's section index titles; 0
 * without such an index. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_data_source_index_title_count(int64_t *out, fr_data_source *source);

/*
 * fr_data_source_index_title: title number `index` in the index at the side.
 * out: borrowed until the list next changes or the data source is freed. Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_data_source_index_title(const char **out, fr_data_source *source, int64_t index);

/*
 * fr_data_source_section_for_index_title: the section that a title at the side leads to. title, index: as
 * fr_data_source_index_title gave them. Errors: FR_MISUSE, FR_INVALID_UTF8; FR_NOT_FOUND if there is none. Since 0.1.
 */
fr_status fr_data_source_section_for_index_title(int64_t *out, fr_data_source *source, const char *title,
                                                 int64_t index);

/*
 * fr_data_source_selected_objects: the objects at the paths that are selected in a view. Those that are not there any
 * more, and the blank row of a picker, are left out.
 *
 * out: an array for `count` objects; each that is written is to be given back with fr_object_unref. out_count: receives
 *   how many were. Both may be NULL if `count` is 0. Errors: FR_MISUSE; FR_RANGE for a count above 2^20. Since 0.1.
 */
fr_status fr_data_source_selected_objects(fr_object **out, size_t *out_count, fr_data_source *source,
                                          const fr_index_path *paths, size_t count);

/*
 * fr_data_source_select_objects: the paths to select in a view for `count` objects to be selected.
 *
 * out: an array for `count` paths, one for each object in turn; {-1, -1} for one that is not there: deleted, of another
 *   entity, or of a list that can't be read. unknown: receives how many are not there; may be NULL.
 * Errors: FR_MISUSE, also for what is no object; FR_RANGE as above. Since 0.1.
 */
fr_status fr_data_source_select_objects(fr_index_path *out, size_t *unknown, fr_data_source *source,
                                        fr_object *const *objects, size_t count);

/*
 * A cell that configures itself when it is given its object: it knows the columns to show, and has their values and
 * texts. It draws nothing; a program that draws does so when `changed` tells it to. One owner, who frees it with
 * fr_cell_free.
 */
typedef struct fr_cell fr_cell;

/* Told that the cell was given another object. */
typedef void (*fr_cell_changed)(fr_cell *cell, void *user_data);

/*
 * fr_cell_new: a cell that shows `count` columns, in their order, and has no object.
 *
 * columns: names of columns or key paths, as the request wrote them; copied. changed: may be NULL.
 * destroy: may be NULL; called exactly once with `user_data`, when the cell is freed or when this call fails.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_RANGE. Since 0.1.
 */
fr_status fr_cell_new(fr_cell **out, const char *const *columns, size_t count, fr_cell_changed changed, void *user_data,
                      fr_destroy destroy);

/* fr_cell_free: frees it. NULL does nothing. Since 0.1. */
void fr_cell_free(fr_cell *cell);

/* fr_cell_set_object: gives the cell an object, which it keeps; NULL for none. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_cell_set_object(fr_cell *cell, fr_object *object);

/*
 * fr_cell_object: the cell's object. out: to be given back with fr_object_unref. Errors: FR_MISUSE; FR_NOT_FOUND
 * without one. Since 0.1.
 */
fr_status fr_cell_object(fr_object **out, fr_cell *cell);

/* fr_cell_column_count: how many columns the cell shows. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_cell_column_count(int64_t *out, fr_cell *cell);

/*
 * fr_cell_value: the value of the cell's column `index`.
 * out: its data is borrowed until the cell is given another object or is freed.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND without an object; FR_SCHEMA if the object does not show the column;
 * FR_GONE if its values are not known. Since 0.1.
 */
fr_status fr_cell_value(fr_value *out, fr_cell *cell, int64_t index);

/*
 * fr_cell_text: the value of the cell's column `index` as text, as SQLite casts it; "" for NULL, and where
 * fr_cell_value has no value. out: borrowed as there. Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_cell_text(const char **out, fr_cell *cell, int64_t index);

FR_END_DECLS

#endif
