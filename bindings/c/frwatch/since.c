/* What a list depends on. */
#include "since.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"

/* Whether no path leads from the shown columns to another table. */
static bool has_columns_alone(struct watch *watch)
{
    const struct names *chosen = &watch->options->columns;
    struct names columns = {0};
    bool is_right = schema_columns(&columns, watch->store, watch->options->table) == FR_OK;
    for (size_t i = 0; is_right && i < chosen->count; i++) {
        is_right = names_contain(&columns, chosen->items[i]);
    }
    names_clear(&columns);
    return is_right;
}

/*
 * Whether a statement reads one table. SQLite lists what a statement opens
 * (https://www.sqlite.org/opcode.html#OpenRead): P2 is a root page, P3 the number of a database,
 * which is 0 for the main one.
 */
static bool reads_one_table(struct watch *watch, const char *sql)
{
    enum { OPCODE = 1, P2 = 3, P3 = 4 };
    struct names roots = {0};
    fr_statement *plan = NULL;
    char *explain = NULL;
    bool has_row = true, is_right = schema_roots(&roots, watch->store, watch->options->table) == FR_OK
                                    && asprintf(&explain, "EXPLAIN %s", sql) >= 0
                                    && fr_statement_prepare(&plan, watch->store, explain) == FR_OK;
    while (is_right && (is_right = fr_statement_step(&has_row, plan) == FR_OK) && has_row) {
        fr_value opcode, p2, p3;
        is_right = fr_statement_value(&opcode, plan, OPCODE) == FR_OK && fr_statement_value(&p2, plan, P2) == FR_OK
                   && fr_statement_value(&p3, plan, P3) == FR_OK && strcmp(opcode.data, "VOpen") != 0;
        if (is_right && strcmp(opcode.data, "OpenRead") == 0) {
            char root[24];
            snprintf(root, sizeof root, "%lld", (long long)p2.integer);
            is_right = p3.integer == 0 && names_contain(&roots, root);
        }
    }
    fr_statement_free(plan);
    free(explain);
    names_clear(&roots);
    return is_right;
}

bool since_is_enough(struct watch *watch)
{
    const struct options *options = watch->options;
    fr_explanation explanation = {.struct_size = sizeof explanation};
    return options->limit < 0 && options->groups.count == 0 && has_columns_alone(watch)
           && fr_controller_explain(&explanation, watch->list) == FR_OK && reads_one_table(watch, explanation.sql);
}
