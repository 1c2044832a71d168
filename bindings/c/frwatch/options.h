/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mode { MODE_TEXT, MODE_JSON, MODE_TUI };

/* Names that stand one after another. The strings belong to the command line, or to `memory`. */
struct names {
    const char **items;
    size_t count;
    char *memory;
};

struct options {
    const char *database;
    const char *table;
    const char *section;
    const char *where;
    struct names sorts;
    struct names columns;
    struct names identity;
    struct names statements; /* of --sql */
    const char *command;     /* of --exec */
    int64_t limit;           /* -1 without one */
    enum mode mode;
    bool once;
    bool quiet;
    bool reads_statements; /* of --write */
};

/*
 * Reads the command line. Returns -1 if the program is to continue; else the status to end with,
 * after it has printed help, the version, or what is wrong.
 */
int options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

#endif
