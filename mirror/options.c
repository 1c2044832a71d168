/* The command line. */
#include "options.h"

#include <fetchedresults/base.h>
#include <getopt.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static const char usage[] = "usage: frmirror [--slot NAME | --temporary] [--publication NAME] [--create-publication]\n"
                            "                [--schema FILE.sql] [--real COLUMN]... [--group MS] [--once] [--verbose]\n"
                            "                CONNINFO FILE TABLE...\n";

static const char help[] = "\n"
                           "Copies tables of a PostgreSQL server into an SQLite file, then follows the server:\n"
                           "each of its transactions becomes one of the file.\n"
                           "\n"
                           "  --slot NAME           the replication slot, which holds the server's log while no\n"
                           "                        mirror runs (frmirror)\n"
                           "  --temporary           a slot that ends with the program; each start compares the file\n"
                           "  --publication NAME    the publication with the tables (frmirror)\n"
                           "  --create-publication  create it, or add tables that it lacks\n"
                           "  --schema FILE.sql     statements for a new file: its tables as you declare them,\n"
                           "                        indexes, views\n"
                           "  --real COLUMN         store a numeric column as a floating point number: column or\n"
                           "                        table.column; may be repeated\n"
                           "  --group MS            the time for which whole transactions are put together while\n"
                           "                        the mirror is behind (20); 0 for never\n"
                           "  --once                end when the file is as the server was at the start\n"
                           "  --verbose             print what the program does\n"
                           "  -h, --help            print this\n"
                           "  -V, --version         print the versions of the program and its libraries\n"
                           "\n"
                           "CONNINFO is what psql takes: keywords and values, a URI, or the name of a database.\n"
                           "Programs may read the file, and add indexes and views; only frmirror writes rows.\n";

enum { SLOT = 1000, TEMPORARY, PUBLICATION, CREATE_PUBLICATION, SCHEMA, REAL, GROUP, ONCE, VERBOSE };

static const struct option long_options[] = {{"slot", required_argument, NULL, SLOT},
                                             {"temporary", no_argument, NULL, TEMPORARY},
                                             {"publication", required_argument, NULL, PUBLICATION},
                                             {"create-publication", no_argument, NULL, CREATE_PUBLICATION},
                                             {"schema", required_argument, NULL, SCHEMA},
                                             {"real", required_argument, NULL, REAL},
                                             {"group", required_argument, NULL, GROUP},
                                             {"once", no_argument, NULL, ONCE},
                                             {"verbose", no_argument, NULL, VERBOSE},
                                             {"help", no_argument, NULL, 'h'},
                                             {"version", no_argument, NULL, 'V'},
                                             {NULL, 0, NULL, 0}};

static int wrong(const char *what)
{
    message("%s", what);
    fputs(usage, stderr);
    return FAILURE_USAGE;
}

/* Names of slots are letters, digits and underscores, so that they need no quotes. */
static bool is_slot_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length < 48 && name[length] == '\0';
}

static bool parse_group(int *out, const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);
    *out = (int)value;
    return end != text && *end == '\0' && value >= 0 && value <= 1000;
}

/* One option; -1 if it is right. */
static int take(struct options *options, int option)
{
    switch (option) {
        /* clang-format off */
    case TEMPORARY: options->temporary = true; break;
    case PUBLICATION: options->publication = optarg; break;
    case CREATE_PUBLICATION: options->create_publication = true; break;
    case SCHEMA: options->schema = optarg; break;
    case REAL: options->reals[options->real_count++] = optarg; break;
    case ONCE: options->once = true; break;
    case VERBOSE: options->verbose = true; break;
        /* clang-format on */
    case SLOT:
        options->slot = optarg;
        return is_slot_name(optarg) ? -1 : wrong("--slot needs a name of up to 47 small letters, digits and _");
    case GROUP:
        return parse_group(&options->group_ms, optarg) ? -1 : wrong("--group needs milliseconds, from 0 to 1000");
    case 'h':
        printf("%s%s", usage, help);
        return EXIT_SUCCESS;
    case 'V':
        printf("frmirror %s, SQLite %s, libpq %d\n", FR_VERSION_STRING, sqlite3_libversion(), PQlibVersion());
        return EXIT_SUCCESS;
    }
    return -1;
}

int options_parse(struct options *options, int argc, char **argv)
{
    int option, status;
    memset(options, 0, sizeof *options);
    options->publication = "frmirror";
    options->group_ms = 20;
    options->reals = allocated(calloc((size_t)argc, sizeof *options->reals));
    while ((option = getopt_long(argc, argv, ":hV", long_options, NULL)) != -1) {
        if (option == ':' || option == '?') {
            message(option == ':' ? "%s needs a value" : "%s is not an option, or takes no value", argv[optind - 1]);
            fputs(usage, stderr);
            return FAILURE_USAGE;
        }
        status = take(options, option);
        if (status >= 0) {
            return status;
        }
    }
    if (options->temporary && options->slot != NULL) {
        return wrong("one of --slot and --temporary is enough");
    }
    if (options->slot == NULL) {
        options->slot = "frmirror";
    }
    if (argc - optind < 3) {
        return wrong("a connection, a file and a table are needed");
    }
    options->conninfo = argv[optind];
    options->file = argv[optind + 1];
    options->tables = argv + optind + 2;
    options->table_count = (size_t)(argc - optind - 2);
    return -1;
}
