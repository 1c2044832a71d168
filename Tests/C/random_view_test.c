/*
 * Random transactions, pauses and fetches in the background, with strict views of several kinds side by side on a
 * controller, a section map and a collection: a view that is not paused shows after each what the list shows, and gets
 * one batch at most. A failure prints the seed and the SQL since the start; FR_SEED in the environment runs that seed
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "background.h"
#include "collections.h"
#include "maps.h"
#include "random.h"
#include "strict_view.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE g(id INTEGER PRIMARY KEY, name, place);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g REFERENCES g ON DELETE SET NULL, s, k, v DEFAULT 0);" \
    "INSERT INTO g VALUES (1, 'a', 2), (2, 'b', 1), (3, 'c', 3);" \
    "INSERT INTO t(id, g, s, k) VALUES (1, 1, 'x', 1), (2, 2, 'y', 5), (3, NULL, 'x', 2), (4, 1, NULL, 3);"

static void add_statement(struct text *sql)
{
    static const char *const sections[] = {"'x'", "'y'", "'z'", "'w'", "NULL"};
    const char *section = sections[random_below(5)];
    int id = random_below(12), group = 1 + random_below(6);
    switch (random_below(10)) {
    case 0:
    case 1:
    case 2:
        text_add(sql, "INSERT OR REPLACE INTO t(id, g, s, k) VALUES (%d, (SELECT id FROM g WHERE id = %d), %s, %d);",
                 id, group, section, random_below(6));
        break;
    case 3:
        text_add(sql, "DELETE FROM t WHERE id %s %d;", random_below(3) ? "=" : ">", id);
        break;
    case 4:
        text_add(sql, "UPDATE t SET k = %d, v = v + 1 WHERE id < %d;", random_below(6), id);
        break;
    case 5:
        text_add(sql, "UPDATE t SET s = %s WHERE id %% 3 = %d;", section, id % 3);
        break;
    case 6:
        text_add(sql, "UPDATE t SET g = (SELECT id FROM g WHERE id = %d), v = v + %d WHERE id = %d;", group,
                 random_below(2), id);
        break;
    case 7:
        text_add(sql, "INSERT OR IGNORE INTO g VALUES (%d, 'new', %d);", group, random_below(6));
        break;
    case 8:
        text_add(sql, "DELETE FROM g WHERE id = %d;", group);
        break;
    default:
        text_add(sql, "UPDATE g SET place = %d - place, name = name || '+' WHERE id %s %d;", random_below(6),
                 random_below(2) ? "=" : "<>", group);
    }
}

static void add_transaction(struct text *sql)
{
    int statements = random_below(6);
    text_add(sql, "BEGIN;");
    do {
        add_statement(sql);
    } while (statements-- > 0);
    text_add(sql, random_below(10) == 0 ? "ROLLBACK;" : "COMMIT;");
}

/* What can be fetched in the background: the first two lists, and the children of the third, a collection. */
enum { LISTS = 3, VIEWS = 4, ROUNDS = 40, FETCHES = 4 };

struct world {
    fr_store *store;
    fr_list *lists[LISTS];
    fr_list *children[2];
    struct strict_view views[LISTS][VIEWS];
    bool ends_with_difference[LISTS][VIEWS];
    bool is_reload_due[LISTS][VIEWS]; /* the list was fetched during the view's pause */
    struct background fetches[FETCHES];
    bool is_ending_fetches;
};

static fr_list *new_map(fr_store *store)
{
    fr_section_map_options options = map_options();
    fr_request *items = request_of("t", NULL, "k", NULL), *sections = request_of("g", NULL, "place", NULL);
    options.empty_sections = random_below(2);
    options.items_without_section = random_below(3);
    return map_of(store, items, sections, "g", &options);
}

/* The views of a list may reload: at once, or after their pause. */
static void expect_reload(struct world *world, int list)
{
    int number;
    for (number = 0; number < VIEWS; number++) {
        struct strict_view *view = &world->views[list][number];
        *(view->is_paused ? &world->is_reload_due[list][number] : &view->may_reload) = true;
    }
}

/* A collection is notified of a fetch of its child before its views are. */
static void collection_will_reload(fr_list *collection, void *user_data)
{
    struct world *world = user_data;
    (void)collection;
    if (world->is_ending_fetches) {
        expect_reload(world, LISTS - 1);
    }
}

