/*
 * Coordinators through the C interface: which functions of a view are called with what, failures,
 * and the ends of coordinator, list and store. The Swift tests have what a batch consists of.
 */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, kind, name);" \
    "INSERT INTO t VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z'), (4, 'c', 'w'), (5, 'd', 'q');"

/* A list in sections that was not fetched, a view, and its coordinator. */
static void stage(struct view_log *log, fr_view view, uint32_t flags)
{
    fr_request *request = request_of("t", "kind", "name", NULL);
    memset(log, 0, sizeof *log);
    log->store = store_with(SCHEMA);
    CHECK_OK(fr_controller_new(&log->list, log->store, request));
    fr_request_free(request);
    CHECK_OK(fr_coordinator_new(&log->coordinator, log->list, &view, flags, log, view_log_destroy));
    CHECK_VIEW(log, "");
}

static void leave(struct view_log *log)
{
    fr_coordinator_free(log->coordinator);
    CHECK_INT(log->destroyed, 1);
    fr_list_free(log->list);
    if (log->store != NULL) {
        CHECK_OK(fr_store_close(log->store));
    }
    text_free(&log->text);
}

static void load(struct view_log *log)
{
    CHECK_OK(fr_coordinator_load_data(log->coordinator, true));
    CHECK_VIEW(log, "reload n5");
}

static void loading_fetches_and_reloads(void)
{
    struct view_log log;
    bool is;
    fr_list *list = NULL;
    stage(&log, logging_view(), 0);
    CHECK_OK(fr_coordinator_is_loaded(&is, log.coordinator));
    CHECK(!is);
    run(log.store, "DELETE FROM t WHERE id = 9");
    load(&log);
    CHECK_OK(fr_coordinator_is_loaded(&is, log.coordinator));
    CHECK(is);
    CHECK_OK(fr_coordinator_list(&list, log.coordinator));
    CHECK(list == log.list);
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "[ -0.0 ] n4");
    CHECK_OK(fr_coordinator_load_data(log.coordinator, false));
    CHECK_VIEW(&log, "reload");
    leave(&log);
}

static void groups_are_delivered_in_order_without_empty_ones(void)
{
    struct view_log log;
    stage(&log, logging_view(), 0);
    load(&log);
    run(log.store, "BEGIN; DELETE FROM t WHERE id IN (1, 4); INSERT INTO t VALUES (6, '0', 'm'), (9, 'b', 'zz');"
                   "UPDATE t SET name = 'Q' WHERE id = 5; UPDATE t SET kind = 'd' WHERE id = 3; COMMIT");
    CHECK_VIEW(&log, "[ -s2 +s0 -0.0 +2.0 1.0>3.1 r3.0>3.0 ]");
    run(log.store, "INSERT INTO t VALUES (10, 'a', 'k')");
    CHECK_VIEW(&log, "[ +1.0 ] n6");
    leave(&log);
}

static void views_without_moves_get_deletes_and_inserts(void)
{
    struct view_log log;
    fr_view view = cell_updating_view();
    int how;
    for (how = 0; how < 2; how++) {
        view.move_rows = how == 0 ? view.move_rows : NULL;
        stage(&log, view, how == 0 ? FR_VIEW_NO_ROW_MOVES : 0);
        load(&log);
        run(log.store, "UPDATE t SET kind = 'b' WHERE id = 2");
        CHECK_VIEW(&log, "[ -0.1 +1.0 ]");
        leave(&log);
    }
}

/* Sections by a second request, whose rows can be moved. */
static void stage_map(struct view_log *log, fr_view view, uint32_t flags)
{
    fr_request *items = request_of("t", NULL, "name", NULL), *sections = request_of("l", NULL, "position", NULL);
    memset(log, 0, sizeof *log);
    log->store = store_with("CREATE TABLE l(id INTEGER PRIMARY KEY, position, title);"
                            "CREATE TABLE t(id INTEGER PRIMARY KEY, l REFERENCES l, name);"
                            "INSERT INTO l VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three');"
                            "INSERT INTO t VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, 3, 'e');");
    CHECK_OK(fr_section_map_new(&log->list, log->store, items, sections, "l", NULL));
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_coordinator_new(&log->coordinator, log->list, &view, flags, log, view_log_destroy));
    load(log);
}

