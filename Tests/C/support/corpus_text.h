/* Values and rows of the corpus: as the library gets them, and as texts that are compared. */
#ifndef CORPUS_TEXT_H
#define CORPUS_TEXT_H

#include <jansson.h>

#include <fetchedresults.h>

#include "text.h"

/* Values that were JSON, with the memory of those that had to be decoded. */
struct corpus_values {
    fr_value *values;
    char **buffers;
    size_t count;
};

struct corpus_values corpus_values_of(json_t *array);
void corpus_values_free(struct corpus_values *values);

/*
 * NULL 7 1.5 'text' x'00ff'; characters of a text that are not printable ASCII are written as
 * hexadecimal digits.
 */
void corpus_add_value(struct text *text, const fr_value *value);

/* A value in its JSON encoding; NULL for SQLite's NULL. */
void corpus_add_coded(struct text *text, json_t *value);

/* The values of a JSON array, each followed by a space. */
void corpus_add_values(struct text *text, json_t *array);

/* The same of an object's content, and of its identity. */
void corpus_add_content(struct text *text, fr_object *object);
void corpus_add_identity(struct text *text, fr_object *object);

/* A row of a scenario: its texts. */
struct corpus_row {
    char *identity;
    char *content;
};

/* All rows that the lines of a scenario have named so far, by their numbers. */
struct corpus_rows {
    struct corpus_row *rows;
    size_t count;
};

void corpus_rows_add(struct corpus_rows *rows, json_t *array);
void corpus_rows_free(struct corpus_rows *rows);

#endif
