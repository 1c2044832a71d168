/*
 * Shows a table as a live list, and what each statement changes in it.
 *
 *     cc frwatch.c $(pkg-config --cflags --libs fetchedresults) -o frwatch
 *     frwatch shop.db items --section kind --sort name --exec "DELETE FROM items WHERE stock = 0"
 *
 * Without --exec, each line of the standard input is one statement. The list and the changes go to the standard
 * output, errors to the standard error. Exit status: 0; 1 if a statement failed (the others are run all the same); 2
 * if the list can't be shown or the arguments are wrong.
 */
#define _POSIX_C_SOURCE 200809L

#include <fetchedresults.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 1, UNUSABLE = 2 };

static const char usage[] =
    "usage: frwatch DATABASE TABLE [--section COLUMN] [--sort COLUMN]... [--where SQL] [--exec SQL]...\n"
    "\n"
    "Shows the rows of a table or of what --where leaves of it, in sections, in order, then runs\n"
    "the statements given, or those on the standard input, one on each line, and shows what each\n"
    "changes in the list. A COLUMN may be a path through foreign keys (list_id.title); with a\n"
    "minus before it, it descends (--sort -price).\n";

struct arguments {
    const char *database;
    const char *table;
    const char *section;
    const char *where;
    const char **sorts;
    const char **statements;
    int sort_count;
    int statement_count;
};

static void give_up(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "frwatch: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(UNUSABLE);
}

/* The value of an option; NULL if the argument is another one. */
static const char *option_value(const char *name, char **argv, int argc, int *index)
{
    if (strcmp(argv[*index], name) != 0) {
        return NULL;
    }
    if (*index + 1 >= argc) {
        give_up("%s needs a value", name);
    }
    *index += 1;
    return argv[*index];
}

static struct arguments parse(int argc, char **argv)
{
    struct arguments parsed;
    const char *value;
    int index;
    memset(&parsed, 0, sizeof parsed);
    parsed.sorts = calloc((size_t)argc, sizeof *parsed.sorts);
    parsed.statements = calloc((size_t)argc, sizeof *parsed.statements);
    if (parsed.sorts == NULL || parsed.statements == NULL) {
        give_up("no memory");
    }
    for (index = 1; index < argc; index++) {
        if (strcmp(argv[index], "--help") == 0) {
            fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        } else if ((value = option_value("--section", argv, argc, &index)) != NULL) {
            parsed.section = value;
        } else if ((value = option_value("--sort", argv, argc, &index)) != NULL) {
            parsed.sorts[parsed.sort_count++] = value;
        } else if ((value = option_value("--where", argv, argc, &index)) != NULL) {
            parsed.where = value;
        } else if ((value = option_value("--exec", argv, argc, &index)) != NULL) {
            parsed.statements[parsed.statement_count++] = value;
        } else if (argv[index][0] == '-') {
            give_up("unknown option %s; --help tells the known ones", argv[index]);
        } else if (parsed.database == NULL) {
            parsed.database = argv[index];
        } else if (parsed.table == NULL) {
            parsed.table = argv[index];
        } else {
            give_up("one table is enough: %s", argv[index]);
        }
    }
    if (parsed.table == NULL) {
        fputs(usage, stderr);
        exit(UNUSABLE);
    }
    return parsed;
}

static void check(fr_status status, const char *what)
{
    if (status != FR_OK) {
        give_up("%s: %s", what, fr_error_message());
    }
}

static void print_value(const fr_value *value)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        printf("%lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        printf("%.15g", value->real);
        break;
    case FR_TYPE_TEXT:
        fwrite(value->data, 1, (size_t)value->length, stdout);
        break;
    case FR_TYPE_BLOB:
        printf("(%lld bytes)", (long long)value->length);
        break;
    default:
        printf("NULL");
    }
}

/* A row on one line: its values, without column names. */
static void print_object(fr_object *object)
{
    int64_t count, column;
    check(fr_object_column_count(&count, object), "row");
    for (column = 0; column < count; column++) {
        fr_value value;
        fputs(column == 0 ? "" : " | ", stdout);
        check(fr_object_value(&value, object, column), "row");
        print_value(&value);
    }
}

