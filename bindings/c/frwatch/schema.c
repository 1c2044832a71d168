/* What SQLite's pragmas list: https://www.sqlite.org/pragma.html#pragma_table_list */
#include "schema.h"

#include <stdbool.h>

/* Adds the first column of each row, and the second one if `seconds` is not NULL. */
static fr_status read_names(struct names *firsts, struct names *seconds, fr_store *store, const char *sql,
                            const char *argument)
{
    fr_statement *statement = NULL;
    const fr_value bound = argument != NULL ? fr_text(argument) : fr_null();
    bool has_row = true;
    fr_status status = fr_statement_prepare(&statement, store, sql);
    if (status == FR_OK && argument != NULL) {
        status = fr_statement_bind(statement, 1, &bound);
    }
    while (status == FR_OK && (status = fr_statement_step(&has_row, statement)) == FR_OK && has_row) {
        fr_value value;
        status = fr_statement_value(&value, statement, 0);
        if (status == FR_OK) {
            names_add(firsts, value.data);
        }
        if (status == FR_OK && seconds != NULL && (status = fr_statement_value(&value, statement, 1)) == FR_OK) {
            names_add(seconds, value.data);
        }
    }
    fr_statement_free(statement);
    return status;
}

fr_status schema_tables(struct names *names, struct names *kinds, fr_store *store)
{
    return read_names(names, kinds, store,
                      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
                      " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
                      NULL);
}

/*
 * Of the hidden columns, SELECT * shows the generated ones (2, 3), and not a virtual table's (1).
 */
fr_status schema_columns(struct names *names, fr_store *store, const char *table)
{
    return read_names(names, NULL, store, "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid",
                      table);
}

fr_status schema_roots(struct names *names, fr_store *store, const char *table)
{
    return read_names(names, NULL, store,
                      "SELECT CAST(rootpage AS TEXT) FROM main.sqlite_schema"
                      " WHERE tbl_name = ?1 COLLATE NOCASE AND rootpage <> 0",
                      table);
}
