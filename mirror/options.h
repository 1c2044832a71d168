/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options {
    const char *conninfo;
    const char *file;
    char **tables; /* `table_count` names, as the server resolves them */
    size_t table_count;
    const char *slot;
    const char *publication;
    const char *schema; /* a file of SQL, or NULL */
    const char **reals; /* `real_count` columns that are to be numbers: column or table.column */
    size_t real_count;
    int group_ms;
    bool temporary, create_publication, once, verbose;
};

/*
 * Reads the command line. Returns -1 if the program is to continue; else the status to end with,
 * after it has printed help, the version, or what is wrong.
 */
int options_parse(struct options *options, int argc, char **argv);

#endif
