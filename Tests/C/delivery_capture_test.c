/* Each way in which SQLite changes rows leads to exact records. */
#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k UNIQUE, v);" \
    "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');"

static void watch_rows(struct watched *watched, const char *more)
{
    struct text script = {NULL, 0, 0};
    text_add(&script, SCHEMA "%s", more);
    watch(watched, text_get(&script), "t", NULL, "k", NULL);
    text_free(&script);
}

static void delete_without_where(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "DELETE FROM t", "[delete 0.2; delete 0.1; delete 0.0]");
    unwatch(&w);
}

static void replace_by_identity_is_an_update(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "REPLACE INTO t VALUES (2, 20, 'B')", "[update 0.1>0.1 {v}]");
    unwatch(&w);
}

static void replace_takes_rows_in_conflict_away(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "REPLACE INTO t VALUES (4, 20, 'new')", "[delete 0.1; insert 0.1]");
    CHECK_REPORTED(&w, "UPDATE OR REPLACE t SET k = 30 WHERE id = 1", "[delete 0.2; move 0.0>0.1 {k}]");
    CHECK_LIST(w.list, "4 1");
    unwatch(&w);
}

static void upsert_and_ignore(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "INSERT INTO t VALUES (9, 10, 'x') ON CONFLICT(k) DO UPDATE SET v = excluded.v",
                   "[update 0.0>0.0 {v}]");
    CHECK_REPORTED(&w, "INSERT OR IGNORE INTO t VALUES (9, 10, 'y')", "");
    CHECK_REPORTED(&w, "INSERT INTO t VALUES (9, 10, 'y') ON CONFLICT DO NOTHING", "");
    unwatch(&w);
}

static void update_from_and_returning(void)
{
    struct watched w;
    watch_rows(&w, "CREATE TABLE news(id INTEGER PRIMARY KEY, v); INSERT INTO news VALUES (2, 'two');");
    CHECK_REPORTED(&w, "UPDATE t SET v = news.v FROM news WHERE news.id = t.id RETURNING t.id", "[update 0.1>0.1 {v}]");
    unwatch(&w);
}

static void triggers(void)
{
    struct watched w;
    watch_rows(&w, "CREATE TABLE log(what);"
                   "CREATE TRIGGER mirror AFTER INSERT ON log BEGIN"
                   "  INSERT INTO t VALUES (100 + (SELECT count(*) FROM log), new.what, 'from log');"
                   "  DELETE FROM t WHERE id = 1; END;");
    CHECK_REPORTED(&w, "INSERT INTO log VALUES (25)", "[delete 0.0; insert 0.1]");
    unwatch(&w);
}

static void instead_of_trigger_of_a_view(void)
{
    struct watched w;
    watch_rows(&w, "CREATE VIEW shown AS SELECT id, v FROM t;"
                   "CREATE TRIGGER write INSTEAD OF UPDATE ON shown BEGIN"
                   "  UPDATE t SET v = new.v WHERE id = new.id; END;");
    CHECK_REPORTED(&w, "UPDATE shown SET v = 'through' WHERE id = 3", "[update 0.2>0.2 {v}]");
    unwatch(&w);
}

static void foreign_key_actions(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE p(id INTEGER PRIMARY KEY);"
          "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE);"
          "INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (10, 1), (11, 2), (12, 1)",
          "c", NULL, NULL, NULL);
    CHECK_REPORTED(&w, "UPDATE p SET id = 3 WHERE id = 2", "[update 0.1>0.1 {p}]");
    CHECK_REPORTED(&w, "DELETE FROM p WHERE id = 1", "[delete 0.2; delete 0.0]");
    unwatch(&w);
}

static void set_null_action(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE p(id INTEGER PRIMARY KEY);"
          "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE SET NULL);"
          "INSERT INTO p VALUES (1); INSERT INTO c VALUES (10, 1), (11, NULL)",
          "c", "p", NULL, NULL);
    CHECK_REPORTED(&w, "DELETE FROM p", "[delete section 1 (1); move 1.0>0.0 {p}]");
    unwatch(&w);
}

static void table_without_rowid(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE t(a TEXT, b INTEGER, v, PRIMARY KEY (a, b)) WITHOUT ROWID;"
          "INSERT INTO t VALUES ('x', 1, 0), ('x', 2, 0), ('y', 1, 0)",
          "t", NULL, NULL, NULL);
    CHECK_REPORTED(&w, "UPDATE t SET v = 5 WHERE a = 'x' AND b = 2", "[update 0.1>0.1 {v}]");
    CHECK_REPORTED(&w, "INSERT INTO t VALUES ('w', 9, 0)", "[insert 0.0]");
    CHECK_REPORTED(&w, "UPDATE t SET a = 'z' WHERE b = 9", "[delete 0.0; insert 0.3]");
    CHECK_REPORTED(&w, "DELETE FROM t", "[delete 0.3; delete 0.2; delete 0.1; delete 0.0]");
    unwatch(&w);
}

static void table_with_a_text_key(void)
{
    struct watched w;
    watch(&w, "CREATE TABLE t(word TEXT PRIMARY KEY COLLATE NOCASE, n); INSERT INTO t VALUES ('b', 1), ('a', 2)", "t",
          NULL, NULL, NULL);
    CHECK_REPORTED(&w, "UPDATE t SET n = 3 WHERE word = 'B'", "[update 0.1>0.1 {n}]");
    CHECK_REPORTED(&w, "INSERT INTO t VALUES ('Ab', 1)", "[insert 0.1]");
    CHECK_LIST(w.list, "a Ab b");
    /* The same row, by the collation of its key. */
    CHECK_REPORTED(&w, "REPLACE INTO t VALUES ('AB', 7)", "[update 0.1>0.1 {word n}]");
    unwatch(&w);
}

