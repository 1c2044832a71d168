/*
 * Data sources: what tables, grids and pickers ask about a list, and cells that configure
 * themselves.
 */
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
 * A data source answers what a view asks: the number of sections and rows, the cell of a row,
 * headers, an index at the side, supplementary views. It reads the list on each call and does not
 * notify the view of changes; a coordinator does that. It has one owner, which frees it with
 * fr_data_source_free.
 *
 * A list that is not fetched, that was freed, or whose store was closed has one section without
 * rows.
 */
typedef struct fr_data_source fr_data_source;

/*
 * The program's part, which provides cells and fills them. Cells and supplementary views are the
 * program's own pointers; the library passes them on and never follows them. Set `struct_size` to
 * sizeof(fr_cells); members may be NULL.
 *
 * Strings and objects passed to these functions are borrowed during the call. The functions may do
 * whatever an observer may. They may also free the data source; none of its functions is called
 * after that. An object shows the state of the moment in which the cell was requested. If a
 * function writes, the view gets another batch, which also updates the cell.
 */
typedef struct fr_cells {
    size_t struct_size;
    /*
     * The reuse identifier of the cell for an object, in UTF-8; it is copied immediately. The
     * default, for NULL and without this function, is "managedObjectCell".
     */
    const char *(*reuse_identifier)(fr_object *object, fr_index_path path, void *user_data);
    /*
     * Provides a cell for an identifier, reused or new. If it returns NULL, or is NULL itself,
     * there is no cell to fill, and the data source returns NULL.
     */
    void *(*dequeue)(const char *identifier, fr_index_path path, void *user_data);
    /* The cell that shows a row now; NULL if the row is not visible, or without this function. */
    void *(*visible_cell)(fr_index_path path, void *user_data);
    /*
     * Fills a cell with an object, which is NULL in the blank row of a picker. Without this
     * function, a cell that is an fr_cell receives the object, and any other cell is not changed.
     */
    void (*configure)(void *cell, fr_object *object, fr_index_path path, void *user_data);
    /*
     * The same for supplementary views, of kinds that the program names. Without an identifier, the
     * kind is the identifier. Here, too, NULL is passed on.
     */
    const char *(*supplementary_identifier)(const char *kind, fr_index_path path, void *user_data);
    void *(*dequeue_supplementary)(const char *kind, const char *identifier, fr_index_path path, void *user_data);
    void (*configure_supplementary)(void *view, const char *kind, fr_index_path path, void *user_data);
} fr_cells;

/*
 * fr_data_source_new: makes a data source for a list: a controller, section map or collection.
 *
 * out: receives the data source.
 * cells: copied; NULL for none of the functions.
 * destroy: may be NULL; called exactly once with `user_data`: when the data source is freed, or
 *   when this call fails. If the data source is freed inside a callback, `destroy` is called after
 *   the callback.
 * Errors: FR_MISUSE; FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_data_source_new(fr_data_source **out, fr_list *list, const fr_cells *cells, void *user_data,
                             fr_destroy destroy);

/*
 * fr_data_source_new_array: makes a data source of `count` objects in fixed order, as one section
 * without a name. Otherwise as fr_data_source_new.
 *
 * The data source retains the objects.
 *
 * Errors: also FR_MISUSE for what is not an object, FR_RANGE for more than 2^20 of them. Since 0.1.
 */
fr_status fr_data_source_new_array(fr_data_source **out, fr_object *const *objects, size_t count, const fr_cells *cells,
                                   void *user_data, fr_destroy destroy);

/*
 * fr_data_source_new_picker: makes a data source of all objects of a list as one section, whatever
 * their sections. Otherwise as fr_data_source_new.
 *
 * blank_row: whether there is a first row without an object. Since 0.1.
 */
fr_status fr_data_source_new_picker(fr_data_source **out, fr_list *list, bool blank_row, const fr_cells *cells,
                                    void *user_data, fr_destroy destroy);

/* fr_data_source_free: frees the data source. NULL does nothing. Since 0.1. */
void fr_data_source_free(fr_data_source *source);

