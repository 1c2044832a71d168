/* The command line. */
#include "options.h"

#include <errno.h>
#include <fetchedresults.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static const char usage[] = "usage: frwatch [--sort KEY]... [--section KEY] [--where SQL] [--columns KEY,...]\n"
                            "               [--match TEXT] [--group KEY]... [--total TOTAL]... [--having SQL]\n"
                            "               [--identity COLUMN,...] [--limit N] [--rank-tolerance SHARE]\n"
                            "               [--immutable]\n"
                            "               [--json [--since GENERATION] | --tui] [--color WHEN] [--once]\n"
                            "               [--explain] [--quiet] [--exec COMMAND] [--sql SQL]... [--write]\n"
                            "               DATABASE [TABLE]\n";

static const char help[] = "\n"
                           "Shows the rows of a table or view as a list, then what each transaction changes in\n"
                           "it, whichever program writes. Without TABLE, lists the tables and views.\n"
                           "\n"
                           "  --sort KEY         sort by a column, a path through foreign keys (list_id.title) or\n"
                           "                     an SQL expression; with a minus before it, descending; may\n"
                           "                     be repeated\n"
                           "  --section KEY      put rows of equal KEY into sections; with a minus, descending\n"
                           "  --where SQL        show the rows for which an expression is true\n"
                           "  --match TEXT       show the documents of an FTS5 table in which FTS5 finds a text\n"
                           "  --columns KEY,...  show only these columns and paths\n"
                           "  --group KEY        show a row for each group of rows of equal KEY; may be repeated.\n"
                           "                     --sort, --section and --columns then name keys and totals\n"
                           "  --total TOTAL      show a total of each group, [NAME=]FUNCTION(EXPRESSION): sum, avg,\n"
                           "                     min, max, or count, which counts the rows for which the expression\n"
                           "                     is true, or with count() all; may be repeated\n"
                           "  --having SQL       show the groups for which an expression of keys and totals is true\n"
                           "  --identity COLUMN,...  the columns that identify a row of a view\n"
                           "  --limit N          show the first N rows\n"
                           "  --rank-tolerance SHARE  rank documents again when so many of them were written,\n"
                           "                     from 0, with each document, to inf, never; 0.01 unless set\n"
                           "  --immutable        open a file that nobody changes, also on a medium that can't be\n"
                           "                     written; implies --once\n"
                           "  --json             print one JSON object a line\n"
                           "  --since GENERATION  print what was touched since a generation of the history, in\n"
                           "                     place of the list; needs --json\n"
                           "  --tui              show a table in the terminal; q quits\n"
                           "  --color WHEN       colour changes: always, never, or auto, the default: in a terminal,\n"
                           "                     unless NO_COLOR is set\n"
                           "  --once             end instead of following\n"
                           "  --explain          print how SQLite reads the list, what commits cost and which\n"
                           "                     indexes would help, and end\n"
                           "  --quiet            print neither list nor changes\n"
                           "  --exec COMMAND     run a shell command for each delivery, with the changes as JSON\n"
                           "                     on its standard input\n"
                           "  --sql SQL          execute statements once the list is shown; may be repeated\n"
                           "  --write            execute the statements on the standard input, and end with it\n"
                           "  -h, --help         print this\n"
                           "  -V, --version      print the versions of the program and the library\n"
                           "\n"
                           "The database is opened for reading only, unless --sql or --write is given.\n";

enum {
    SORT = 1000,
    SECTION,
    WHERE,
    MATCH,
    GROUP,
    TOTAL,
    HAVING,
    COLUMNS,
    COLOR,
    IDENTITY,
    LIMIT,
    RANK_TOLERANCE,
    SINCE,
    IMMUTABLE,
    JSON,
    TUI,
    ONCE,
    EXPLAIN,
    QUIET,
    EXEC,
    SQL,
    WRITE
};

