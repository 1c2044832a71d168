/*
 * Lists of a full-text search: notes whose words triggers index, a search with many matches and one
 * with few. One document is written in a transaction, against the same transaction that nobody
 * observes.
 */
#include <stdio.h>
#include <string.h>

#include "fetches.h"
#include "groups.h"
#include "report.h"
#include "writer.h"

enum { WORDS = 12, TEXT_SIZE = 128 };

static const char schema[] = "CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL);"
                             "CREATE TABLE elsewhere(id INTEGER PRIMARY KEY, body TEXT NOT NULL);"
                             "CREATE VIRTUAL TABLE words USING fts5(body, content='notes', content_rowid='id');"
                             "CREATE TRIGGER note_inserted AFTER INSERT ON notes BEGIN"
                             " INSERT INTO words(rowid, body) VALUES (new.id, new.body); END;"
                             "CREATE TRIGGER note_deleted AFTER DELETE ON notes BEGIN"
                             " INSERT INTO words(words, rowid, body) VALUES ('delete', old.id, old.body); END;"
                             "CREATE TRIGGER note_updated AFTER UPDATE ON notes BEGIN"
                             " INSERT INTO words(words, rowid, body) VALUES ('delete', old.id, old.body);"
                             " INSERT INTO words(rowid, body) VALUES (new.id, new.body); END;";

#define MATCHES "id IN (SELECT rowid FROM words WHERE words MATCH ?1)"

/* Three in seven notes have "many", and one in 3,333 has "few". */
static void write_body(char body[TEXT_SIZE], int64_t number)
{
    int length = snprintf(body, TEXT_SIZE, "%s%s", number % 7 < 3 ? "many " : "", number % 3333 == 0 ? "few " : "");
    for (int word = 0; word < WORDS; word++) {
        length += snprintf(body + length, (size_t)(TEXT_SIZE - length), "w%x ", (unsigned)(next_random() % 20000));
    }
}

static int64_t document_count(void)
{
    return large() * 3 / 10;
}