static void print_list(fr_list *list)
{
    fr_index_path path;
    int64_t sections;
    check(fr_list_section_count(&sections, list), "list");
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        check(fr_list_section(&section, list, path.section), "list");
        printf("[%lld] %s (%lld)\n", (long long)path.section, section.name == NULL ? "-" : section.name,
               (long long)section.count);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *object;
            check(fr_list_object_at(&object, list, path), "list");
            printf("[%lld, %lld] ", (long long)path.section, (long long)path.row);
            print_object(object);
            printf("\n");
            fr_object_unref(object);
        }
    }
}

static const char *const verbs[] = {"", "insert", "delete", "move", "update"};

static void print_path(fr_index_path path)
{
    printf(" [%lld", (long long)path.section);
    if (path.row >= 0) {
        printf(", %lld", (long long)path.row);
    }
    printf("]");
}

static void print_change(const fr_change *change)
{
    printf("  %s%s", verbs[change->type], change->kind == FR_SECTION ? " section" : "");
    if (change->type != FR_INSERT) {
        print_path(change->old_path);
    }
    if (change->type == FR_MOVE || change->type == FR_UPDATE) {
        printf(" ->");
    }
    if (change->type != FR_DELETE) {
        print_path(change->new_path);
    }
    printf(": ");
}

static void section_change(fr_list *list, const fr_section_info *section, const fr_change *change,
                           fr_change_set *changes, void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
    print_change(change);
    printf("%s\n", section->name == NULL ? "-" : section->name);
}

static void object_change(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
    print_change(change);
    if (object != NULL) {
        print_object(object);
    }
    printf("\n");
}

static void list_failed(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    (void)user_data;
    fflush(stdout);
    fprintf(stderr, "frwatch: the list can't follow: %s: %s\n", fr_status_name(error->status), error->message);
}

/* 1, which is also FR_DESCENDING, for a column with a minus before it. */
static uint32_t descends(const char *column)
{
    return column[0] == '-' ? FR_DESCENDING : FR_ASCENDING;
}

static fr_list *make_list(fr_store *store, const struct arguments *arguments)
{
    static const fr_observer observer = {sizeof observer, NULL, section_change, object_change, NULL, NULL,
                                         list_failed,     NULL};
    const char *section = arguments->section;
    fr_request *request;
    fr_list *list;
    int index;
    check(fr_request_new(&request, arguments->table), arguments->table);
    if (section != NULL) {
        check(fr_request_set_section(request, section + descends(section), descends(section), NULL), "--section");
    }
    for (index = 0; index < arguments->sort_count; index++) {
        const char *sort = arguments->sorts[index];
        check(fr_request_add_sort(request, sort + descends(sort), descends(sort), NULL), "--sort");
    }
    check(fr_request_set_predicate(request, arguments->where, NULL, 0), "--where");
    check(fr_controller_new(&list, store, request), arguments->table);
    fr_request_free(request);
    check(fr_list_perform_fetch(list), arguments->table);
    check(fr_list_add_observer(NULL, list, &observer, NULL, NULL), arguments->table);
    return list;
}

/* Whether it went well. Its changes are printed before it returns. */
static int execute(fr_store *store, const char *sql)
{
    printf("> %s\n", sql);
    if (fr_store_execute(store, sql, NULL, 0) == FR_OK) {
        fflush(stdout);
        return 1;
    }
    fflush(stdout);
    fprintf(stderr, "frwatch: %s: %s\n", fr_status_name(fr_error_status()), fr_error_message());
    return 0;
}

static int execute_lines(fr_store *store)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int good = 1;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] != '\0') {
            good &= execute(store, line);
        }
    }
    free(line);
    return good;
}

int main(int argc, char **argv)
{
    struct arguments arguments = parse(argc, argv);
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_NO_CREATE};
    fr_store *store;
    fr_list *list;
    int index, good = 1;

    check(fr_store_open(&store, arguments.database, &options), arguments.database);
    list = make_list(store, &arguments);
    print_list(list);
    fflush(stdout);
    for (index = 0; index < arguments.statement_count; index++) {
        good &= execute(store, arguments.statements[index]);
    }
    if (arguments.statement_count == 0) {
        good &= execute_lines(store);
    }
    fr_list_free(list);
    check(fr_store_close(store), arguments.database);
    free(arguments.sorts);
    free(arguments.statements);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        give_up("standard output: write error");
    }
    return good ? EXIT_SUCCESS : FAILED;
}