static const struct option long_options[] = {{"sort", required_argument, NULL, SORT},
                                             {"section", required_argument, NULL, SECTION},
                                             {"where", required_argument, NULL, WHERE},
                                             {"match", required_argument, NULL, MATCH},
                                             {"group", required_argument, NULL, GROUP},
                                             {"total", required_argument, NULL, TOTAL},
                                             {"having", required_argument, NULL, HAVING},
                                             {"color", required_argument, NULL, COLOR},
                                             {"columns", required_argument, NULL, COLUMNS},
                                             {"identity", required_argument, NULL, IDENTITY},
                                             {"limit", required_argument, NULL, LIMIT},
                                             {"rank-tolerance", required_argument, NULL, RANK_TOLERANCE},
                                             {"since", required_argument, NULL, SINCE},
                                             {"immutable", no_argument, NULL, IMMUTABLE},
                                             {"json", no_argument, NULL, JSON},
                                             {"tui", no_argument, NULL, TUI},
                                             {"once", no_argument, NULL, ONCE},
                                             {"explain", no_argument, NULL, EXPLAIN},
                                             {"quiet", no_argument, NULL, QUIET},
                                             {"exec", required_argument, NULL, EXEC},
                                             {"sql", required_argument, NULL, SQL},
                                             {"write", no_argument, NULL, WRITE},
                                             {"help", no_argument, NULL, 'h'},
                                             {"version", no_argument, NULL, 'V'},
                                             {NULL, 0, NULL, 0}};

static int wrong(const char *what)
{
    message("%s", what);
    fputs(usage, stderr);
    return EXIT_UNUSABLE;
}

/* A number from 0. */
static bool parse_number(int64_t *out, const char *text)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *out >= 0;
}

/* A share from 0 to inf. */
static bool parse_share(double *out, const char *text)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= 0;
}

static bool parse_colour(enum colour_when *out, const char *text)
{
    static const char *const names[] = {[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum colour_when)i;
            return true;
        }
    }
    return false;
}

static bool add_total(struct options *options, const char *text)
{
    struct total total, *totals;
    if (!total_parse(&total, text)) {
        total_clear(&total);
        return false;
    }
    totals = realloc(options->totals, (options->total_count + 1) * sizeof *totals);
    if (totals == NULL) {
        message("out of memory");
        exit(EXIT_UNUSABLE);
    }
    totals[options->total_count++] = total;
    options->totals = totals;
    return true;
}

/* One option; -1 if it is right. */
static int take(struct options *options, int option)
{
    switch (option) {
        /* clang-format off */
    case SORT: names_add(&options->sorts, optarg); break;
    case SECTION: options->section = optarg; break;
    case WHERE: options->where = optarg; break;
    case MATCH: options->match = optarg; break;
    case GROUP: names_add(&options->groups, optarg); break;
    case HAVING: options->having = optarg; break;
    case COLUMNS: names_clear(&options->columns), names_split(&options->columns, optarg); break;
    case IDENTITY: names_clear(&options->identity), names_split(&options->identity, optarg); break;
    case IMMUTABLE: options->is_immutable = true; break;
    case ONCE: options->once = true; break;
    case EXPLAIN: options->explain = true; break;
    case QUIET: options->quiet = true; break;
    case EXEC: options->command = optarg; break;
    case SQL: names_add(&options->statements, optarg); break;
    case WRITE: options->reads_statements = true; break;
        /* clang-format on */
    case COLOR:
        return parse_colour(&options->colour, optarg) ? -1 : wrong("--color is auto, always or never");
    case TOTAL:
        return add_total(options, optarg)
                   ? -1
                   : wrong("--total is [NAME=]FUNCTION(EXPRESSION); the function is count, sum, avg, min or max");
    case LIMIT:
        return parse_number(&options->limit, optarg) ? -1 : wrong("--limit needs a number of rows");
    case RANK_TOLERANCE:
        return parse_share(&options->rank_tolerance, optarg)
                   ? -1
                   : wrong("--rank-tolerance needs a share of the documents, as 0, 0.05 or inf");
    case SINCE:
        return parse_number(&options->since, optarg) ? -1 : wrong("--since needs a generation, a number");
    case JSON:
    case TUI:
        if (options->mode != MODE_TEXT) {
            return wrong("one of --json and --tui is enough");
        }
        options->mode = option == JSON ? MODE_JSON : MODE_TUI;
        break;
    case 'h':
        printf("%s%s", usage, help);
        return EXIT_SUCCESS;
    case 'V':
        printf("frwatch %s, library %s\n", FR_VERSION_STRING, fr_version());
        return EXIT_SUCCESS;
    default:
        return EXIT_UNUSABLE;
    }
    return -1;
}