/* fr_data_source_section_count: the number of sections. Errors: FR_MISUSE. O(1). Since 0.1. */
fr_status fr_data_source_section_count(int64_t *out, fr_data_source *source);

/*
 * fr_data_source_row_count: the number of rows of a section.
 *
 * Errors: FR_MISUSE, FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_data_source_row_count(int64_t *out, fr_data_source *source, int64_t section);

/*
 * fr_data_source_object_at: the object of a row.
 *
 * out: to be released with fr_object_unref.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for the blank row of a picker; else as
 *   fr_list_object_at. Since 0.1.
 */
fr_status fr_data_source_object_at(fr_object **out, fr_data_source *source, fr_index_path path);

/*
 * fr_data_source_index_path_of: the index path of an object.
 *
 * object: NULL for the blank row of a picker.
 * Errors: FR_MISUSE; FR_NOT_FOUND; FR_TYPE if it is of another entity than the list. O(log n); O(n)
 *   for an array. Since 0.1.
 */
fr_status fr_data_source_index_path_of(fr_index_path *out, fr_data_source *source, fr_object *object);

/*
 * fr_data_source_cell: a cell for a row.
 *
 * It calls `reuse_identifier` with the row's object, then `dequeue`, then `configure`.
 *
 * out: receives what `dequeue` returned.
 * Errors: FR_MISUSE; otherwise as fr_list_object_at. Since 0.1.
 */
fr_status fr_data_source_cell(void **out, fr_data_source *source, fr_index_path path);

/*
 * fr_data_source_update_visible_cell: configures the cell of a row again if the row is visible, and
 * does nothing otherwise.
 *
 * The `update_cell` of an fr_view calls this, so that changed rows are not reloaded.
 *
 * object: the object that update_cell received.
 * Errors: FR_MISUSE; FR_RANGE for a path that needs more than 32 bits. Since 0.1.
 */
fr_status fr_data_source_update_visible_cell(fr_data_source *source, fr_index_path path, fr_object *object);

/*
 * fr_data_source_supplementary: a supplementary view, of a kind that the program names.
 *
 * It calls `supplementary_identifier`, `dequeue_supplementary` and `configure_supplementary`.
 *
 * out: receives what `dequeue_supplementary` returned.
 * path: passed on to these functions.
 * Errors: FR_MISUSE, FR_INVALID_UTF8; FR_RANGE for a path that needs more than 32 bits. Since 0.1.
 */
fr_status fr_data_source_supplementary(void **out, fr_data_source *source, const char *kind, fr_index_path path);

/*
 * fr_data_source_set_system_headers: whether the names of sections are their headers; false unless
 * set. Since 0.1.
 */
fr_status fr_data_source_set_system_headers(fr_data_source *source, bool system_headers);

/*
 * fr_data_source_set_default_section_title: the header of sections that have no other: all sections
 * without system headers, otherwise those without a name.
 *
 * title: copied; NULL for none, which is the default.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_data_source_set_default_section_title(fr_data_source *source, const char *title);

/*
 * fr_data_source_set_section_title_format: the header of all sections, as a text with names in
 * braces: "{name}: {unread} of {count} unread".
 *
 * The names are the totals of the section (fr_request_add_total), `name` and `count`, its number of
 * rows. A total of the name `name` or `count` comes before these. A section without a name has the
 * default section title as its name. Values are texts as SQLite casts them, and NULL is empty. A
 * name that the section does not have stays as it is; "{{" and "}}" are a brace. Coordinators call
 * `update_sections` for sections whose totals changed: ask for their headers again.
 *
 * format: copied; NULL for none, which is the default.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_data_source_set_section_title_format(fr_data_source *source, const char *format);

/*
 * fr_data_source_set_table_index: whether there is an index of the sections; false unless set.
 * Since 0.1.
 */
fr_status fr_data_source_set_table_index(fr_data_source *source, bool table_index);