static void sections_that_move(void)
{
    static const char change[] = "BEGIN; UPDATE l SET position = 0, title = 'THREE' WHERE id = 3;"
                                 "UPDATE l SET title = 'ONE' WHERE id = 1; DELETE FROM t WHERE id = 4;"
                                 "UPDATE t SET name = 'E' WHERE id = 5; UPDATE t SET l = 3 WHERE id = 2; COMMIT";
    fr_view view = logging_view();
    struct view_log log;
    stage_map(&log, view, 0);
    run(log.store, change);
    CHECK_VIEW(&log, "[ s2>0 -2.0 0.1>0.1 r2.1>0.0 h2>0 h0>1 ] n4");
    leave(&log);
    stage_map(&log, view, FR_VIEW_NO_SECTION_MOVES);
    run(log.store, change);
    CHECK_VIEW(&log, "[ -s2 +s0 -0.1 h0>1 ] n4");
    leave(&log);
    view.move_sections = NULL;
    view.update_sections = NULL;
    stage_map(&log, view, 0);
    run(log.store, change);
    CHECK_VIEW(&log, "[ -s2 +s0 -0.1 ] n4");
    leave(&log);
}

static void steps_are_delivered_one_after_another(void)
{
    static const char change[] = "BEGIN; UPDATE t SET kind = 'b' WHERE id = 4; INSERT INTO t VALUES (6, '0', 'm');"
                                 "UPDATE t SET name = 'X' WHERE id = 1; COMMIT";
    fr_view view = stepping_view();
    struct view_log log;
    stage(&log, view, 0);
    load(&log);
    run(log.store, change);
    CHECK_VIEW(&log, "[ insert s0 @s0; move 3.0>2.0 @2.0; delete s3; insert 0.0 @0.0; update 1.0>1.0 @1.0; ] n6");
    leave(&log);
    stage(&log, view, FR_VIEW_NO_ROW_MOVES);
    load(&log);
    run(log.store, change);
    CHECK_VIEW(&log,
               "[ delete 2.0; insert s0 @s0; delete s3; insert 0.0 @0.0; insert 2.0 @2.0; update 1.0>1.0 @1.0; ] n6");
    leave(&log);
    view.update_cell = cell_updating_view().update_cell;
    stage(&log, view, 0);
    load(&log);
    run(log.store, change);
    CHECK_VIEW(&log, "[ insert s0 @s0; move 3.0>2.0 @2.0; delete s3; insert 0.0 @0.0; ] c1.0(X) c2.0(w) n6");
    leave(&log);
    view.update_cell = NULL;
    stage_map(&log, view, FR_VIEW_NO_SECTION_MOVES);
    run(log.store, "UPDATE l SET position = 0 WHERE id = 3");
    CHECK_VIEW(&log, "[ delete 2.1; delete 2.0; insert s0 @s0; delete s3; insert 0.0 @0.0; insert 0.1 @0.1; ]");
    leave(&log);
}

/* Any function may be missing. */
static void views_that_lack_functions(void)
{
    static const char change[] = "UPDATE t SET kind = 'q' WHERE id = 1";
    fr_view view;
    struct view_log log;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    stage(&log, view, 0);
    CHECK_OK(fr_coordinator_load_data(log.coordinator, true));
    run(log.store, change);
    CHECK_VIEW(&log, "");
    leave(&log);

    view.reload = logging_view().reload;
    stage(&log, view, 0);
    CHECK_OK(fr_coordinator_load_data(log.coordinator, true));
    run(log.store, change);
    run(log.store, "UPDATE t SET name = 'k' WHERE id = 1");
    CHECK_VIEW(&log, "reload reload reload");
    leave(&log);

    view = cell_updating_view();
    view.insert_sections = NULL;
    stage(&log, view, 0);
    load(&log);
    run(log.store, change);
    run(log.store, "UPDATE t SET kind = 'b' WHERE id = 1");
    CHECK_VIEW(&log, "reload [ -s4 +1.0 ]");
    leave(&log);

    view.reload = NULL;
    stage(&log, view, 0);
    CHECK_OK(fr_coordinator_load_data(log.coordinator, true));
    run(log.store, change);
    CHECK_VIEW(&log, "n5");
    leave(&log);

    view = logging_view();
    view.reload_rows = NULL;
    view.begin = NULL;
    view.end = NULL;
    stage(&log, view, 0);
    load(&log);
    run(log.store, "UPDATE t SET name = 'k' WHERE id = 1");
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "reload -0.0 n4");
    leave(&log);
}

