/* An object: an immutable snapshot of one row. */
#ifndef FETCHEDRESULTS_OBJECT_H
#define FETCHEDRESULTS_OBJECT_H

#include "base.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * A row as it was at one moment: its identity (the primary key, or the rowid of a table that
 * declares none) and the values of its columns.
 *
 * The identity of a row whose primary key holds a NULL, which SQLite allows in tables with rowids,
 * is a NULL for each column of the key, then the rowid. It has one value more than a key, so that
 * it is never the identity of another row.
 *
 * An object never changes, and it outlives its store. It is reference-counted. Whoever receives an
 * object through an `out` parameter owns one reference and releases it with fr_object_unref. An
 * object that is passed to a callback is borrowed.
 */
typedef struct fr_object fr_object;

/*
 * fr_object_ref: retains an object, so that a borrowed one can be used after the callback.
 *
 * Returns `object`, or NULL if it is not an object. O(1). Since 0.1.
 */
fr_object *fr_object_ref(fr_object *object);

/*
 * fr_object_unref: releases a reference; the last one frees the object.
 *
 * NULL does nothing. Since 0.1.
 */
void fr_object_unref(fr_object *object);

/*
 * fr_object_entity: the name of the table or view that the object is a row of.
 *
 * out: borrowed as long as the object lives.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_object_entity(const char **out, fr_object *object);

/*
 * fr_object_identity_count: the number of values of the identity: 1, or more for a composite
 * primary key; one more than that for a row whose key holds a NULL.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_object_identity_count(int64_t *out, fr_object *object);

/*
 * fr_object_identity: value number `index` of the identity.
 *
 * out: its data is borrowed as long as the object lives.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_object_identity(fr_value *out, fr_object *object, int64_t index);

/*
 * fr_object_column_count: the number of columns that the object shows.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_object_column_count(int64_t *out, fr_object *object);

/*
 * fr_object_column_name: the name of column `index`; for a key path, the path as the request wrote
 * it.
 *
 * out: borrowed as long as the object lives.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_object_column_name(const char **out, fr_object *object, int64_t index);

/*
 * fr_object_column_index: the number of the column called `name` (ASCII letters compared without
 * case, as SQLite does).
 *
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_SCHEMA if there is no such column. O(columns). Since 0.1.
 */
fr_status fr_object_column_index(int64_t *out, fr_object *object, const char *name);

/*
 * fr_object_value: the value of column `index`, from 0.
 *
 * out: its data is borrowed as long as the object lives.
 * Errors: FR_MISUSE, FR_RANGE; FR_GONE for a deleted row whose values the program never received,
 *   if no old image of it is available. Since 0.1.
 */
fr_status fr_object_value(fr_value *out, fr_object *object, int64_t index);

/*
 * fr_object_values: the values of the first `count` columns, in one call.
 *
 * out: an array of `count` values; their data is borrowed as long as the object lives.
 * Errors: FR_MISUSE; FR_RANGE if there are fewer columns; FR_GONE as in fr_object_value. Since 0.1.
 */
fr_status fr_object_values(fr_value *out, size_t count, fr_object *object);

/*
 * fr_object_layout: a number for the object's entity and columns.
 *
 * Objects with the same number have the same columns, so a program needs to look up names only once
 * for each number. A number is never reused in a process, and is never 0.
 *
 * Errors: FR_MISUSE. O(1). Since 0.1.
 */
fr_status fr_object_layout(uint64_t *out, fr_object *object);

/*
 * fr_object_value_named: the value of the column called `name`; otherwise as fr_object_value.
 *
 * Errors: any error of fr_object_column_index and fr_object_value. Since 0.1.
 */
fr_status fr_object_value_named(fr_value *out, fr_object *object, const char *name);

FR_END_DECLS

#endif
