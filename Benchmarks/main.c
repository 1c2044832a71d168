/*
 * Compares the library with plain SQLite, which does the same work without observers, in one run.
 *
 * bench [--quick] [--only PART] [--json PATH]
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "database.h"
#include "environment.h"
#include "groups.h"
#include "progress.h"
#include "report.h"

static void read_options(int count, char **arguments)
{
    options.json = "build/bench.json";
    for (int index = 1; index < count; index++) {
        const char *value = index + 1 < count ? arguments[index + 1] : NULL;
        if (strcmp(arguments[index], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(arguments[index], "--only") == 0 && value != NULL) {
            options.only = value;
            index++;
        } else if (strcmp(arguments[index], "--json") == 0 && value != NULL) {
            options.json = value;
            index++;
        } else {
            fail("usage: bench [--quick] [--only PART] [--json PATH]");
        }
    }
}

static void measure_all(void)
{
    measure_fetches();
    measure_first_letter();
    measure_edits();
    measure_windows();
    measure_totals_and_groups();
    measure_list_windows();
    measure_searches();
    measure_section_moves();
    measure_collections();
    measure_inserts();
    measure_many_controllers();
    measure_memory();
    measure_objects();
    measure_data_sets();
    measure_loading();
    measure_foreign_commits();
    measure_process_commits();
}

int main(int count, char **arguments)
{
    read_options(count, arguments);
    make_directory();
    options.plans = true;
    measure_all();
    options.plans = false;
    measure_all();
    end_progress();
    print_environment();
    print_table();
    write_json(options.json);
    return 0;
}