static void a_fetch_that_fails(void)
{
    struct view_log log;
    bool is = true;
    stage(&log, logging_view(), 0);
    run(log.store, "DROP TABLE t");
    CHECK_STATUS(fr_coordinator_load_data(log.coordinator, true), FR_SCHEMA);
    CHECK_OK(fr_coordinator_is_loaded(&is, log.coordinator));
    CHECK(!is);
    CHECK_VIEW(&log, "");
    leave(&log);
}

static void a_list_that_was_freed(void)
{
    struct view_log log;
    fr_list *list = NULL;
    bool is;
    stage(&log, logging_view(), 0);
    load(&log);
    fr_list_free(log.list);
    log.list = NULL;
    CHECK_INT(log.destroyed, 0);
    run(log.store, "DELETE FROM t");
    CHECK_STATUS(fr_coordinator_load_data(log.coordinator, true), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_set_paused(log.coordinator, true), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_list(&list, log.coordinator), FR_MISUSE);
    CHECK(list == NULL);
    CHECK_OK(fr_coordinator_is_paused(&is, log.coordinator));
    CHECK_VIEW(&log, "");
    leave(&log);
}

static void a_store_that_was_closed(void)
{
    struct view_log log;
    stage(&log, logging_view(), 0);
    load(&log);
    CHECK_OK(fr_store_close(log.store));
    log.store = NULL;
    CHECK_STATUS(fr_coordinator_load_data(log.coordinator, true), FR_CLOSED);
    CHECK_STATUS(fr_coordinator_load_data(log.coordinator, false), FR_CLOSED);
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_VIEW(&log, "");
    leave(&log);
}

static const char *const moments[] = {
    "reload",    "begin", "section_deletes", "section_inserts", "row_deletes", "row_inserts",
    "row_moves", "end",   "update_cell",     "count_changed",   NULL};

/* Reaches all the moments. */
static const char every_moment[] =
    "BEGIN; DELETE FROM t WHERE id = 4; UPDATE t SET kind = 'b' WHERE id = 2; UPDATE t SET kind = '0' WHERE id = 1;"
    "INSERT INTO t VALUES (6, '0', 'm'), (7, 'a', 'a'); COMMIT";
/* Runs the transaction with an action at a moment. */
static void act_at(struct view_log *log, const char *moment, void (*act)(struct view_log *), uint32_t flags)
{
    stage(log, cell_updating_view(), flags);
    log->moment = moment;
    log->act = act;
    CHECK_OK(fr_coordinator_load_data(log->coordinator, true));
    if (strcmp(moment, "reload") != 0 && strcmp(moment, "count_changed") != 0) {
        CHECK(log->act != NULL);
        CHECK_VIEW(log, "reload n5");
        fr_store_execute_script(log->store, every_moment);
    }
    CHECK(log->act == NULL);
}

static void free_inside(struct view_log *log)
{
    fr_coordinator_free(log->coordinator);
    CHECK_INT(log->destroyed, 0);
}

static void free_list_inside(struct view_log *log)
{
    fr_list_free(log->list);
    log->list = NULL;
}

static void close_inside(struct view_log *log)
{
    CHECK_OK(fr_store_close(log->store));
    log->store = NULL;
}

