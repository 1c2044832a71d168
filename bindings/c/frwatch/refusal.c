/* What the library refuses, by what the user has typed. */
#include "refusal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line.h"
#include "message.h"
#include "names.h"
#include "schema.h"

void refusal_of_database(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0 || (S_ISREG(file.st_mode) && access(path, R_OK) != 0)) {
        message("%s: %s", path, strerror(errno));
    } else if (!S_ISREG(file.st_mode)) {
        message("%s is not a file", path);
    } else {
        message_of_error(path);
    }
}

/* The names with commas between them, which the caller frees with line_free. */
static struct line joined(const struct names *names)
{
    struct line line = {0};
    for (size_t i = 0; i < names->count; i++) {
        line_add(&line, i > 0 ? ", " : "", i > 0 ? 2 : 0);
        line_add(&line, names->items[i], 0);
    }
    return line;
}

/* "table", "view" or "virtual"; NULL for no such table. */
static const char *kind_of(const char *table, const struct names *tables, const struct names *kinds)
{
    for (size_t i = 0; i < kinds->count; i++) {
        if (strcasecmp(tables->items[i], table) == 0) {
            return kinds->items[i];
        }
    }
    return NULL;
}

static void name_tables(const struct options *options, const struct names *tables)
{
    struct line list = joined(tables);
    message("%s has no table or view \"%s\"; it has %s", options->database, options->table,
            tables->count > 0 ? line_text(&list) : "none");
    line_free(&list);
}

static void name_columns(fr_store *store, const char *table, const char *kind)
{
    struct names columns = {0};
    struct line list;
    /* If they can't be read, the message names none. */
    schema_columns(&columns, store, table);
    list = joined(&columns);
    message("%s is a %s: --identity has to name the columns that identify a row; its columns are %s", table,
            strcmp(kind, "virtual") == 0 ? "virtual table" : kind, line_text(&list));
    line_free(&list);
    names_clear(&columns);
}

/*
 * Prints the message of a wrong condition without the condition itself, which the library repeats.
 * Returns false if the message is not of it.
 */
static bool name_condition(const struct options *options, const char *text)
{
    char *begin = NULL, *sql = options_predicate(options);
    bool is_named = sql != NULL && asprintf(&begin, "predicate \"%s\": ", sql) > 0
                    && strncmp(text, begin, strlen(begin)) == 0;
    if (is_named) {
        message("%s: %s", options->where != NULL ? "--where" : "--match", text + strlen(begin));
    }
    free(begin);
    free(sql);
    return is_named;
}

/* Explains a key with the direction behind it, as SQL has it; false if there is none. */
static bool name_direction(const char *key)
{
    const char *last = key != NULL ? strrchr(key, ' ') : NULL;
    bool descends = last != NULL && strcasecmp(last + 1, "DESC") == 0;
    if (last == NULL || (!descends && strcasecmp(last + 1, "ASC") != 0)) {
        return false;
    }
    message("a key has its direction in front: write \"%s%.*s\" for \"%s\"", descends ? "-" : "", (int)(last - key),
            key, key);
    return true;
}

static bool name_directions(const struct options *options)
{
    bool is_named = name_direction(options->section);
    for (size_t i = 0; !is_named && i < options->sorts.count; i++) {
        is_named = name_direction(options->sorts.items[i]);
    }
    return is_named;
}

void refusal_of_list(fr_store *store, const struct options *options, const char *what)
{
    struct names tables = {0}, kinds = {0};
    fr_status status = fr_error_status();
    char *text = strdup(fr_error_message());
    bool is_read = schema_tables(&tables, &kinds, store) == FR_OK;
    const char *kind = kind_of(options->table, &tables, &kinds);
    if (status == FR_SCHEMA && is_read && kind == NULL) {
        name_tables(options, &tables);
    } else if (status == FR_SCHEMA && is_read && strcmp(kind, "table") != 0 && options->identity.count == 0) {
        name_columns(store, options->table, kind);
    } else if (status == FR_SQL && is_read && kind != NULL && options->match != NULL && strcmp(kind, "virtual") != 0) {
        message("--match: %s is no FTS5 table; search its index by --where: "
                "id IN (SELECT rowid FROM words WHERE words MATCH 'text')",
                options->table);
    } else if (status == FR_MISUSE && is_read && options->identity.count > 0) {
        message("%s is a table, which needs no --identity", options->table);
    } else if (status == FR_SCHEMA && text != NULL) {
        message("%s", text); /* it names the table and the column */
    } else if (status != FR_SQL || text == NULL || (!name_condition(options, text) && !name_directions(options))) {
        message_of_status(what, status, text != NULL ? text : "out of memory");
    }
    names_clear(&tables);
    names_clear(&kinds);
    free(text);
}
