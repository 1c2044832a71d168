/*
 * A plain list of sections of rows, like that of a program that shows a controller. Tests read one
 * from a controller, replay records on it, and compare.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <fetchedresults.h>

struct row {
    char *identity; /* its values, separated by commas */
    char *content;  /* its shown values; NULL if they were not read */
};

struct section {
    char *name; /* NULL for the section of NULL */
    struct row *rows;
    size_t count;
};

struct model {
    struct section *sections;
    size_t count;
};

/*
 * Reads what `controller` shows. Without contents nothing is read from the database that was not
 * read before.
 */
void model_read(struct model *model, fr_list *controller, bool contents);

/* Makes a row from an object, for a replay to insert. */
struct row row_of(fr_object *object, bool contents);

void model_copy(struct model *copy, const struct model *model);
void model_free(struct model *model);
void row_free(struct row *row);
void section_free(struct section *section);

/* Single steps, which own their arguments. They return false for indexes out of bounds. */
bool model_insert_section(struct model *model, int64_t index, struct section section);
bool model_take_section(struct model *model, int64_t index, struct section *taken);
bool model_insert_row(struct model *model, fr_index_path path, struct row row);
bool model_take_row(struct model *model, fr_index_path path, struct row *taken);
bool model_exchange_row(struct model *model, fr_index_path path, struct row row);

/* Gives a section another name; owns `name`. */
bool model_rename_section(struct model *model, int64_t index, char *name);

/* "a: 1 2 | b: 3"; the only section of a flat list has no name. Made by malloc. */
char *model_text(const struct model *model, bool contents);

/*
 * Removes the names of the sections: their spelling is that of the first row when the section was
 * created.
 */
void model_discard_names(struct model *model);

/* The number of rows in all sections. */
size_t model_rows(const struct model *model);

#endif