/*
 * fr_data_source_section_title: the header of a section.
 *
 * out: NULL for none; borrowed until the list next changes or the data source is freed.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_data_source_section_title(const char **out, fr_data_source *source, int64_t section);

/*
 * fr_data_source_index_title_count: the number of titles in the index at the side: the list's
 * section index titles; 0 without such an index.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_data_source_index_title_count(int64_t *out, fr_data_source *source);

/*
 * fr_data_source_index_title: title number `index` in the index at the side.
 *
 * out: borrowed until the list next changes or the data source is freed.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_data_source_index_title(const char **out, fr_data_source *source, int64_t index);

/*
 * fr_data_source_section_for_index_title: the section that belongs to a title in the index.
 *
 * title, index: as fr_data_source_index_title returned them.
 * Errors: FR_MISUSE, FR_INVALID_UTF8; FR_NOT_FOUND if there is none. Since 0.1.
 */
fr_status fr_data_source_section_for_index_title(int64_t *out, fr_data_source *source, const char *title,
                                                 int64_t index);

/*
 * fr_data_source_selected_objects: the objects at the paths that are selected in a view.
 *
 * Paths that do not exist any more, and the blank row of a picker, are left out.
 *
 * out: an array for `count` objects. Release each object in it with fr_object_unref.
 * out_count: receives the number of objects. Both may be NULL if `count` is 0.
 * Errors: FR_MISUSE; FR_RANGE for a count above 2^20. Since 0.1.
 */
fr_status fr_data_source_selected_objects(fr_object **out, size_t *out_count, fr_data_source *source,
                                          const fr_index_path *paths, size_t count);

/*
 * fr_data_source_select_objects: the paths that a view must select so that `count` objects are
 * selected.
 *
 * out: an array for `count` paths, one for each object in turn; {-1, -1} for an object that is not
 *   in the list: deleted, of another entity, or of a list that can't be read.
 * unknown: receives how many are not in the list; may be NULL.
 * Errors: FR_MISUSE, also for what is not an object; FR_RANGE as above. Since 0.1.
 */
fr_status fr_data_source_select_objects(fr_index_path *out, size_t *unknown, fr_data_source *source,
                                        fr_object *const *objects, size_t count);

/*
 * A cell that fills itself from an object. It has the columns to show, and returns their values and
 * texts. It draws nothing: `changed` is called when the program must draw the cell. It has one
 * owner, which frees it with fr_cell_free.
 */
typedef struct fr_cell fr_cell;

/* Called when the cell was given another object. */
typedef void (*fr_cell_changed)(fr_cell *cell, void *user_data);

/*
 * fr_cell_new: makes a cell that shows `count` columns, in their order, and has no object.
 *
 * columns: names of columns or key paths, as the request wrote them; copied.
 * changed: may be NULL.
 * destroy: may be NULL; called exactly once with `user_data`, when the cell is freed or when this
 *   call fails.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_RANGE. Since 0.1.
 */
fr_status fr_cell_new(fr_cell **out, const char *const *columns, size_t count, fr_cell_changed changed, void *user_data,
                      fr_destroy destroy);

/* fr_cell_free: frees the cell. NULL does nothing. Since 0.1. */
void fr_cell_free(fr_cell *cell);

/*
 * fr_cell_set_object: sets the object, which the cell retains; NULL for none.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_cell_set_object(fr_cell *cell, fr_object *object);

/*
 * fr_cell_object: the cell's object.
 *
 * out: to be released with fr_object_unref.
 * Errors: FR_MISUSE; FR_NOT_FOUND without one. Since 0.1.
 */
fr_status fr_cell_object(fr_object **out, fr_cell *cell);

/* fr_cell_column_count: how many columns the cell shows. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_cell_column_count(int64_t *out, fr_cell *cell);

/*
 * fr_cell_value: the value of the cell's column `index`.
 *
 * out: its data is borrowed until the cell is given another object or is freed.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND without an object; FR_SCHEMA if the object does not
 *   show the column; FR_GONE if its values are unknown. Since 0.1.
 */
fr_status fr_cell_value(fr_value *out, fr_cell *cell, int64_t index);

/*
 * fr_cell_text: the value of the cell's column `index` as text, as SQLite casts it; "" for NULL,
 * and where fr_cell_value fails.
 *
 * out: borrowed as there.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_cell_text(const char **out, fr_cell *cell, int64_t index);

FR_END_DECLS

#endif