/*
 * What is wrong with an option, in place of the message of getopt_long, which prints the argument
 * as it is.
 */
static int wrong_option(int option, const char *argument)
{
    if (option == ':') {
        message("%s needs a value", argument);
    } else if (optopt > 0 && optopt <= UCHAR_MAX && strncmp(argument, "--", 2) != 0) {
        message("-%c is not an option", optopt);
    } else {
        message("%s is not an option, or takes no value", argument);
    }
    fputs(usage, stderr);
    return EXIT_UNUSABLE;
}

int options_parse(struct options *options, int argc, char **argv)
{
    int option, status;
    memset(options, 0, sizeof *options);
    options->limit = -1;
    options->rank_tolerance = -1;
    options->since = -1;
    while ((option = getopt_long(argc, argv, ":hV", long_options, NULL)) != -1) {
        bool is_wrong = option == ':' || option == '?';
        status = is_wrong ? wrong_option(option, argv[optind - 1]) : take(options, option);
        if (status >= 0) {
            return status;
        }
    }
    if (argc - optind < 1 || argc - optind > 2) {
        return wrong(argc - optind < 1 ? "a database is needed" : "one table is enough");
    }
    options->database = argv[optind];
    options->table = argv[optind + 1];
    if (options->table == NULL
        && (options->mode == MODE_TUI || options->explain || options->reads_statements || options->statements.count > 0
            || options->command != NULL)) {
        return wrong("a table is needed");
    }
    if (options->since >= 0 && (options->mode != MODE_JSON || options->table == NULL)) {
        return wrong("--since needs --json and a table");
    }
    if (options->groups.count == 0 && (options->total_count > 0 || options->having != NULL)) {
        return wrong("--total and --having need --group");
    }
    if (options->explain
        && (options->mode != MODE_TEXT || options->reads_statements || options->statements.count > 0
            || options->command != NULL)) {
        return wrong("--explain goes with none of --json, --tui, --exec, --sql and --write");
    }
    if (options->is_immutable && (options->reads_statements || options->statements.count > 0)) {
        return wrong("--immutable goes with neither --sql nor --write");
    }
    if (options->mode == MODE_TUI
        && (options->once || options->quiet || options->reads_statements || options->statements.count > 0
            || options->command != NULL)) {
        return wrong("--tui goes with none of --once, --quiet, --exec, --sql and --write");
    }
    options->once = options->once || options->is_immutable;
    return -1;
}

/* An FTS5 table has a hidden column of its own name, to which MATCH is applied. */
static char *match_of(const char *table)
{
    char *text = malloc(2 * strlen(table) + sizeof "`` MATCH ?1");
    char *end = text;
    if (text == NULL) {
        return NULL;
    }
    *end++ = '`';
    for (const char *name = table; *name != '\0'; name++) {
        if (*name == '`') {
            *end++ = '`';
        }
        *end++ = *name;
    }
    strcpy(end, "` MATCH ?1");
    return text;
}

char *options_predicate(const struct options *options)
{
    char *match, *both = NULL;
    if (options->match == NULL) {
        return options->where != NULL ? strdup(options->where) : NULL;
    }
    match = match_of(options->table);
    if (match == NULL || options->where == NULL) {
        return match;
    }
    if (asprintf(&both, "%s AND (%s\n)", match, options->where) < 0) {
        both = NULL;
    }
    free(match);
    return both;
}

void options_free(struct options *options)
{
    struct names *all[] = {&options->sorts, &options->columns, &options->identity, &options->groups,
                           &options->statements};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        names_clear(all[i]);
    }
    for (size_t i = 0; i < options->total_count; i++) {
        total_clear(&options->totals[i]);
    }
    free(options->totals);
}
