/*
 * fuzz-c SEED [CALLS]: random calls of the C interface beside another process that writes. With
 * FR_LOG, everything is printed.
 */
#include "world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA \
    "CREATE TABLE kinds(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, kind_id REFERENCES kinds, name TEXT, rank);" \
    "CREATE TABLE pairs(a TEXT COLLATE NOCASE, b INT, v, PRIMARY KEY(a, b)) WITHOUT ROWID;" \
    "CREATE TABLE plain(name TEXT, v);" \
    "CREATE TABLE keyed(k INT PRIMARY KEY, v);" \
    "CREATE VIEW v_items AS SELECT t.id AS id, t.name AS name, kinds.name AS kind" \
    " FROM t LEFT JOIN kinds ON kinds.id = t.kind_id;" \
    "INSERT INTO kinds VALUES (1, 'a'), (2, 'b');" \
    "INSERT INTO t VALUES (1, 1, 'a', 0), (2, 2, 'b', 1), (3, NULL, NULL, 2), (4, 1, 'ab', 1);" \
    "INSERT INTO pairs VALUES ('x', 0, 1), ('y', 1, 2); INSERT INTO plain VALUES ('a', 1), ('b', 2);" \
    "INSERT INTO keyed VALUES (1, 1), (5, 2);"

static void make_file(void)
{
    sqlite3 *db = NULL;
    char mode[60];
    world.journal_mode = one_in(5) ? ONE_OF("delete", "truncate", "persist") : "wal";
    snprintf(mode, sizeof mode, "PRAGMA journal_mode = %s; PRAGMA page_size = 512", world.journal_mode);
    if (sqlite3_open(world.path, &db) != SQLITE_OK) fault("no file");
    if (sqlite3_exec(db, "PRAGMA page_size = 512", NULL, NULL, NULL) != SQLITE_OK) fault("no page size");
    if (sqlite3_exec(db, mode, NULL, NULL, NULL) != SQLITE_OK) fault("no mode");
    if (sqlite3_exec(db, SCHEMA, NULL, NULL, NULL) != SQLITE_OK) fault("no schema: %s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

void world_open(void)
{
    fr_store_options options = {0};
    fr_status status;
    options.struct_size = sizeof options;
    options.flags = (world.is_queued ? FR_STORE_QUEUED : 0) | (one_in(3) ? FR_STORE_NO_FOREIGN_KEYS : 0);
    options.busy_timeout_ms = -1;
    options.journal_mode = "unchanged";
    options.snapshot_limit = one_in(8) ? (one_in(2) ? -1 : 20000) : 0;
    if (world.is_adopted) {
        if (world.adopted == NULL && sqlite3_open(world.path, &world.adopted) != SQLITE_OK) fault("no connection");
        status = fr_store_adopt(&world.store, world.adopted, &options);
    } else {
        status = fr_store_open(&world.store, world.path, &options);
    }
    note("%s is opened%s%s%s, the snapshot's limit is %lld", world.journal_mode, world.is_adopted ? ", adopted" : "",
         options.flags & FR_STORE_QUEUED ? ", queued" : "",
         options.flags & FR_STORE_NO_FOREIGN_KEYS ? ", without foreign keys" : "", (long long)options.snapshot_limit);
    if (status != FR_OK && status != FR_BUSY) fault("opening: %s", fr_error_message());
}

/* Frees what came from a store, after it was closed. */
void world_close(void)
{
    int index;
    for (index = 0; index < VIEWS; index++) {
        fr_coordinator_free(world.coordinators[index]);
        fr_data_source_free(world.sources[index]);
        world.coordinators[index] = NULL;
        world.sources[index] = NULL;
        fr_list_free(world.windows[index]);
        world.windows[index] = NULL;
    }
    for (index = 0; index < STATEMENTS; index++) {
        fr_statement_free(world.statements[index]);
        world.statements[index] = NULL;
    }
    for (index = 0; index < LISTS; index++) {
        if (world.lists[index].list != NULL) lists_free(&world.lists[index]);
    }
    if (world.adopted != NULL) sqlite3_exec(world.adopted, "ROLLBACK", NULL, NULL, NULL);
}

static void make_rest(void)
{
    static const char *const columns[] = {"name"};
    fr_entity entity = {0};
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    if (fr_entity_list_new(&world.entity_list, &entity, NULL, NULL, NULL, NULL) != FR_OK) fault("no entity list");
    fr_cell_new(&world.cell, columns, 1, NULL, NULL, NULL);
    fr_placeholder_new(&world.placeholder, "hint", NULL);
    fr_request_new(&world.request, "t");
}

/* Ends transactions, statements and pauses. */
static void end_all(void)
{
    bool is_open = true;
    int index;
    if (writer_holds_lock()) writer_run("COMMIT");
    for (index = 0; index < STATEMENTS; index++) {
        if (world.statements[index] != NULL) fr_statement_reset(world.statements[index]);
    }
    while (world.store != NULL && fr_store_in_transaction(&is_open, world.store) == FR_OK && is_open) {
        if (fr_store_commit(world.store) != FR_OK && fr_store_rollback(world.store) != FR_OK) break;
    }
    for (index = 0; index < LISTS; index++) {
        if (world.lists[index].list == NULL) continue;
        fr_section_map_set_disabled(world.lists[index].list, false);
        fr_controller_resume(world.lists[index].list, false);
    }
}

/* Compares everything, after a dispatch in which callbacks do nothing. */
void settle(void)
{
    fr_status status = FR_OK;
    int tries;
    /* Callbacks may begin, write and pause again. */
    end_all();
    world.budget = 0;
    end_all();
    for (tries = 0; tries < 20 && world.store != NULL; tries++) {
        status = fr_store_dispatch(world.store);
        note("the lists are settled: %s", status == FR_OK ? "dispatched" : fr_error_message());
    }
    if (status != FR_OK) fault("the last dispatch: %s", fr_error_message());
    if (world.store != NULL) check_lists(true);
}

static void print_summary(void)
{
    printf("{\"calls\": %ld, \"checks\": %ld, \"compared\": %ld, \"deliveries\": %ld}\n", world.calls, world.checks,
           world.compared, world.deliveries);
}

static void stopped(int signal_number)
{
    (void)signal_number;
    fault("a call did not return");
}

int main(int argc, char **argv)
{
    const char *parent = getenv("TMPDIR");
    char folder[150];
    if (argc == 3 && strcmp(argv[1], "--writer") == 0) writer_main(argv[2]);
    if (argc < 2) return 2;
    world.seed = world.random = strtoull(argv[1], NULL, 10);
    world.last_step = argc > 2 ? strtol(argv[2], NULL, 10) : 30000;
    world.is_logging = getenv("FR_LOG") != NULL;
    snprintf(folder, sizeof folder, "%s/fuzz-c-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(folder) == NULL) return 2;
    snprintf(world.path, sizeof world.path, "%s/world.db", folder);
    signal(SIGALRM, stopped);
    signal(SIGPIPE, SIG_IGN);
    make_file();
    writer_start(argv[0]);
    if (sqlite3_open(world.path, &world.reader) != SQLITE_OK) fault("no reader");
    world.is_queued = one_in(3);
    world.is_adopted = one_in(6);
    make_rest();
    for (; world.calls < world.last_step; world.step++) {
        if (world.store == NULL) {
            world_close();
            world_open();
        }
        alarm(120);
        world.budget = 20;
        random_call();
        if (one_in(400)) settle();
    }
    settle();
    if (world.store != NULL) DO(fr_store_close(world.store));
    world_close();
    writer_end();
    sqlite3_close(world.reader);
    sqlite3_close(world.adopted);
    print_summary();
    snprintf(world.path, sizeof world.path, "rm -r %s", folder);
    return system(world.path) == 0 ? 0 : 2;
}
