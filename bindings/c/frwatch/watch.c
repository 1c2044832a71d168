/* Opening the store and the list. */
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "refusal.h"
#include "schema.h"

static fr_store_options reading_only(bool is_immutable)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_READ_ONLY | FR_STORE_NO_CREATE};
    options.flags |= is_immutable ? FR_STORE_IMMUTABLE : FR_STORE_FOLLOW_PATH;
    return options;
}

static fr_status journal_mode_of(char *mode, size_t size, fr_store *store)
{
    fr_statement *statement = NULL;
    fr_value value = fr_null();
    bool has_row = false;
    fr_status status = fr_statement_prepare(&statement, store, "PRAGMA journal_mode");
    if (status == FR_OK) {
        status = fr_statement_step(&has_row, statement);
    }
    if (status == FR_OK) {
        status = fr_statement_value(&value, statement, 0);
    }
    if (status == FR_OK) {
        snprintf(mode, size, "%s", value.type == FR_TYPE_TEXT ? value.data : "");
    }
    fr_statement_free(statement);
    return status;
}

/*
 * A store that can write gives the file a journal mode: it is asked for the one that the file has.
 */
static fr_status read_journal_mode(char *mode, size_t size, const char *path)
{
    const fr_store_options options = reading_only(false);
    fr_store *store = NULL;
    fr_status status = fr_store_open(&store, path, &options);
    if (status == FR_OK) {
        status = journal_mode_of(mode, size, store);
    }
    if (status != FR_OK) {
        refusal_of_database(path);
    }
    fr_store_close(store);
    return status;
}

static bool open_store(struct watch *watch)
{
    const struct options *options = watch->options;
    fr_store_options opening = reading_only(options->is_immutable);
    char mode[32];
    if (options->reads_statements || options->statements.count > 0) {
        if (read_journal_mode(mode, sizeof mode, options->database) != FR_OK) {
            return false;
        }
        opening.flags &= ~(uint32_t)FR_STORE_READ_ONLY;
        opening.journal_mode = mode;
    }
    if (fr_store_open(&watch->store, options->database, &opening) != FR_OK) {
        refusal_of_database(options->database);
        return false;
    }
    watch_has_other_file(watch);
    /* If that fails, so does the list, which says why. */
    watch->has_log = journal_mode_of(mode, sizeof mode, watch->store) == FR_OK && strcmp(mode, "wal") == 0;
    return true;
}

/* A minus before a key stands for descending. */
static uint32_t order_of(const char **key)
{
    if (**key != '-') {
        return FR_ASCENDING;
    }
    *key += 1;
    return FR_DESCENDING;
}

static fr_status describe_groups(fr_request *request, const struct options *options, const char **what)
{
    fr_status status;
    *what = "--group";
    status = fr_request_set_group_by(request, (const char *const *)options->groups.items, options->groups.count);
    for (size_t i = 0; status == FR_OK && i < options->total_count; i++) {
        const struct total *total = &options->totals[i];
        *what = "--total";
        status = fr_request_add_total(request, total->name, total->function, total->expression);
    }
    if (status == FR_OK && options->having != NULL) {
        *what = "--having";
        status = fr_request_set_having(request, options->having, NULL, 0);
    }
    return status;
}

static fr_status describe_predicate(fr_request *request, const struct options *options, const char **what)
{
    fr_value text = options->match != NULL ? fr_text(options->match) : fr_null();
    char *predicate = options_predicate(options);
    fr_status status = FR_OK;
    if (predicate != NULL) {
        *what = options->match != NULL ? "--match" : "--where";
        status = fr_request_set_predicate(request, predicate, &text, options->match != NULL ? 1 : 0);
    }
    free(predicate);
    return status;
}

static fr_status describe(fr_request *request, const struct options *options, const char **what)
{
    fr_status status = FR_OK;
    const char *key = options->section;
    if (key != NULL) {
        uint32_t order = order_of(&key);
        *what = "--section";
        status = fr_request_set_section(request, key, order, NULL);
    }
    for (size_t i = 0; status == FR_OK && i < options->sorts.count; i++) {
        uint32_t order;
        key = options->sorts.items[i];
        order = order_of(&key);
        *what = "--sort";
        status = fr_request_add_sort(request, key, order, NULL);
    }
    if (status == FR_OK && options->columns.count > 0) {
        *what = "--columns";
        status = fr_request_set_columns(request, (const char *const *)options->columns.items, options->columns.count);
    }
    if (status == FR_OK && options->identity.count > 0) {
        *what = "--identity";
        status = fr_request_set_identity(request, (const char *const *)options->identity.items,
                                         options->identity.count);
    }
    if (status == FR_OK) {
        status = describe_predicate(request, options, what);
    }
    if (status == FR_OK && options->limit >= 0) {
        *what = "--limit";
        status = fr_request_set_limit(request, options->limit, 0);
    }
    if (status == FR_OK && options->rank_tolerance >= 0) {
        *what = "--rank-tolerance";
        status = fr_request_set_rank_tolerance(request, options->rank_tolerance);
    }
    return status == FR_OK && options->groups.count > 0 ? describe_groups(request, options, what) : status;
}