/* Some stores are in files, where fetches read on a thread; in memory dispatch reads. */
static void open_world(struct world *world, uint32_t seed)
{
    char name[40];
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, NULL, NULL, collection_will_reload};
    fr_placeholder *none = placeholder_of("none", NULL);
    int list, number;
    snprintf(name, sizeof name, "views_%u.db", (unsigned)seed);
    world->store = seed % 4 == 1 ? store_in_file(name) : store_with("");
    run(world->store, SCHEMA);
    world->lists[0] = list_of(world->store, "t", random_below(4) ? "s" : NULL, random_below(2) ? "k" : "-g.place",
                              NULL);
    world->lists[1] = new_map(world->store);
    world->children[0] = unfetched_list(world->store, "t", "s", "k", "k > 2");
    world->children[1] = unfetched_list(world->store, "t", NULL, "k", "v < 3");
    CHECK_OK(fr_collection_new(&world->lists[2]));
    CHECK_OK(fr_collection_insert(world->lists[2], -1, world->children[0], none));
    CHECK_OK(fr_collection_insert(world->lists[2], -1, world->children[1], NULL));
    fr_placeholder_free(none);
    CHECK_OK(fr_list_add_observer(NULL, world->lists[2], &observer, world, NULL));
    for (list = 0; list < LISTS; list++) {
        for (number = 0; number < VIEWS; number++) {
            uint32_t flags = (uint32_t)random_below(8);
            world->ends_with_difference[list][number] = (flags & FR_VIEW_DIFFERENCE) != 0;
            strict_view_open(&world->views[list][number], world->lists[list], random_below(3) == 0,
                             random_below(2) == 0, flags);
            CHECK_OK(fr_coordinator_load_data(world->views[list][number].coordinator, true));
        }
    }
}

static void close_world(struct world *world)
{
    int list, number;
    for (list = 0; list < LISTS; list++) {
        for (number = 0; number < VIEWS; number++) {
            strict_view_close(&world->views[list][number]);
        }
        fr_list_free(world->lists[list]);
    }
    fr_list_free(world->children[0]);
    fr_list_free(world->children[1]);
    CHECK_OK(fr_store_close(world->store));
    for (number = 0; number < FETCHES; number++) {
        background_check_closed(&world->fetches[number]);
    }
}

static void toggle_pause(struct world *world)
{
    int list = random_below(LISTS), number = random_below(VIEWS);
    struct strict_view *view = &world->views[list][number];
    bool *is_due = &world->is_reload_due[list][number];
    view->is_paused = !view->is_paused;
    if (view->is_paused) {
        *is_due = view->may_reload;
        view->may_reload = false;
    } else {
        view->may_reload = *is_due || !world->ends_with_difference[list][number];
        *is_due = false;
    }
    CHECK_OK(fr_coordinator_set_paused(view->coordinator, view->is_paused));
}

static void begin_fetch(struct world *world, int number, struct text *history)
{
    fr_list *list = number < LISTS - 1 ? world->lists[number] : world->children[number - (LISTS - 1)];
    background_begin(&world->fetches[number], list, number, history);
}

/* Views of a list that was fetched reload at its next delivery; those of a collection do so at once. */
static void end_fetches(struct world *world, struct text *history)
{
    int number;
    world->is_ending_fetches = true;
    for (number = 0; number < LISTS - 1; number++) {
        if (background_is_under_way(&world->fetches[number])) {
            expect_reload(world, number);
        }
    }
    background_end(world->fetches, FETCHES, world->store, history);
    world->is_ending_fetches = false;
    for (number = 0; number < FETCHES; number++) {
        CHECK_INT(world->fetches[number].status, FR_OK);
    }
    for (number = 0; number < VIEWS; number++) {
        CHECK(!world->views[LISTS - 1][number].may_reload);
    }
}

static void check_views(struct world *world, int before)
{
    int list, number;
    for (list = 0; list < LISTS; list++) {
        for (number = 0; number < VIEWS && failures() == before; number++) {
            if (!world->views[list][number].is_paused) {
                strict_view_check(&world->views[list][number]);
            }
            if (failures() != before) {
                fail(__FILE__, __LINE__, "this was view %d of list %d", number, list);
            }
        }
    }
}

static bool run_seed(uint32_t seed)
{
    struct world world;
    struct text history = {NULL, 0, 0};
    int before = failures(), round, number;
    memset(&world, 0, sizeof world);
    open_world(&world, seed);
    for (round = 0; round < ROUNDS && failures() == before; round++) {
        size_t start;
        number = random_below(2 * FETCHES);
        if (number < FETCHES) {
            begin_fetch(&world, number, &history);
        }
        if (random_below(3) == 0) {
            toggle_pause(&world);
        }
        start = history.length;
        add_transaction(&history);
        run(world.store, text_get(&history) + start);
        text_add(&history, "\n      ");
        check_views(&world, before);
        if (random_below(3) == 0 && failures() == before) {
            end_fetches(&world, &history);
            check_views(&world, before);
        }
    }
    if (failures() != before) {
        fail(__FILE__, __LINE__, "FR_SEED=%u\n      %s", seed, text_get(&history));
    }
    close_world(&world);
    text_free(&history);
    return failures() == before;
}

static void random_transactions_reach_strict_views(void)
{
    each_seed(run_seed);
}

TESTS(random_view_tests) = {
    TEST(random_transactions_reach_strict_views),
    END_OF_TESTS,
};
