/* One table or view a line. */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"
#include "line.h"
#include "message.h"
#include "schema.h"

static void print_text(const char *name, const char *kind)
{
    struct line line = {0};
    line_add_text(&line, name, -1);
    if (strcmp(kind, "table") != 0) {
        line_addf(&line, " (%s)", strcmp(kind, "virtual") == 0 ? "virtual table" : kind);
    }
    puts(line_text(&line));
    line_free(&line);
}

static void print_json(const char *name, const char *kind)
{
    printf("{\"type\":\"entity\",\"kind\":\"%s\",\"name\":", kind);
    json_string(name, -1, stdout);
    puts("}");
}

int tables_print(struct watch *watch)
{
    struct names names = {0}, kinds = {0};
    bool is_read = schema_tables(&names, &kinds, watch->store) == FR_OK;
    if (!is_read) {
        message_of_error(watch->options->database);
    } else if (names.count == 0) {
        message("%s has no tables and no views", watch->options->database);
    }
    for (size_t i = 0; is_read && i < names.count; i++) {
        (watch->options->mode == MODE_JSON ? print_json : print_text)(names.items[i], kinds.items[i]);
    }
    names_clear(&names);
    names_clear(&kinds);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message("standard output: write error");
        return EXIT_UNUSABLE;
    }
    return is_read ? EXIT_SUCCESS : EXIT_UNUSABLE;
}
