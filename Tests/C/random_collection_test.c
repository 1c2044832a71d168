/*
 * Random transactions and random children: a collection of two controllers, a section map and a placeholder, whose
 * change sets the recorder replays, and which is compared with one of freshly fetched children. Children are also
 * fetched in the background. A failure prints the seed and what was done since the start; FR_SEED in the environment
 * runs that seed alone.
 */
#include <stdio.h>
#include <stdlib.h>

#include "background.h"
#include "collections.h"
#include "maps.h"
#include "random.h"
#include "test.h"

#define SCHEMA \
    LISTS_AND_TASKS "CREATE TABLE a(id INTEGER PRIMARY KEY, s, k);" \
                    "INSERT INTO lists(id, title, position) VALUES (10, 'a', 2), (20, 'b', 1), (30, 'c', 3);" \
                    "INSERT INTO tasks(id, list_id, k) VALUES (1, 10, 1), (2, 20, 5), (3, NULL, 2), (4, 10, 3);" \
                    "INSERT INTO a VALUES (1, 'x', 1), (2, 'y', 2), (3, NULL, 0);"

static void add_list_number(struct text *sql)
{
    int list = random_below(6);
    text_add(sql, list == 0 ? "NULL" : "%d", 10 * list);
}

/* A statement that succeeds: lists are only referred to where they are, thanks to OR IGNORE and the subqueries. */
static void add_statement(struct text *sql)
{
    int id = random_below(10), list = 10 * (1 + random_below(5));
    switch (random_below(12)) {
    case 0:
    case 1:
        text_add(sql, "INSERT OR REPLACE INTO a VALUES (%d, %s, %d);", id,
                 random_below(4) == 0 ? "NULL"
                 : random_below(2)    ? "'x'"
                                      : "'z'",
                 random_below(6));
        break;
    case 2:
        text_add(sql, "DELETE FROM a WHERE id %s %d;", random_below(3) ? "=" : ">", id);
        break;
    case 3:
        text_add(sql, "UPDATE a SET k = %d, s = 'w' WHERE id %% 3 = %d;", random_below(6), id % 3);
        break;
    case 4:
    case 5:
        text_add(sql, "INSERT OR REPLACE INTO tasks(id, list_id, k) VALUES (%d, (SELECT id FROM lists WHERE id = ", id);
        add_list_number(sql);
        text_add(sql, "), %d);", random_below(6));
        break;
    case 6:
        text_add(sql, "DELETE FROM tasks WHERE id = %d;", id);
        break;
    case 7:
        text_add(sql, "UPDATE tasks SET v = coalesce(v, 0) + 1, k = %d WHERE id < %d;", random_below(6), id);
        break;
    case 8:
        text_add(sql, "INSERT OR IGNORE INTO lists(id, title, position) VALUES (%d, 't%d', %d);", list, list,
                 random_below(6));
        break;
    case 9:
        text_add(sql, "DELETE FROM lists WHERE id = %d;", list);
        break;
    case 10:
        text_add(sql, "UPDATE lists SET position = %d - position WHERE id %s %d;", random_below(6),
                 random_below(2) ? "=" : "<>", list);
        break;
    default:
        text_add(sql, "UPDATE lists SET title = title || 'x', hidden = %d WHERE id = %d;", random_below(4) == 0, list);
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

enum { LISTS = 3, CHILDREN = 4, ROUNDS = 40 };

struct play {
    fr_store *store;
    fr_list *lists[LISTS];
    fr_placeholder *empty[LISTS]; /* in the places of the lists while these have no sections */
    bool uses_empty[LISTS];
    struct background fetches[LISTS];
    fr_placeholder *hint;
    const char *hint_name;
    fr_section_map_options options;
    fr_list *collection;
    fr_list *outer;         /* shows the collection alone */
    struct recorder recorder;
    struct recorder of_outer;
    struct text history;
};

static fr_list *make_list(const struct play *play, int number)
{
    switch (number) {
    case 0:
        return list_of(play->store, "a", NULL, "k", "k < 5");
    case 1:
        return list_of(play->store, "a", "s", "-k", NULL);
    default:
        return task_map(play->store, &play->options);
    }
}

static int64_t place_of_number(struct play *play, int number)
{
    int64_t index = -1;
    if (number < LISTS) {
        return place_of(play->collection, play->lists[number]);
    }
    return fr_collection_index_of_placeholder(&index, play->collection, play->hint) == FR_OK ? index : -1;
}

static void insert_number(struct play *play, int number, int64_t index)
{
    text_add(&play->history, "insert child %d at %d\n      ", number, (int)index);
    if (number == LISTS) {
        CHECK_OK(fr_collection_insert_placeholder(play->collection, index, play->hint));
    } else {
        play->uses_empty[number] = random_below(2);
        CHECK_OK(fr_collection_insert(play->collection, index, play->lists[number],
                                      play->uses_empty[number] ? play->empty[number] : NULL));
    }
}

/* A child comes, goes, or takes the place of another. */
static void change_children(struct play *play)
{
    int number = random_below(CHILDREN);
    int64_t index = place_of_number(play, number), count = 0;
    CHECK_OK(fr_collection_child_count(&count, play->collection));
    if (index >= 0) {
        text_add(&play->history, "remove child %d\n      ", number);
        CHECK_OK(fr_collection_remove(play->collection, index));
    } else if (count > 0 && number < LISTS && random_below(3) == 0) {
        index = random_below((int)count);
        text_add(&play->history, "child %d replaces number %d\n      ", number, (int)index);
        play->uses_empty[number] = false;
        CHECK_OK(fr_collection_replace(play->collection, index, play->lists[number], NULL));
    } else {
        insert_number(play, number, random_below(4) == 0 ? -1 : random_below((int)count + 1));
    }
}

static void change_something_else(struct play *play)
{
    switch (random_below(4)) {
    case 0:
        text_add(&play->history, "rename the placeholder\n      ");
        play->hint_name = random_below(2) ? "hint" : "other hint";
        CHECK_OK(fr_placeholder_set_name(play->hint, play->hint_name));
        break;
    case 1:
        text_add(&play->history, "empty sections\n      ");
        play->options.empty_sections = random_below(2);
        CHECK_OK(fr_section_map_set_empty_sections(play->lists[2], play->options.empty_sections));
        break;
    case 2:
        text_add(&play->history, "items without section\n      ");
        play->options.items_without_section = random_below(3);
        CHECK_OK(fr_section_map_set_items_without_section(play->lists[2], play->options.items_without_section));
        break;
    default:
        text_add(&play->history, "pause and resume child 1\n      ");
        CHECK_OK(fr_controller_pause(play->lists[1]));
        run(play->store, "UPDATE a SET k = k + 1 WHERE id > 4; DELETE FROM a WHERE id = 2");
        CHECK_OK(fr_controller_resume(play->lists[1], false));
    }
}

/* Puts a list or placeholder that is made anew into `fresh`, for the child at a place of the collection. */
static void add_fresh_child(struct play *play, fr_list *fresh, int64_t index)
{
    fr_list *child = NULL, *list;
    fr_placeholder *placeholder = NULL;
    int number = 0;
    CHECK_OK(fr_collection_child(&child, play->collection, index));
    while (number < LISTS && play->lists[number] != child) {
        number += 1;
    }
    if (number == LISTS) {
        placeholder = placeholder_of(play->hint_name, NULL);
        CHECK_OK(fr_collection_insert_placeholder(fresh, -1, placeholder));
    } else {
        placeholder = play->uses_empty[number] ? placeholder_of("none", NULL) : NULL;
        list = make_list(play, number);
        CHECK_OK(fr_collection_insert(fresh, -1, list, placeholder));
        fr_list_free(list);
    }
    fr_placeholder_free(placeholder);
}

/* The collection shows what one of children that were fetched anew shows. */
static void check_collection(struct play *play)
{
    char *shown = text_copy(list_contents(play->collection));
    fr_list *fresh = NULL;
    int64_t count = 0, index;
    CHECK_OK(fr_collection_new(&fresh));
    CHECK_OK(fr_collection_child_count(&count, play->collection));
    for (index = 0; index < count; index++) {
        add_fresh_child(play, fresh, index);
    }
    CHECK_OK(fr_list_perform_fetch(fresh));
    CHECK_TEXT(shown, list_contents(fresh));
    CHECK_TEXT(shown, list_contents(play->outer));
    fr_list_free(fresh);
    free(shown);
}

/* Completes fetches: each of a child reloads the collection. */
static void end_fetches(struct play *play)
{
    struct text expected = {NULL, 0, 0};
    int number;
    for (number = 0; number < LISTS; number++) {
        if (background_is_under_way(&play->fetches[number]) && place_of(play->collection, play->lists[number]) >= 0) {
            text_add(&expected, "[reload]");
        }
    }
    background_end(play->fetches, LISTS, play->store, &play->history);
    for (number = 0; number < LISTS; number++) {
        CHECK_INT(play->fetches[number].status, FR_OK);
    }
    CHECK_LOG(&play->recorder, text_get(&expected));
    CHECK_LOG(&play->of_outer, text_get(&expected));
    check_collection(play);
    text_free(&expected);
}

static void play_one_round(struct play *play)
{
    size_t start;
    int number = random_below(2 * LISTS);
    if (number < LISTS) {
        background_begin(&play->fetches[number], play->lists[number], number, &play->history);
    }
    start = play->history.length;
    switch (random_below(5)) {
    case 0:
        change_children(play);
        break;
    case 1:
        change_something_else(play);
        break;
    default:
        add_transaction(&play->history);
        run(play->store, text_get(&play->history) + start);
        text_add(&play->history, "\n      ");
    }
    recorder_take(&play->recorder);
    recorder_take(&play->of_outer);
    check_collection(play);
    if (random_below(3) == 0) {
        end_fetches(play);
    }
}

/* Some stores are in files, where fetches read on a thread; in memory dispatch reads. */
static void begin(struct play *play, uint32_t seed)
{
    char name[40];
    int number;
    snprintf(name, sizeof name, "collection_%u.db", (unsigned)seed);
    play->store = seed % 4 == 1 ? store_in_file(name) : store_with("");
    run(play->store, SCHEMA);
    play->hint_name = "hint";
    play->hint = placeholder_of(play->hint_name, "h");
    play->options = map_options();
    play->options.empty_sections = random_below(2);
    play->options.items_without_section = random_below(3);
    play->collection = collection_of(NULL, NULL, NULL);
    play->outer = collection_of(play->collection, NULL, NULL);
    for (number = 0; number < LISTS; number++) {
        play->lists[number] = make_list(play, number);
        play->empty[number] = placeholder_of("none", NULL);
    }
    recorder_start(&play->recorder, play->collection);
    recorder_start(&play->of_outer, play->outer);
    play->recorder.shares_rows = play->of_outer.shares_rows = true;
    for (number = 0; number < CHILDREN; number++) {
        insert_number(play, number, -1);
    }
}

static void end(struct play *play)
{
    int number;
    for (number = 0; number < LISTS; number++) {
        fr_list_free(play->lists[number]);
        fr_placeholder_free(play->empty[number]);
    }
    fr_placeholder_free(play->hint);
    fr_list_free(play->outer);
    fr_list_free(play->collection);
    recorder_free(&play->recorder);
    recorder_free(&play->of_outer);
    CHECK_OK(fr_store_close(play->store));
    for (number = 0; number < LISTS; number++) {
        background_check_closed(&play->fetches[number]);
    }
    text_free(&play->history);
}

static bool run_seed(uint32_t seed)
{
    static const struct play nothing;
    struct play play = nothing;
    int before = failures(), round;
    begin(&play, seed);
    for (round = 0; round < ROUNDS && failures() == before; round++) {
        play_one_round(&play);
    }
    CHECK(play.recorder.brackets > 0);
    if (failures() != before) {
        fail(__FILE__, __LINE__, "FR_SEED=%u\n      %s", seed, text_get(&play.history));
    }
    end(&play);
    return failures() == before;
}

static void random_children_replay_exactly(void)
{
    each_seed(run_seed);
}

TESTS(random_collection_tests) = {
    TEST(random_children_replay_exactly),
    END_OF_TESTS,
};
