/*
 * Paused lists through the C interface: what is delivered at the end, what rows can be read
 * meanwhile, failures.
 */
#include "actor.h"
#include "maps.h"
#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k);" \
    "INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 3);"

static void pause_list(fr_list *list)
{
    CHECK_OK(fr_controller_pause(list));
}

static void resume_list(fr_list *list, bool reload)
{
    CHECK_OK(fr_controller_resume(list, reload));
}

static void what_changed_meanwhile_is_one_change_set(void)
{
    struct watched w;
    bool paused = true;
    watch(&w, SCHEMA, "t", "s", "k", NULL);
    CHECK_OK(fr_controller_is_paused(&paused, w.list));
    CHECK(!paused);
    pause_list(w.list);
    CHECK_OK(fr_controller_is_paused(&paused, w.list));
    CHECK(paused);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (4, 'c', 0)", "");
    CHECK_REPORTED(&w, "UPDATE t SET k = 9 WHERE id = 1", "");
    CHECK_LIST(w.list, "a: 1 2 | b: 3");
    resume_list(w.list, false);
    CHECK_LOG(&w.recorder, "[delete section 1 (b); insert section 1 (c); delete 1.0; insert 1.0; move 0.0>0.1 {k}]");
    CHECK_LIST(w.list, "a: 2 1 | c: 4");
    CHECK_OK(fr_controller_is_paused(&paused, w.list));
    CHECK(!paused);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 4", "[delete section 1 (c); delete 1.0]");
    unwatch(&w);
}

static void reload_is_delivered_also_if_nothing_changed(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", "s", "k", NULL);
    pause_list(w.list);
    resume_list(w.list, true);
    CHECK_LOG(&w.recorder, "[reload]");
    pause_list(w.list);
    run(w.store, "DELETE FROM t WHERE id < 3");
    resume_list(w.list, true);
    CHECK_LOG(&w.recorder, "[reload]");
    CHECK_LIST(w.list, "b: 3");
    unwatch(&w);
}

static void objects_are_unchanged_or_unavailable(void)
{
    struct watched w;
    fr_object *object = NULL;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "UPDATE t SET s = 'new'");
    REQUIRE(CHECK_OK(fr_list_object_at(&object, w.list, path_at(0, 0))));
    CHECK_TEXT(object_text(object, "s"), "a");
    fr_object_unref(object);
    resume_list(w.list, true);
    unwatch(&w);
}

static void paused_before_the_fetch(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("t", NULL, "k", NULL);
    fr_list *list = NULL;
    int64_t count = 0;
    CHECK_OK(fr_controller_new(&list, store, request));
    pause_list(list);
    resume_list(list, true);
    CHECK_STATUS(fr_list_count(&count, list), FR_NOT_FETCHED);
    pause_list(list);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "1 2 3");
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_LIST(list, "1 2 3");
    resume_list(list, false);
    CHECK_LIST(list, "2 3");
    fr_request_free(request);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void map_may_be_paused(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    pause_list(w.list);
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 30; DELETE FROM lists WHERE id = 10", "");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    resume_list(w.list, false);
    CHECK_INT(w.recorder.brackets, 1);
    CHECK_LIST(w.list, "20: | 30: 3 | NULL: 4");
    unwatch(&w);
}

/*
 * The list's table does not exist when the list is resumed: that is reported, and the list
 * continues when the table exists again.
 */
static void resumed_when_it_can_not_be_read(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "ALTER TABLE t RENAME TO away");
    CHECK_LOG(&w.recorder, "");
    resume_list(w.list, false);
    CHECK_LOG(&w.recorder, "!FR_SCHEMA");
    CHECK_LIST(w.list, "1 2 3");
    run(w.store, "DELETE FROM away WHERE id = 2; ALTER TABLE away RENAME TO t");
    CHECK_LOG(&w.recorder, "[delete 0.1]");
    unwatch(&w);
}

static void counted_as_a_read_of_its_own_reason(void)
{
    struct watched w;
    fr_counters counters;
    counters.struct_size = sizeof counters;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "DELETE FROM t WHERE id = 1");
    resume_list(w.list, false);
    CHECK_OK(fr_controller_counters(&counters, w.list));
    CHECK_INT(counters.rereads[FR_REREAD_PAUSE], 1);
    unwatch(&w);
}

static void closed_store(void)
{
    struct watched w;
    bool paused = false;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    CHECK_OK(fr_store_close(w.store));
    CHECK_STATUS(fr_controller_resume(w.list, false), FR_CLOSED);
    CHECK_STATUS(fr_controller_resume(w.list, true), FR_CLOSED);
    CHECK_OK(fr_controller_is_paused(&paused, w.list));
    CHECK(paused);
    fr_list_free(w.list);
    recorder_free(&w.recorder);
}

TESTS(pause_tests) = {
    TEST(what_changed_meanwhile_is_one_change_set),
    TEST(reload_is_delivered_also_if_nothing_changed),
    TEST(objects_are_unchanged_or_unavailable),
    TEST(paused_before_the_fetch),
    TEST(map_may_be_paused),
    TEST(resumed_when_it_can_not_be_read),
    TEST(counted_as_a_read_of_its_own_reason),
    TEST(closed_store),
    END_OF_TESTS,
};