/*
 * The generation is read before the list is, so it is never ahead of the list. If it can't be read,
 * there is none: a reader can't resume there, and what follows reports why.
 */
static void note_generation(struct watch *watch)
{
    const struct options *options = watch->options;
    bool has_history = false;
    watch->generation = 0;
    if ((options->mode == MODE_JSON || options->command != NULL)
        && fr_store_has_history(&has_history, watch->store, watch->options->table) == FR_OK && has_history
        && fr_store_history_generation(&watch->generation, watch->store) != FR_OK) {
        watch->generation = 0;
    }
}

static bool open_list(struct watch *watch)
{
    const char *what = watch->options->table;
    fr_request *request = NULL;
    fr_status status;
    note_generation(watch);
    status = fr_request_new(&request, watch->options->table);
    if (status == FR_OK) {
        status = describe(request, watch->options, &what);
    }
    if (status == FR_OK) {
        what = watch->options->table;
        status = fr_controller_new(&watch->list, watch->store, request);
    }
    if (status == FR_OK && !watch->options->explain) {
        status = fr_list_perform_fetch(watch->list);
    }
    if (status != FR_OK) {
        refusal_of_list(watch->store, watch->options, what);
    }
    fr_request_free(request);
    return status == FR_OK;
}

bool watch_open(struct watch *watch, const struct options *options)
{
    memset(watch, 0, sizeof *watch);
    watch->options = options;
    if (!open_store(watch)) {
        return false;
    }
    if (options->table != NULL && !open_list(watch)) {
        fr_list_free(watch->list);
        fr_store_close(watch->store);
        return false;
    }
    return true;
}

static void did_deliver(fr_list *list, fr_change_set *changes, void *user_data)
{
    struct watch *watch = user_data;
    (void)list;
    watch->deliveries++;
    watch->reporter.delivered(watch, changes, watch->reporter.user_data);
}

static void did_fail(fr_list *list, const fr_error *error, void *user_data)
{
    struct watch *watch = user_data;
    (void)list;
    watch->reporter.failed(watch, error, watch->reporter.user_data);
}

bool watch_report(struct watch *watch, struct reporter reporter)
{
    static const fr_observer observer = {
        .struct_size = sizeof observer, .did_deliver = did_deliver, .did_fail = did_fail};
    watch->reporter = reporter;
    if (fr_list_add_observer(NULL, watch->list, &observer, watch, NULL) != FR_OK) {
        message_of_error(watch->options->table);
        return false;
    }
    return true;
}

bool watch_descriptor(struct watch *watch, int32_t *descriptor)
{
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    if (fr_store_file_descriptor(descriptor, watch->store) != FR_OK
        || fr_store_wake_up_source(&source, watch->store) != FR_OK) {
        message_of_error(watch->options->database);
        return false;
    }
    if (source == FR_WAKE_UP_INTERVAL) {
        message("%s: the kernel gives no notice of what others write; looking ten times a second",
                watch->options->database);
    }
    return true;
}

bool watch_dispatch(struct watch *watch, bool *is_busy)
{
    fr_status status;
    note_generation(watch);
    status = fr_store_dispatch(watch->store);
    *is_busy = status == FR_BUSY;
    if (status != FR_OK && status != FR_BUSY && !watch_waits_for_file()) {
        message_of_error(watch->options->database);
        return false;
    }
    if (status == FR_OK && watch_has_other_file(watch)) {
        message("%s: %s", watch->options->database, OTHER_FILE);
    }
    return true;
}

bool watch_execute(struct watch *watch, const char *sql)
{
    note_generation(watch);
    if (fr_store_execute_script(watch->store, sql) != FR_OK) {
        message_of_error("statement");
        return false;
    }
    return true;
}

bool watch_waits_for_file(void)
{
    const int32_t moved = 8 | 4 << 8; /* SQLITE_READONLY_DBMOVED */
    return fr_error_sqlite_code() == moved;
}

bool watch_has_other_file(struct watch *watch)
{
    struct stat former = watch->file;
    /* A file that is gone again is reported by the next dispatch. */
    return stat(watch->options->database, &watch->file) == 0
           && (former.st_ino != watch->file.st_ino || former.st_dev != watch->file.st_dev);
}

void watch_columns(struct watch *watch, struct names *names)
{
    const struct options *options = watch->options;
    const struct names *chosen = options->columns.count > 0 ? &options->columns : &options->groups;
    for (size_t i = 0; i < chosen->count; i++) {
        names_add(names, chosen->items[i]);
    }
    for (size_t i = 0; chosen == &options->groups && i < options->total_count; i++) {
        names_add(names, options->totals[i].name);
    }
    if (chosen->count == 0 && schema_columns(names, watch->store, watch->options->table) != FR_OK) {
        message_of_error(watch->options->table);
    }
}

bool watch_close(struct watch *watch)
{
    fr_list_free(watch->list);
    if (fr_store_close(watch->store) != FR_OK) {
        message_of_error(watch->options->database);
        return false;
    }
    return true;
}