static void table_without_a_key(void)
{
    struct watched w;
    watch(&w, "CREATE TABLE t(v); INSERT INTO t VALUES ('a'), ('b')", "t", NULL, "v", NULL);
    CHECK_REPORTED(&w, "INSERT INTO t VALUES ('aa')", "[insert 0.1]");
    CHECK_REPORTED(&w, "UPDATE t SET v = 'c' WHERE v = 'a'", "[move 0.0>0.2 {v}]");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE v = 'b'", "[delete 0.1]");
    unwatch(&w);
}

static void attached_and_temporary_tables(void)
{
    struct watched w;
    fr_list *temporary;
    struct recorder recorder;
    watch(&w,
          "ATTACH ':memory:' AS other; CREATE TABLE other.t(id INTEGER PRIMARY KEY);"
          "CREATE TABLE t(id INTEGER PRIMARY KEY); CREATE TEMP TABLE passing(id INTEGER PRIMARY KEY)",
          "other.t", NULL, NULL, NULL);
    temporary = list_of(w.store, "temp.passing", NULL, NULL, NULL);
    recorder_start(&recorder, temporary);
    CHECK_REPORTED(&w, "INSERT INTO main.t VALUES (1)", "");
    CHECK_REPORTED(&w, "INSERT INTO other.t VALUES (2)", "[insert 0.0]");
    CHECK_REPORTED(&w, "INSERT INTO passing VALUES (3)", "");
    CHECK_LOG(&recorder, "[insert 0.0]");
    fr_list_free(temporary);
    recorder_free(&recorder);
    unwatch(&w);
}

static void generated_columns(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b AS (a * 2) VIRTUAL, c AS (a + 1) STORED);"
          "INSERT INTO t(id, a) VALUES (1, 1), (2, 2)",
          "t", NULL, "-b", NULL);
    CHECK_LIST(w.list, "2 1");
    CHECK_REPORTED(&w, "UPDATE t SET a = 5 WHERE id = 1", "[move 0.1>0.0 {a b c}]");
    unwatch(&w);
}

static void schema_changes(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "CREATE INDEX by_v ON t(v)", "");
    CHECK_REPORTED(&w, "ALTER TABLE t ADD COLUMN extra DEFAULT 7",
                   "[update 0.0>0.0 {extra}; update 0.1>0.1 {extra}; update 0.2>0.2 {extra}]");
    CHECK_REPORTED(&w, "DROP INDEX by_v", "");
    CHECK_REPORTED(&w, "UPDATE t SET v = 'z' WHERE id = 1", "[update 0.0>0.0 {v}]");
    unwatch(&w);
}

static void vacuum_is_no_change(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "VACUUM", "");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 2", "[delete 0.1]");
    CHECK_LIST(w.list, "1 3");
    unwatch(&w);
}

/* The list retains its last state, reports that once, and continues when the table exists again. */
static void dropped_table_is_an_error_until_it_is_back(void)
{
    struct watched w;
    watch_rows(&w, "");
    CHECK_REPORTED(&w, "DROP TABLE t", "!FR_SCHEMA");
    CHECK_REPORTED(&w, "CREATE TABLE unrelated(x)", "");
    {
        int64_t count = 0;
        CHECK_OK(fr_list_count(&count, w.list));
        CHECK_INT(count, 3);
    }
    CHECK_REPORTED(&w,
                   "BEGIN; CREATE TABLE t(id INTEGER PRIMARY KEY, k UNIQUE, v);"
                   "INSERT INTO t VALUES (2, 20, 'b'), (4, 40, 'd'); COMMIT",
                   "[delete 0.2; delete 0.0; insert 0.1]");
    CHECK_LIST(w.list, "2 4");
    unwatch(&w);
}

static int64_t rows_read(fr_list *list)
{
    fr_counters counters;
    counters.struct_size = sizeof counters;
    counters.rows_read = -1;
    CHECK_OK(fr_controller_counters(&counters, list));
    return counters.rows_read;
}

/* Rows that were rolled back are read neither then nor at the next delivery. */
static void what_was_rolled_back_is_not_read_again(void)
{
    struct watched w;
    int64_t before, one, after;
    watch_rows(&w, "");
    before = rows_read(w.list);
    CHECK_REPORTED(&w, "UPDATE t SET v = 'x' WHERE id = 1", "[update 0.0>0.0 {v}]");
    one = rows_read(w.list) - before;
    before = rows_read(w.list);
    run(w.store, "BEGIN; UPDATE t SET v = 'y'; ROLLBACK");
    CHECK_REPORTED(&w, "UPDATE t SET v = 'z' WHERE id = 1", "[update 0.0>0.0 {v}]");
    after = rows_read(w.list) - before;
    CHECK_INT(after, one);
    unwatch(&w);
}

TESTS(delivery_capture_tests) = {
    TEST(what_was_rolled_back_is_not_read_again),
    TEST(delete_without_where),
    TEST(replace_by_identity_is_an_update),
    TEST(replace_takes_rows_in_conflict_away),
    TEST(upsert_and_ignore),
    TEST(update_from_and_returning),
    TEST(triggers),
    TEST(instead_of_trigger_of_a_view),
    TEST(foreign_key_actions),
    TEST(set_null_action),
    TEST(table_without_rowid),
    TEST(table_with_a_text_key),
    TEST(table_without_a_key),
    TEST(attached_and_temporary_tables),
    TEST(generated_columns),
    TEST(schema_changes),
    TEST(vacuum_is_no_change),
    TEST(dropped_table_is_an_error_until_it_is_back),
    END_OF_TESTS,
};