/* The file with all notes, created when it is first needed. */
static const char *notes_file(void)
{
    static struct path path;
    if (path.text[0] != 0) return path.text;
    path = new_database("notes", document_count());
    restart_random();
    sqlite3 *db = open_database(path.text);
    execute(db, "PRAGMA journal_mode = WAL");
    execute(db, schema);
    execute(db, "BEGIN");
    sqlite3_stmt *insert = prepare(db, "INSERT INTO notes(body) VALUES (?1)");
    for (int64_t number = 1; number <= document_count(); number++) {
        char body[TEXT_SIZE];
        write_body(body, number);
        sqlite3_bind_text(insert, 1, body, -1, SQLITE_TRANSIENT);
        run(insert);
    }
    sqlite3_finalize(insert);
    execute(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
    return path.text;
}

static struct path notes_copy(const char *name)
{
    return copy_of(notes_file(), name, document_count());
}

static fr_list *search(fr_store *store, const char *text)
{
    fr_request *request;
    fr_list *list;
    fr_value parameter = fr_text(text);
    ok(fr_request_new(&request, "notes"));
    ok(fr_request_set_predicate(request, MATCHES, &parameter, 1));
    ok(fr_controller_new(&list, store, request));
    fr_request_free(request);
    ok(fr_list_perform_fetch(list));
    return list;
}

/*
 * A connection that writes one note in a transaction of its own; by plain SQLite, or by the
 * library.
 */
struct notes {
    sqlite3 *db;
    sqlite3_stmt *plain;
    fr_store *store;
    fr_statement *ours;
    int64_t next; /* the note that is written next */
    int64_t step;
};

/* A statement that has the text as ?1 and the id as ?2. */
static void open_notes(struct notes *notes, const char *sql, bool is_ours, const char *path)
{
    // Each write has a note of its own, far from the one before.
    *notes = (struct notes){.next = 1, .step = strncmp(sql, "INSERT", 6) == 0 ? 1 : 7919};
    if (notes->step == 1) notes->next = document_count() + 1;
    if (is_ours) {
        notes->store = open_store(path);
        ok(fr_statement_prepare(&notes->ours, notes->store, sql));
    } else {
        notes->db = open_database(path);
        notes->plain = prepare(notes->db, sql);
    }
}

static void write_note(void *context)
{
    struct notes *notes = context;
    char body[TEXT_SIZE];
    write_body(body, notes->next);
    fr_value values[] = {fr_text(body), fr_integer(notes->next)};
    notes->next += notes->step;
    if (notes->step > 1) notes->next %= document_count();
    if (notes->ours != NULL) {
        ok(fr_statement_bind(notes->ours, 1, &values[0]));
        ok(fr_statement_bind(notes->ours, 2, &values[1]));
        ok(fr_statement_execute(notes->ours));
    } else {
        sqlite3_bind_text(notes->plain, 1, body, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(notes->plain, 2, values[1].integer);
        run(notes->plain);
    }
}

static void close_notes(struct notes *notes)
{
    fr_statement_free(notes->ours);
    if (notes->store != NULL) ok(fr_store_close(notes->store));
    sqlite3_finalize(notes->plain);
    sqlite3_close(notes->db);
}

static int64_t rows_read(fr_list *list)
{
    fr_counters counters = {.struct_size = sizeof counters};
    ok(fr_controller_counters(&counters, list));
    return counters.rows_read;
}

static void measure_write(const char *what, const char *text, const char *sql)
{
    if (!wanted(what, document_count())) return;
    struct notes plain, ours;
    open_notes(&plain, sql, false, notes_copy("floor").text);
    open_notes(&ours, sql, true, notes_copy("ours").text);
    fr_list *list = search(ours.store, text);
    observe(list);
    int64_t before = rows_read(list);
    struct subject floor = {NULL, write_note, &plain}, observed = {NULL, write_note, &ours};
    struct plan plan = {50, 1500, 10, 1};
    struct comparison times = compare(floor, observed, plan);
    // A document that matches is read, and perhaps a row next to it.
    if (rows_read(list) - before > (int64_t)(2 * (plan.warm_up + plan.repetitions)))
        fail("the search was read as a whole");
    report_ratio(what, document_count(), times, 1.5, 0);
    fr_list_free(list);
    close_notes(&plain);
    close_notes(&ours);
}

static void measure_fetch(const char *what, const char *text)
{
    if (!wanted(what, document_count())) return;
    fr_store *store = open_store(notes_file());
    sqlite3 *db = open_database(notes_file());
    sqlite3_stmt *statement = prepare(db, "SELECT id FROM notes WHERE " MATCHES " ORDER BY id");
    sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    fr_list *list = search(store, text);
    struct plan few = {2, 15, 1, 1};
    report_ratio(what, document_count(), compare_fetch_again(statement, list, few), 1.1, 0);
    fr_list_free(list);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    ok(fr_store_close(store));
}

struct followed {
    struct notes *writer;
    fr_store *store;
};

static void write_before(void *context)
{
    write_note(((struct followed *)context)->writer);
}

static void dispatch(void *context)
{
    ok(fr_store_dispatch(((struct followed *)context)->store));
}

static void measure_foreign(const char *what, const char *text)
{
    if (!wanted(what, document_count())) return;
    struct path path = notes_copy("foreign");
    struct notes writer;
    fr_store *store = open_store(path.text);
    fr_list *list = search(store, text);
    observe(list);
    open_notes(&writer, "UPDATE notes SET body = ?1 WHERE id = ?2", false, path.text);
    struct followed followed = {&writer, store};
    struct subject idle = {NULL, dispatch, &followed}, following = {write_before, dispatch, &followed};
    struct plan plan = {50, 1000, 1, 1};
    struct comparison times = compare(idle, following, plan);
    struct row row = {what, document_count(), times.floor, times.ours, NANOSECONDS, times.ours.p50, 300e3, 0};
    report(row);
    fr_list_free(list);
    close_notes(&writer);
    ok(fr_store_close(store));
}

void measure_searches(void)
{
    static const char insert[] = "INSERT INTO notes(body, id) VALUES (?1, ?2)";
    static const char update[] = "UPDATE notes SET body = ?1 WHERE id = ?2";
    static const char delete[] = "DELETE FROM notes WHERE id = ?2 AND ?1 <> ''";
    static const char elsewhere[] = "INSERT INTO elsewhere(body, id) VALUES (?1, ?2)";
    measure_write("search with 130,000 matches: insert a document", "many", insert);
    measure_write("search with 130,000 matches: update a document", "many", update);
    measure_write("search with 130,000 matches: delete a document", "many", delete);
    measure_write("search with 130,000 matches: insert into another table", "many", elsewhere);
    measure_write("search with 90 matches: insert a document", "few", insert);
    measure_write("search with 90 matches: update a document", "few", update);
    measure_write("search with 90 matches: delete a document", "few", delete);
    measure_fetch("search with 130,000 matches: fetch", "many");
    measure_foreign("search with 130,000 matches: foreign commit of one document", "many");
}
