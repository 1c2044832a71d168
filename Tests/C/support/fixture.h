/* Stores and lists in one line each. All of them check their success. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stdbool.h>

#include <fetchedresults.h>

/* A store in memory that has run `script`. */
fr_store *store_with(const char *script);

/*
 * A store of the file `name` in this process's folder for files; the folder is emptied when the
 * test program ends.
 */
fr_store *store_in_file(const char *name);

/* The path of `name` in that folder. Valid for three further calls. */
const char *file_path(const char *name);

/* Removes that folder. */
void remove_files(void);

/* Runs a script. */
void run(fr_store *store, const char *script);

/*
 * A request. `sort`: key paths separated by spaces, "-" before those that descend; NULL for none.
 * `section`: a key path, "-" before it to descend; NULL for a flat list. `where`: NULL for all
 * rows.
 */
fr_request *request_of(const char *entity, const char *section, const char *sort, const char *where);

/* The parts of a request; they are valid until it changes. */
fr_request_info request_info(fr_request *request);

/* A fetched controller for such a request. */
fr_list *list_of(fr_store *store, const char *entity, const char *section, const char *sort, const char *where);

/* What a controller shows, in the form of model_text; valid until the next call. */
const char *list_text(fr_list *controller);

/* The same with the values of the rows. */
const char *list_contents(fr_list *controller);

/* All index titles with the sections that they lead to, "A@0 B@2"; valid until the next call. */
const char *index_titles_text(fr_list *list);

/*
 * Whether `controller` shows the same as a newly fetched one for `request`, except for the spelling
 * of sections.
 */
bool check_against_fetch(fr_list *controller, fr_store *store, fr_request *request);

fr_index_path path_at(int64_t section, int64_t row);

/* A value as text; valid until the next call. */
const char *value_text(fr_value value);

/* A value of an object as text; valid until the next call. */
const char *object_text(fr_object *object, const char *column);

#define CHECK_LIST(controller, expected) CHECK_TEXT(list_text(controller), expected)
#define CHECK_CONTENTS(controller, expected) CHECK_TEXT(list_contents(controller), expected)

#endif
