/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "colour.h"
#include "names.h"
#include "total.h"

enum mode { MODE_TEXT, MODE_JSON, MODE_TUI };

struct options {
    const char *database;
    const char *table; /* NULL without one: the tables are to be listed */
    const char *section;
    const char *where;
    const char *match; /* the search of --match; NULL without one */
    struct names groups; /* the keys of --group */
    struct total *totals;
    size_t total_count;
    const char *having;
    struct names sorts;
    struct names columns;
    struct names identity;
    struct names statements; /* of --sql */
    const char *command;     /* of --exec */
    int64_t limit;           /* -1 without one */
    double rank_tolerance;   /* -1 for the library's */
    int64_t since;           /* the generation of --since; -1 without one */
    enum mode mode;
    enum colour_when colour;
    bool once;
    bool explain;
    bool is_immutable;
    bool quiet;
    bool reads_statements; /* of --write */
};

/*
 * Reads the command line. Returns -1 if the program is to continue; else the status to end with,
 * after it has printed help, the version, or what is wrong.
 */
int options_parse(struct options *options, int argc, char **argv);

/*
 * The condition of --match, whose text is ?1, and of --where. NULL without one, and if there is no
 * memory. To be freed.
 */
char *options_predicate(const struct options *options);

void options_free(struct options *options);

#endif
