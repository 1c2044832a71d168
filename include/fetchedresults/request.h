/* A fetch request: the rows of a list, their order and their sections. */
#ifndef FETCHEDRESULTS_REQUEST_H
#define FETCHEDRESULTS_REQUEST_H

#include <stdbool.h>

#include "base.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * The description of a list. It is built step by step, and checked against the schema when a
 * controller is made from it. The controller takes a copy: changing or freeing the request later
 * does not affect the controller. A request has one owner, and one thread at a time uses it.
 *
 * Key paths. A key path is a column name ("name"), or a path through single-column foreign keys
 * ("list_id.position"). "list_id.owner_id.name" is the column `name` of the row that `owner_id`
 * refers to, in the row that `list_id` refers to. A path that reaches NULL on its way, or that
 * refers to no row, is NULL. Names that contain a dot can't be parts of a path.
 *
 * Expressions. Sort descriptors and sections take SQL expressions over the entity's columns and key
 * paths as well ("date(received, 'unixepoch')"). The name of a column is always that column. An
 * expression must always yield the same value for the same row
 * (https://www.sqlite.org/deterministic.html). Making the controller reports FR_SQL if it has a
 * SELECT, an aggregate, a window function, a parameter, a function that is not deterministic, or
 * the present moment ('now', date() without arguments, CURRENT_TIME). It compares under the
 * collation that is passed with it, or the one that its text ends with, or BINARY.
 */
typedef struct fr_request fr_request;

/*
 * fr_request_new: makes a request for all rows of a table or view, flat, in the order of their
 * identity.
 *
 * out: receives the request, which the caller frees with fr_request_free.
 * entity: a table or view, optionally with its database: "items", "temp.items". The identity of a
 *   row is the declared primary key, or the rowid where none is declared. For a view see
 *   fr_request_set_identity.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_request_new(fr_request **out, const char *entity);

/*
 * fr_request_new_select: makes a request of a whole SELECT: its rows in its order.
 *
 * Whenever a table that the SELECT reads has changed, the SELECT is run again and its result is
 * compared with the list. Any row may move. For such a request, only the setters of batch size and
 * cache name below have an effect.
 *
 * out: receives the request.
 * sql: one SELECT.
 * params: values for ?1 ... ?count, copied.
 * identity: the names of the `identity_count` result columns that identify a row. No two rows may
 *   agree in all of them.
 * section: the name of the result column whose value divides the rows into sections, or NULL; rows
 *   of one section must be adjacent.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_TYPE. Making the controller reports wrong SQL and unknown
 *   columns; its fetch reports rows of equal identity (FR_CONSTRAINT) and scattered sections
 *   (FR_SQL). Since 0.1.
 */
fr_status fr_request_new_select(fr_request **out, const char *sql, const fr_value *params, size_t count,
                                const char *const *identity, size_t identity_count, const char *section);

/* fr_request_free: frees the request. NULL does nothing. Since 0.1. */
void fr_request_free(fr_request *request);

/*
 * fr_request_set_identity: sets the columns whose values identify a row.
 *
 * A view needs them: no two rows may agree in all of them, where NULL agrees with NULL. A table has
 * an identity of its own and refuses them. An FTS5 table needs none: without them, the rowid
 * identifies a document.
 *
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_request_set_identity(fr_request *request, const char *const *columns, size_t count);

/*
 * fr_request_set_predicate: sets the condition for the rows of the list.
 *
 * The condition should depend only on the database and the parameters. random(), 'now' and other
 * functions whose result varies are evaluated only when a row is read again.
 *
 * sql: a SQL expression over the entity's columns and key paths, as after WHERE. It is true for the
 *   rows of the list. Subqueries are allowed. NULL for all rows. A foreign key column, a dot and a
 *   name always mean the key path.
 * params: values for the parameters ?1 ... ?count, copied. Values never become part of the SQL
 *   text.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_TYPE. Making the controller reports wrong SQL. Since 0.1.
 */
fr_status fr_request_set_predicate(fr_request *request, const char *sql, const fr_value *params, size_t count);

/*
 * fr_request_set_predicate_named: as fr_request_set_predicate, with named parameters; names as in
 * fr_store_execute_named. Since 0.1.
 */
fr_status fr_request_set_predicate_named(fr_request *request, const char *sql, const char *const *names,
                                         const fr_value *values, size_t count);

/*
 * How a key path sorts. Without a NULLS flag, NULLs are where SQLite puts them: first in ascending
 * order, last in descending order.
 */
enum { FR_ASCENDING = 0, FR_DESCENDING = 1, FR_NULLS_FIRST = 2, FR_NULLS_LAST = 4 };

/*
 * fr_request_add_sort: adds a sort descriptor after the existing ones.
 *
 * Rows that are equal in all of them are in ascending order of their identity, so the order is
 * always total.
 *
 * key_path: a key path or an expression, see fr_request.
 * flags: FR_ASCENDING or FR_DESCENDING, with one of the NULLS flags if wanted.
 * collation: "BINARY", "NOCASE", "RTRIM" or one that the program registered; NULL for the column's
 *   own. If the program did not register that, a list of the request is FR_SCHEMA.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_RANGE for unknown or contradicting flags. Since 0.1.
 */
fr_status fr_request_add_sort(fr_request *request, const char *key_path, uint32_t flags, const char *collation);

/*
 * fr_request_set_section: divides the rows into sections of equal value of `key_path`.
 *
 * The sections are ordered by that value, before the sort descriptors and independent of them. NULL
 * is a section of its own, whose name is NULL.
 *
 * key_path: a key path or an expression, see fr_request; NULL for a flat list, which always has
 *   exactly one section.
 * flags, collation: as in fr_request_add_sort.
 * Errors: as fr_request_add_sort. Since 0.1.
 */
fr_status fr_request_set_section(fr_request *request, const char *key_path, uint32_t flags, const char *collation);

/*
 * fr_request_set_columns: sets the columns and key paths that the objects show.
 *
 * Changes of other columns are not updates. In a list of an FTS5 table, a column can also be an
 * expression that calls FTS5's auxiliary functions with the table as their first argument, with a
 * name behind AS: "snippet(mails, 1, '[', ']', '...', 8) AS snippet".
 *
 * key_paths: `count` of them; a count of 0 stands for all columns of the entity (the default), as
 *   the schema has them when the list is fetched or a change of the schema is delivered.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_request_set_columns(fr_request *request, const char *const *key_paths, size_t count);

/*
 * fr_request_set_group_by: groups the rows by keys, and shows a row for each group.
 *
 * The columns of the list are then the keys, under the texts given here, followed by the totals
 * (fr_request_add_total), under their names. Sort descriptors, section, columns and
 * fr_request_set_having refer to these; the predicate refers to the rows that are grouped. Without
 * sort descriptors the groups are in the order of their keys. Without totals they are the distinct
 * values of the keys. The keys are the identity of a group; that of a group with a NULL among its
 * keys is a NULL for each key, then a number.
 *
 * Two rows are of one group if their keys are equal under the columns' collations; NULLs are equal.
 * A key is spelled as in the first row of its group that was read. A change of a row costs O(log g)
 * with g groups, and reads no other row, unless the row had the least or greatest value of its
 * group (FR_TOTAL_MIN). All rows are read again if a predicate has a subquery or calls a function
 * that is not deterministic, and for a view that is not followed row by row; the counters have the
 * reason.
 *
 * keys: `count` columns, key paths or expressions, see fr_request; a count of 0 shows the rows
 *   themselves, the default.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Making the controller reports FR_MISUSE for a whole SELECT,
 *   for a request with a cache name, and for two columns of one name. fr_controller_set_request
 *   can't change keys and totals (FR_MISUSE). Since 0.1.
 */
fr_status fr_request_set_group_by(fr_request *request, const char *const *keys, size_t count);

/* The function that makes a total of the values of an expression. */
typedef enum fr_total_function {
    FR_TOTAL_COUNT = 0,   /* the number of rows; with an expression, of rows in which it is true */
    FR_TOTAL_SUM = 1,     /* the sum of the values that are not NULL, as fr_request_add_total says */
    FR_TOTAL_AVERAGE = 2, /* the exact sum divided by the number of values that are not NULL */
    FR_TOTAL_MIN = 3,     /* the least value that is not NULL, in the order of the column's collation */
    FR_TOTAL_MAX = 4      /* the greatest value, in the same order */
} fr_total_function;

/*
 * fr_request_add_total: adds a total of the rows of each group, as a column.
 *
 * A sum of integers is an integer; if it exceeds 64 bits, the fetch fails with FR_SQL, as sum() of
 * SQLite does, and so does a delivery. A sum with floating point numbers is the one that is nearest
 * to the exact sum, whatever the order of the rows and of their changes; sum() rounds at each row,
 * so that the two can differ in their last digits. Texts and blobs count as the numbers that sum()
 * takes them for. Sum, average, minimum and maximum of no values are NULL.
 *
 * name: the name of the column.
 * expression: a column, a key path or an expression, see fr_request; NULL to count all rows.
 * Errors: FR_MISUSE, FR_INVALID_UTF8, FR_RANGE for an unknown function. Making the controller
 *   reports FR_MISUSE for a missing expression, and FR_SQL or FR_SCHEMA for a wrong one. Since 0.1.
 */
fr_status fr_request_add_total(fr_request *request, const char *name, fr_total_function function,
                               const char *expression);

/*
 * fr_request_set_totals_of_all_rows: whether the totals of a list with a limit or an offset
 * summarize all rows that satisfy the predicate, and the totals of a section all of these that
 * belong to it, rather than the rows that the list shows.
 *
 * A change then costs the rows that it touches, shown or not. All rows are read where the list is
 * read as a whole, and if the predicate has a subquery or calls a function that is not
 * deterministic. Without a limit and an offset, and in a list of groups, it makes no difference.
 *
 * all_rows: false is the default.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_request_set_totals_of_all_rows(fr_request *request, bool all_rows);

/*
 * fr_request_set_having: sets the condition for the groups of the list.
 *
 * sql: a SQL expression over keys and totals, which are named as columns ("\"unread\" > ?1"); NULL
 *   for all groups.
 * params: values for the parameters ?1 ... ?count, copied.
 * Errors: as fr_request_set_predicate. Since 0.1.
 */
fr_status fr_request_set_having(fr_request *request, const char *sql, const fr_value *params, size_t count);

/*
 * fr_request_set_batch_size: sets how many rows are read together when a row that is not cached is
 * read.
 *
 * Default 20.
 *
 * Errors: FR_MISUSE, FR_RANGE below 1 or above 32,766. Since 0.1.
 */
fr_status fr_request_set_batch_size(fr_request *request, int64_t batch_size);

/*
 * fr_request_set_rank_tolerance: sets how many documents may be written before a list of an FTS5
 * table with `rank` or `bm25()` is ranked again.
 *
 * Until then the ranks are as of the fetch: rows that are written, and only these, get a rank, from
 * the numbers of documents and words that the fetch found. Ranking again takes as long as a fetch,
 * and delivers one change set. fr_list_perform_fetch ranks again as well, and
 * fr_controller_set_request with the same request.
 *
 * share: of all documents, or of the documents that match; whichever is exceeded first. 0.01
 *   unless set; 0 to rank again with each document that is written, INFINITY to never do it.
 * Errors: FR_MISUSE, FR_RANGE for a negative share and NaN. Since 0.1.
 */
fr_status fr_request_set_rank_tolerance(fr_request *request, double share);

/*
 * fr_request_set_limit: shows at most `limit` rows, after skipping the first `offset`.
 *
 * The window is live: a row that enters or leaves it is an insert or a delete. A fetch takes
 * O(limit + offset). A change of one row takes O(log n) if an index serves the order.
 *
 * limit: negative for no limit.
 * offset: 0 or more.
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_request_set_limit(fr_request *request, int64_t limit, int64_t offset);

/*
 * fr_request_set_cache_name: sets the name under which the list is cached in a file, so that a
 * later start of the program can show the list without reading its rows.
 *
 * Two lists of one database that are shown at the same time need different names.
 *
 * A list is cached when it has been fetched, when its controller is freed and when its store is
 * closed, unless this happens in a callback, inside a transaction or while another connection
 * writes. fr_list_free and fr_store_close report a file that can't be written. Each time the
 * library writes about 16 bytes a row, and the identities that are not rowids. The next fetch takes
 * the list from the file if the request is the same with all its parameters. The counter
 * `cached_fetches` counts such fetches. A file that is damaged is ignored and replaced. Sections
 * keep their spelling.
 *
 * If something was committed in the meantime, the fetch brings the list to the present state by the
 * rows that were touched. It finds them in the write-ahead log
 * (https://www.sqlite.org/walformat.html), as long as nothing has been written back from the log to
 * the database file since the list was cached; the last connection that closes writes the log back.
 * Otherwise it finds them in histories, if all tables that the list reads have one
 * (fr_store_start_history). In these cases the list is read from scratch: neither is available; a
 * delivery would read it from scratch (`rereads` of fr_counters); rows of a section map's sections
 * were touched; or so many rows were touched that reading all is cheaper.
 *
 * These lists are not cached: lists of databases without a file; lists that read temporary tables,
 * attached databases, or virtual tables other than indexes of FTS5 whose documents they follow; and
 * lists whose SQL calls functions of the program, or SQLite's functions for random numbers or the
 * state of the connection. Functions for date and time may be called in sort descriptors and
 * sections, without 'localtime' and 'utc'. If a list belongs to an adopted connection in WAL mode,
 * its file is usable only if the program checkpoints before it closes the store. A read-only store
 * reads cached lists, and caches none. A list in the order of `rank` is cached with its ranks; a
 * second fr_list_perform_fetch ranks it again.
 *
 * name: any text except an empty one; NULL, the default, if the list is not to be cached.
 * Errors: FR_MISUSE, FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_request_set_cache_name(fr_request *request, const char *name);

/*
 * A sort descriptor, with the flags and the collation of fr_request_add_sort. In: borrowed during
 * the call. The layout is fixed.
 */
typedef struct fr_sort {
    const char *key_path;
    uint32_t flags;
    const char *collation;
} fr_sort;

/* A total, as fr_request_add_total takes it. The layout is fixed. */
typedef struct fr_total {
    const char *name;
    fr_total_function function;
    const char *expression; /* NULL to count all rows */
} fr_total;

/*
 * The parts of a request. Set `struct_size` to sizeof(fr_request_info) before the call. An array
 * without elements is NULL.
 */
typedef struct fr_request_info {
    size_t struct_size;
    const char *entity; /* the table or view; NULL for a whole SELECT */
    const char *select; /* the text of a whole SELECT (fr_request_new_select), else NULL */
    const char *predicate; /* as it was set; NULL for all rows */
    const fr_value *parameters; /* the values for the parameters of the predicate, or of a whole SELECT */
    const char *const *parameter_names; /* their names as they were set; NULL for values without names */
    size_t parameter_count;
    const fr_sort *sorts;
    size_t sort_count;
    fr_sort section; /* the section key path with its order; its `key_path` is NULL for a flat list */
    const char *const *columns; /* the columns and key paths that the objects show; none for all columns */
    size_t column_count;
    const char *const *identity; /* the columns that identify a row of a view or a SELECT; none for a table */
    size_t identity_count;
    int64_t batch_size; /* how many rows are read together */
    int64_t limit; /* the largest number of rows that the list shows; -1 without a limit */
    int64_t offset; /* how many rows are skipped at the beginning */
    const char *cache_name; /* NULL for a list that is not cached */
    const char *const *group_by; /* the keys of the groups; none for a list of rows */
    size_t group_by_count;
    const fr_total *totals;
    size_t total_count;
    const char *having; /* NULL for all groups */
    const fr_value *having_parameters;
    size_t having_parameter_count;
    bool totals_of_all_rows; /* fr_request_set_totals_of_all_rows */
    double rank_tolerance; /* fr_request_set_rank_tolerance */
} fr_request_info;

/*
 * fr_request_describe: the parts of a request, as they were set.
 *
 * out: its strings and arrays are borrowed until the request is next changed or freed.
 * Errors: FR_MISUSE, FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_request_describe(fr_request_info *out, fr_request *request);

FR_END_DECLS

#endif
