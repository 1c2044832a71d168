/* Many rows are inserted in one transaction, observed. */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

enum { INSERTS = 10000 };

#define INSERT "INSERT INTO items VALUES (?, ?, ?, ?, ?)"

struct floor {
    sqlite3 *db;
    sqlite3_stmt *insert;
    int64_t last_id;
};

static void insert_plain(void *context)
{
    struct floor *floor = context;
    execute(floor->db, "BEGIN IMMEDIATE");
    for (int index = 0; index < INSERTS; index++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        sqlite3_bind_int64(floor->insert, 1, ++floor->last_id);
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
    int64_t last_id;
};

static void insert_through_store(void *context)
{
    struct ours *ours = context;
    ok(fr_store_begin(ours->store, FR_IMMEDIATE));
    for (int index = 0; index < INSERTS; index++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        fr_value values[] = {fr_integer(++ours->last_id), fr_integer((int64_t)(next_random() % SECTIONS)),
                             fr_text(name), fr_real(0.5), fr_integer(0)};
        for (int column = 0; column < 5; column++) ok(fr_statement_bind(ours->insert, column + 1, &values[column]));
        ok(fr_statement_execute(ours->insert));
    }
    ok(fr_store_commit(ours->store));
}

void measure_inserts(void)
{
    const char *what = "10,000 inserts in one transaction, per row";
    if (!wanted(what, large())) return;
    struct floor floor = {open_database(copy_of_items(large(), "floor").text), NULL, large()};
    floor.insert = prepare(floor.db, INSERT);
    struct ours ours = {open_store(copy_of_items(large(), "ours").text), NULL, large()};
    ok(fr_statement_prepare(&ours.insert, ours.store, INSERT));
    fr_list *controller = fetch(ours.store, items_by_name);
    observe(controller);
    struct plan plan = {1, 15, 1, INSERTS};
    struct subject plain = {NULL, insert_plain, &floor};
    struct subject observed = {NULL, insert_through_store, &ours};
    report_ratio(what, large(), compare(plain, observed, plan), 1.4, 1.2);
    fr_list_free(controller);
    fr_statement_free(ours.insert);
    ok(fr_store_close(ours.store));
    sqlite3_finalize(floor.insert);
    sqlite3_close(floor.db);
}
