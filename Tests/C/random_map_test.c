/*
 * Random transactions over section maps of several kinds, each replayed by the recorder and compared with a freshly
 * fetched map, also after fetches in the background. Sections may get one key: such a map keeps its last state until
 * its keys differ. A failure prints the seed and the SQL since the start; FR_SEED in the environment runs that seed
 * alone.
 */
#include <stdlib.h>
#include <string.h>

#include "background.h"
#include "maps.h"
#include "random.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE g(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, place, hidden DEFAULT 0, v DEFAULT 0);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g REFERENCES g ON DELETE SET NULL, s, k, v DEFAULT 0);" \
    "INSERT INTO g(id, name, place) VALUES (1, 'a', 2), (2, 'b', 1), (3, 'c', 3);" \
    "INSERT INTO t(id, g, s, k) VALUES (1, 1, 'a', 1), (2, 2, 'B', 5), (3, NULL, 'd', 2), (4, 1, NULL, 3);"

static const char *random_name(void)
{
    static const char *const names[] = {"'a'",  "'A'", "'b'", "'B'", "'c'", "'d'",
                                        "NULL", "1",   "1.0", "'1'", "'e'", "'f'"};
    return names[random_below((int)(sizeof names / sizeof *names))];
}

static void add_statement(struct text *sql)
{
    int id = random_below(10), group = 1 + random_below(6);
    switch (random_below(11)) {
    case 0:
    case 1:
        text_add(sql, "INSERT OR REPLACE INTO t(id, g, s, k) VALUES (%d, (SELECT id FROM g WHERE id = %d), %s, %d);",
                 id, group, random_name(), random_below(6));
        break;
    case 2:
        text_add(sql, "DELETE FROM t WHERE id %s %d;", random_below(3) ? "=" : ">", id);
        break;
    case 3:
        text_add(sql, "UPDATE t SET k = %d, v = v + 1 WHERE id < %d;", random_below(6), id);
        break;
    case 4:
        text_add(sql, "UPDATE t SET s = %s WHERE id %% 3 = %d;", random_name(), id % 3);
        break;
    case 5:
        text_add(sql, "UPDATE t SET g = (SELECT id FROM g WHERE id = %d) WHERE id %s %d;", group,
                 random_below(2) ? "=" : "<", id);
        break;
    case 6:
        text_add(sql, "INSERT OR IGNORE INTO g(id, name, place) VALUES (%d, %s, %d);", group, random_name(),
                 random_below(6));
        break;
    case 7:
        text_add(sql, "DELETE FROM g WHERE id = %d;", group);
        break;
    case 8:
        text_add(sql, "UPDATE g SET place = %d - place WHERE id %s %d;", random_below(6), random_below(2) ? "=" : "<>",
                 group);
        break;
    case 9:
        text_add(sql, "UPDATE g SET name = %s WHERE id = %d;", random_name(), group);
        break;
    default:
        text_add(sql, "UPDATE g SET v = v + 1, hidden = %d WHERE id = %d;", random_below(3) == 0, group);
    }
}

static void add_transaction(struct text *sql)
{
    int statements = random_below(5);
    text_add(sql, "BEGIN;");
    do {
        bool nested = random_below(6) == 0;
        text_add(sql, nested ? "SAVEPOINT s;" : "");
        add_statement(sql);
        text_add(sql, nested ? (random_below(2) ? "ROLLBACK TO s;RELEASE s;" : "RELEASE s;") : "");
    } while (statements-- > 0);
    text_add(sql, random_below(8) == 0 ? "ROLLBACK;" : "COMMIT;");
}

enum { MAPS = 6, ROUNDS = 40 };

/* A map that is not fetched yet. */
static fr_list *make_map(fr_store *store, int number)
{
    static const char *const item_keys[MAPS] = {"g", "g", "s", "s", "g.name", "s"};
    fr_section_map_options options = map_options();
    fr_request *items = request_of("t", NULL, number % 2 ? "-k" : "k v", number == 3 ? "k < 5" : NULL), *sections;
    fr_list *map = NULL;
    fr_value keys[4];
    sections = request_of("g", NULL, number % 2 ? "-place" : "place", number < 3 ? "NOT hidden" : NULL);
    options.empty_sections = number == 1 || number == 3;
    options.items_without_section = number % 3;
    options.index_title = number == 0 ? "name" : NULL;
    options.section_key = number == 2 || number == 3 ? "name" : NULL;
    if (number == 5) {
        keys[0] = fr_text("b");
        keys[1] = fr_integer(1);
        keys[2] = fr_text("a");
        keys[3] = fr_text("A");
        CHECK_OK(fr_section_map_new_with_keys(&map, store, items, keys, 4, item_keys[number], &options));
    } else {
        CHECK_OK(fr_section_map_new(&map, store, items, sections, item_keys[number], &options));
    }
    fr_request_free(items);
    fr_request_free(sections);
    return map;
}

/* The map shows what a fresh one shows; if there can be none, that was told, and it shows something all the same. */
static bool check_map(fr_store *store, int number, fr_list *map, struct recorder *recorder)
{
    fr_list *fresh = make_map(store, number);
    fr_status status = fr_list_perform_fetch(fresh);
    const char *told = recorder_take(recorder);
    if (status == FR_OK) {
        char *expected = text_copy(list_contents(fresh)), *all = text_copy(all_sections_text(fresh));
        CHECK_CONTENTS(map, expected);
        CHECK_ALL_SECTIONS(map, all);
        free(expected);
        free(all);
    } else {
        CHECK_INT(status, FR_CONSTRAINT);
        CHECK(told[0] == '\0' || strcmp(told, "!FR_CONSTRAINT") == 0);
    }
    fr_list_free(fresh);
    return status == FR_OK;
}

