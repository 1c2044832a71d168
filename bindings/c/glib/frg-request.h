/* The rows of a model, their order and their sections, as a GObject. */
#ifndef FRG_REQUEST_H
#define FRG_REQUEST_H

#include <glib-object.h>

#include "frg-macros.h"

G_BEGIN_DECLS

/**
 * FrGSortFlags:
 * @FRG_SORT_ASCENDING: The least value first.
 * @FRG_SORT_DESCENDING: The greatest value first.
 * @FRG_SORT_NULLS_FIRST: NULL first; otherwise SQLite's place for it.
 * @FRG_SORT_NULLS_LAST: NULL last.
 *
 * How a key path sorts.
 *
 * Since: 0.1
 */
typedef enum FrGSortFlags {
    FRG_SORT_ASCENDING = 0,
    FRG_SORT_DESCENDING = 1 << 0,
    FRG_SORT_NULLS_FIRST = 1 << 1,
    FRG_SORT_NULLS_LAST = 1 << 2
} FrGSortFlags;

#define FRG_TYPE_SORT_FLAGS (frg_sort_flags_get_type())

FRG_API GType frg_sort_flags_get_type(void);

/**
 * FrGTotalFunction:
 * @FRG_TOTAL_COUNT: The number of rows, or of rows in which an expression is true.
 * @FRG_TOTAL_SUM: The sum of the values that are not NULL.
 * @FRG_TOTAL_AVERAGE: The exact sum divided by the number of these values.
 * @FRG_TOTAL_MIN: The least of these values.
 * @FRG_TOTAL_MAX: The greatest of these values.
 *
 * The function that makes a total of the values of an expression.
 *
 * Since: 0.1
 */
typedef enum FrGTotalFunction {
    FRG_TOTAL_COUNT = 0,
    FRG_TOTAL_SUM = 1,
    FRG_TOTAL_AVERAGE = 2,
    FRG_TOTAL_MIN = 3,
    FRG_TOTAL_MAX = 4
} FrGTotalFunction;

#define FRG_TYPE_TOTAL_FUNCTION (frg_total_function_get_type())

FRG_API GType frg_total_function_get_type(void);

#define FRG_TYPE_REQUEST (frg_request_get_type())
/**
 * FrGRequest:
 *
 * The description of a list: which rows, in which order, in which sections.
 *
 * Its properties describe it, so that g_object_new() makes one with all that it needs. A key path
 * is the name of a column, or a path through foreign keys ("list_id.position"); sorts and sections
 * can also be SQL expressions over these ("lower(title)"). In the properties for sorting a "-" in
 * front of a key path stands for descending order.
 *
 * A model takes a copy when it is made, and reports then what is wrong; see
 * frg_live_model_set_request() for later changes.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGRequest, frg_request, FRG, REQUEST, GObject)

/**
 * frg_request_new:
 * @entity: (nullable): a table or view, optionally with its database: "items", "temp.items"
 *
 * Makes a request for all rows of a table or view, in the order of their identity.
 *
 * Returns: (transfer full): the request.
 *
 * Since: 0.1
 */
FRG_API FrGRequest *frg_request_new(const char *entity);

/**
 * frg_request_add_sort:
 * @key_path: a key path, or a SQL expression
 * @flags: how it sorts
 * @collation: (nullable): "BINARY", "NOCASE" or "RTRIM"; %NULL for the column's own
 *
 * Adds a key path to #FrGRequest:sort, after the existing ones.
 *
 * Since: 0.1
 */
FRG_API void frg_request_add_sort(FrGRequest *request, const char *key_path, FrGSortFlags flags, const char *collation);

/**
 * frg_request_add_total:
 * @name: the name of the column that shows it
 * @function: the function
 * @expression: (nullable): a column, a key path or a SQL expression; %NULL to count all rows
 *
 * Adds a total of the rows of each group (#FrGRequest:group-by), as a column after the keys.
 *
 * Since: 0.1
 */
FRG_API void frg_request_add_total(FrGRequest *request, const char *name, FrGTotalFunction function,
                                   const char *expression);

G_END_DECLS

#endif
