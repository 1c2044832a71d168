/* Many rows are inserted in one transaction, observed. */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

enum { INSERTS = 10000 };

#define INSERT "INSERT INTO items VALUES (?, ?, ?, ?, ?)"
#define UNDO "DELETE FROM items WHERE id > "

struct floor {
    sqlite3 *db;
    sqlite3_stmt *insert;
    sqlite3_stmt *undo;
};

static void undo_plain(void *context)
{
    run(((struct floor *)context)->undo);
}

static void insert_plain(void *context)
{
    struct floor *floor = context;
    execute(floor->db, "BEGIN IMMEDIATE");
    for (int64_t id = 1; id <= INSERTS; id++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        sqlite3_bind_int64(floor->insert, 1, large() + id);
        sqlite3_bind_int64(floor->insert, 2, (int64_t)(next_random() % SECTIONS));
        sqlite3_bind_text(floor->insert, 3, name, NAME_LENGTH, SQLITE_TRANSIENT);
        sqlite3_bind_double(floor->insert, 4, 0.5);
        sqlite3_bind_int64(floor->insert, 5, 0);
        run(floor->insert);
    }
    execute(floor->db, "COMMIT");
}

struct ours {
    fr_store *store;
    fr_statement *insert;
    fr_statement *undo;
};

static void undo_through_store(void *context)
{
    ok(fr_statement_execute(((struct ours *)context)->undo));
}

static void insert_through_store(void *context)
{
    struct ours *ours = context;
    ok(fr_store_begin(ours->store, FR_IMMEDIATE));
    for (int64_t id = 1; id <= INSERTS; id++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        fr_value values[] = {fr_integer(large() + id), fr_integer((int64_t)(next_random() % SECTIONS)), fr_text(name),
                             fr_real(0.5), fr_integer(0)};
        for (int column = 0; column < 5; column++) ok(fr_statement_bind(ours->insert, column + 1, &values[column]));
        ok(fr_statement_execute(ours->insert));
    }
    ok(fr_store_commit(ours->store));
}

void measure_inserts(void)
{
    const char *what = "10,000 inserts in one transaction, per row";
    if (!wanted(what, large())) return;
    char undo[64];
    sqlite3_snprintf(sizeof undo, undo, UNDO "%lld", large());
    struct floor floor = {open_database(copy_of_items(large(), "floor").text), NULL, NULL};
    floor.insert = prepare(floor.db, INSERT);
    floor.undo = prepare(floor.db, undo);
    struct ours ours = {open_store(copy_of_items(large(), "ours").text), NULL, NULL};
    ok(fr_statement_prepare(&ours.insert, ours.store, INSERT));
    ok(fr_statement_prepare(&ours.undo, ours.store, undo));
    fr_list *controller = fetch(ours.store, items_by_name);
    observe(controller);
    struct plan plan = {1, 15, 1, INSERTS};
    struct subject plain = {undo_plain, insert_plain, &floor};
    struct subject observed = {undo_through_store, insert_through_store, &ours};
    report_ratio(what, large(), compare(plain, observed, plan), 1.4, 1.2);
    fr_list_free(controller);
    fr_statement_free(ours.insert);
    fr_statement_free(ours.undo);
    ok(fr_store_close(ours.store));
    sqlite3_finalize(floor.insert);
    sqlite3_finalize(floor.undo);
    sqlite3_close(floor.db);
}