enum { GROUPS = 7, COLUMNS = 5 };

/* The rows of g as a list last showed them, by id; NULL for those that were not there. */
struct past {
    char *values[GROUPS][COLUMNS];
};

static void forget(struct past *past)
{
    int group, column;
    for (group = 0; group < GROUPS; group++) {
        for (column = 0; column < COLUMNS; column++) {
            free(past->values[group][column]);
            past->values[group][column] = NULL;
        }
    }
}

static void remember_groups(struct past *past, fr_store *store)
{
    fr_statement *statement = NULL;
    bool row = false;
    forget(past);
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT id, name, place, hidden, v FROM g"));
    while (CHECK_OK(fr_statement_step(&row, statement)) && row) {
        fr_value value;
        int32_t column;
        int64_t group;
        CHECK_OK(fr_statement_value(&value, statement, 0));
        group = value.integer;
        for (column = 0; column < COLUMNS; column++) {
            CHECK_OK(fr_statement_value(&value, statement, column));
            past->values[group][column] = text_copy(value_text(value));
        }
    }
    fr_statement_free(statement);
}

/* A map's own memory of what its sections' rows were. */
struct witness {
    struct past past;
    int64_t checked;
    bool has_failed; /* the list is read again then, and not all of its past is known */
};

static void check_old_row(struct witness *witness, fr_change_set *changes, size_t index)
{
    fr_object *row = NULL;
    fr_value value;
    int64_t group = -1, column;
    if (fr_change_set_section_object(&row, changes, index) != FR_OK) {
        return;
    }
    if (CHECK_OK(fr_object_identity(&value, row, 0))) {
        group = value.integer;
    }
    for (column = 0; column < COLUMNS && CHECK(group > 0 && group < GROUPS); column++) {
        /* Hooks report every write here, so everything is known. */
        fr_status status = fr_change_set_old_value(&value, changes, index, column);
        CHECK(status == FR_OK || (status == FR_NOT_FOUND && witness->has_failed));
        if (status == FR_OK) {
            CHECK_TEXT(value_text(value), witness->past.values[group][column]);
            witness->checked += 1;
        }
    }
    fr_object_unref(row);
}

static void check_old_rows(fr_list *map, fr_change_set *changes, void *user_data)
{
    const fr_change *records = NULL;
    size_t count = 0, index;
    (void)map;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    for (index = 0; index < count && records[index].kind == FR_SECTION; index++) {
        if (records[index].type != FR_INSERT) {
            check_old_row(user_data, changes, index);
        }
    }
}

/* Completes fetches, which notify no observer: each map shows what a fresh one shows, or fails as that does. */
static void end_fetches(struct background *fetches, fr_store *store, fr_list **maps, struct recorder *recorders,
                        struct text *history)
{
    bool is_under_way[MAPS];
    int number;
    for (number = 0; number < MAPS; number++) {
        is_under_way[number] = background_is_under_way(&fetches[number]);
    }
    background_end(fetches, MAPS, store, history);
    for (number = 0; number < MAPS; number++) {
        CHECK_TEXT(recorder_take(&recorders[number]), "");
        if (is_under_way[number]) {
            bool succeeds = check_map(store, number, maps[number], &recorders[number]);
            CHECK_INT(fetches[number].status, succeeds ? FR_OK : FR_CONSTRAINT);
            if (succeeds) {
                recorder_note_fetch(&recorders[number], maps[number]);
            }
        }
    }
}

static bool run_seed(uint32_t seed)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *maps[MAPS];
    struct recorder recorders[MAPS];
    static struct witness witnesses[MAPS];
    struct background fetches[MAPS];
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, check_old_rows, NULL, NULL};
    struct text history = {NULL, 0, 0};
    int before = failures(), number, round;
    memset(fetches, 0, sizeof fetches);
    for (number = 0; number < MAPS; number++) {
        maps[number] = make_map(store, number);
        CHECK_OK(fr_list_perform_fetch(maps[number]));
        recorder_start(&recorders[number], maps[number]);
        remember_groups(&witnesses[number].past, store);
        CHECK_OK(fr_list_add_observer(NULL, maps[number], &observer, &witnesses[number], NULL));
    }
    for (round = 0; round < ROUNDS && failures() == before; round++) {
        size_t start;
        number = random_below(2 * MAPS);
        if (number < MAPS) {
            background_begin(&fetches[number], maps[number], number, &history);
        }
        start = history.length;
        add_transaction(&history);
        run(store, text_get(&history) + start);
        for (number = 0; number < MAPS && failures() == before; number++) {
            witnesses[number].has_failed = !check_map(store, number, maps[number], &recorders[number]);
            if (!witnesses[number].has_failed) {
                remember_groups(&witnesses[number].past, store);
            }
            if (failures() != before) {
                fail(__FILE__, __LINE__, "this was map %d", number);
            }
        }
        text_add(&history, "\n      ");
        if (random_below(3) == 0 && failures() == before) {
            end_fetches(fetches, store, maps, recorders, &history);
        }
    }
    if (failures() != before) {
        fail(__FILE__, __LINE__, "FR_SEED=%u\n      %s", seed, text_get(&history));
    }
    for (number = 0; number < MAPS; number++) {
        fr_list_free(maps[number]);
        recorder_free(&recorders[number]);
        forget(&witnesses[number].past);
    }
    CHECK(witnesses[0].checked > 0);
    CHECK_OK(fr_store_close(store));
    for (number = 0; number < MAPS; number++) {
        background_check_closed(&fetches[number]);
    }
    text_free(&history);
    return failures() == before;
}

static void random_maps_replay_exactly(void)
{
    each_seed(run_seed);
}

TESTS(random_map_tests) = {
    TEST(random_maps_replay_exactly),
    END_OF_TESTS,
};