static void ending_inside(void)
{
    void (*const acts[])(struct view_log *) = {free_inside, free_list_inside, close_inside};
    size_t act;
    for (act = 0; act < 3; act++) {
        const char *const *moment;
        for (moment = moments; *moment != NULL; moment++) {
            struct view_log log;
            const char *text;
            bool is_load = strcmp(*moment, "reload") == 0 || strcmp(*moment, "count_changed") == 0;
            act_at(&log, *moment, acts[act], 0);
            text = view_log_take(&log);
            /* Nothing is delivered after the entry at which it ended. */
            CHECK_INT(log.destroyed, act == 0);
            CHECK(is_load || strcmp(*moment, "count_changed") == 0 || strstr(text, "n6") == NULL);
            CHECK(strcmp(*moment, "begin") != 0 || strcmp(text, "[") == 0);
            CHECK(strcmp(*moment, "row_moves") != 0 || strchr(text, ']') == NULL);
            CHECK(strcmp(*moment, "reload") != 0 || strcmp(text, "reload") == 0);
            if (log.store != NULL) {
                fr_store_execute_script(log.store, "DELETE FROM t");
                CHECK_VIEW(&log, "");
            }
            leave(&log);
        }
    }
}

static void bad_handles(void)
{
    struct view_log log;
    fr_view view = logging_view();
    fr_coordinator *made = NULL;
    void *handles[4];
    bool is = true;
    fr_list *list = NULL;
    size_t index;
    stage(&log, view, 0);
    CHECK_OK(fr_coordinator_new(&made, log.list, &view, 0, NULL, NULL));
    fr_coordinator_free(made);
    fr_coordinator_free(made);
    fr_coordinator_free(NULL);
    handles[0] = NULL;
    handles[1] = made;
    handles[2] = log.list;
    handles[3] = log.store;
    for (index = 0; index < 4; index++) {
        fr_coordinator *handle = handles[index];
        CHECK_STATUS(fr_coordinator_load_data(handle, true), FR_MISUSE);
        CHECK_STATUS(fr_coordinator_set_paused(handle, true), FR_MISUSE);
        CHECK_STATUS(fr_coordinator_is_paused(&is, handle), FR_MISUSE);
        CHECK_STATUS(fr_coordinator_is_loaded(&is, handle), FR_MISUSE);
        CHECK_STATUS(fr_coordinator_list(&list, handle), FR_MISUSE);
        fr_coordinator_free(handle);
    }
    CHECK(is && list == NULL);
    CHECK_STATUS(fr_coordinator_is_paused(NULL, log.coordinator), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_is_loaded(NULL, log.coordinator), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_list(NULL, log.coordinator), FR_MISUSE);
    load(&log);
    leave(&log);
}

static void destroyed_once_when_making_fails(void)
{
    struct view_log log, other;
    fr_view view = logging_view();
    fr_coordinator *made = NULL;
    stage(&log, view, 0);
    memset(&other, 0, sizeof other);
    CHECK_STATUS(fr_coordinator_new(NULL, log.list, &view, 0, &other, view_log_destroy), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_new(&made, NULL, &view, 0, &other, view_log_destroy), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_new(&made, log.list, NULL, 0, &other, view_log_destroy), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_new(&made, log.list, &view, 8, &other, view_log_destroy), FR_RANGE);
    CHECK_STATUS(fr_coordinator_new(&made, log.list, &view, UINT32_MAX, &other, view_log_destroy), FR_RANGE);
    view.struct_size = 0;
    CHECK_STATUS(fr_coordinator_new(&made, log.list, &view, 0, &other, view_log_destroy), FR_RANGE);
    view.struct_size = sizeof view - 1;
    CHECK_STATUS(fr_coordinator_new(&made, log.list, &view, 0, &other, view_log_destroy), FR_RANGE);
    CHECK_INT(other.destroyed, 7);
    CHECK(made == NULL);
    leave(&log);
}

TESTS(coordinator_tests) = {
    TEST(loading_fetches_and_reloads),
    TEST(groups_are_delivered_in_order_without_empty_ones),
    TEST(views_without_moves_get_deletes_and_inserts),
    TEST(sections_that_move),
    TEST(steps_are_delivered_one_after_another),
    TEST(views_that_lack_functions),
    TEST(a_fetch_that_fails),
    TEST(a_list_that_was_freed),
    TEST(a_store_that_was_closed),
    TEST(ending_inside),
    TEST(bad_handles),
    TEST(destroyed_once_when_making_fails),
    END_OF_TESTS,
};
