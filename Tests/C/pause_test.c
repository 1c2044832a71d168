/* Lists that are paused. */
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

static void nothing_changed_delivers_nothing(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", "s", "k", NULL);
    pause_list(w.list);
    resume_list(w.list, false);
    pause_list(w.list);
    run(w.store, "UPDATE t SET k = 9 WHERE id = 1; UPDATE t SET k = 1 WHERE id = 1");
    resume_list(w.list, false);
    CHECK_LOG(&w.recorder, "");
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

static void pausing_and_resuming_twice(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", "s", "k", NULL);
    resume_list(w.list, true);
    CHECK_LOG(&w.recorder, "");
    pause_list(w.list);
    pause_list(w.list);
    run(w.store, "DELETE FROM t WHERE id = 3");
    resume_list(w.list, false);
    CHECK_LOG(&w.recorder, "[delete section 1 (b); delete 1.0]");
    resume_list(w.list, false);
    CHECK_LOG(&w.recorder, "");
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

/* The row's old values are neither in the cache nor in the database any more. */
static void uncached_changed_row_is_unavailable(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, "k", NULL);
    fr_object *object = NULL;
    pause_list(list);
    run(store, "UPDATE t SET s = 'new' WHERE id = 1; DELETE FROM t WHERE id = 2");
    CHECK_STATUS(fr_list_object_at(&object, list, path_at(0, 0)), FR_GONE);
    CHECK_STATUS(fr_list_object_at(&object, list, path_at(0, 1)), FR_GONE);
    /* Other rows can be read for the first time. */
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 2)));
    CHECK_TEXT(object_text(object, "s"), "b");
    fr_object_unref(object);
    resume_list(list, false);
    CHECK_CONTENTS(list, "1(1, new, 1) 3(3, b, 3)");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void other_lists_continue(void)
{
    struct watched w;
    fr_list *other;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    other = list_of(w.store, "t", NULL, "-k", NULL);
    CHECK_LIST(other, "3 2 1");
    pause_list(other);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1", "[delete 0.0]");
    CHECK_LIST(other, "3 2 1");
    resume_list(other, false);
    CHECK_LIST(other, "3 2");
    fr_list_free(other);
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

static void fetched_while_it_is_paused(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_list_perform_fetch(w.list));
    CHECK_LIST(w.list, "2 3");
    resume_list(w.list, false);
    CHECK_LIST(w.list, "2 3");
    CHECK_INT(w.recorder.brackets, 0);
    unwatch(&w);
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

/* The list does not change, whatever the source of the changes. */
static void request_set_meanwhile(void)
{
    struct watched w;
    fr_request *request = request_of("t", NULL, "-k", "id <> 2");
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    CHECK_OK(fr_controller_set_request(w.list, request));
    CHECK_LOG(&w.recorder, "");
    CHECK_LIST(w.list, "1 2 3");
    resume_list(w.list, false);
    CHECK_LIST(w.list, "3 1");
    CHECK_INT(w.recorder.brackets, 1);
    fr_request_free(request);
    unwatch(&w);
}

static void resumed_inside_a_transaction(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    CHECK_OK(fr_store_begin(w.store, FR_IMMEDIATE));
    run(w.store, "DELETE FROM t WHERE id = 1");
    resume_list(w.list, false);
    CHECK_OK(fr_store_commit(w.store));
    CHECK_LIST(w.list, "2 3");
    CHECK_LOG(&w.recorder, "[delete 0.0]");
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

static void schema_that_changed_meanwhile(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "ALTER TABLE t ADD COLUMN more DEFAULT 'm'; DELETE FROM t WHERE id = 1");
    resume_list(w.list, false);
    CHECK_CONTENTS(w.list, "2(2, a, 2, m) 3(3, b, 3, m)");
    recorder_take(&w.recorder);
    CHECK_REPORTED(&w, "UPDATE t SET s = 'x' WHERE id = 2", "[update 0.0>0.0 {s}]");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 3", "[delete 0.1]");
    unwatch(&w);
}

static void schema_that_changed_meanwhile_and_a_reload(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, "k", NULL);
    pause_list(w.list);
    run(w.store, "ALTER TABLE t ADD COLUMN more DEFAULT 'm'");
    resume_list(w.list, true);
    CHECK_LOG(&w.recorder, "[reload]");
    CHECK_CONTENTS(w.list, "1(1, a, 1, m) 2(2, a, 2, m) 3(3, b, 3, m)");
    CHECK_REPORTED(&w, "UPDATE t SET more = 'x' WHERE id = 2", "[update 0.1>0.1 {more}]");
    unwatch(&w);
}

static void resume_inside_callback(struct actor *actor)
{
    pause_list(actor->list);
    resume_list(actor->list, true);
}

static void resumed_inside_a_callback(void)
{
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, resume_inside_callback);
        recorder_start(&recorder, actor.list);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_LOG(&recorder, "[delete 0.0][reload]");
        leave(&actor);
        recorder_free(&recorder);
    }
}

static void pause_inside_callback(struct actor *actor)
{
    pause_list(actor->list);
}

/* The bracket under way is delivered to its end. */
static void paused_inside_a_callback(void)
{
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, pause_inside_callback);
        recorder_start(&recorder, actor.list);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        run(actor.store, "DELETE FROM t WHERE id = 2");
        CHECK_LOG(&recorder, "[delete 0.0]");
        resume_list(actor.list, false);
        CHECK_LOG(&recorder, "[delete 0.0]");
        leave(&actor);
        recorder_free(&recorder);
    }
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
    TEST(nothing_changed_delivers_nothing),
    TEST(reload_is_delivered_also_if_nothing_changed),
    TEST(pausing_and_resuming_twice),
    TEST(objects_are_unchanged_or_unavailable),
    TEST(uncached_changed_row_is_unavailable),
    TEST(other_lists_continue),
    TEST(paused_before_the_fetch),
    TEST(fetched_while_it_is_paused),
    TEST(map_may_be_paused),
    TEST(request_set_meanwhile),
    TEST(resumed_inside_a_transaction),
    TEST(resumed_when_it_can_not_be_read),
    TEST(schema_that_changed_meanwhile),
    TEST(schema_that_changed_meanwhile_and_a_reload),
    TEST(resumed_inside_a_callback),
    TEST(paused_inside_a_callback),
    TEST(counted_as_a_read_of_its_own_reason),
    TEST(closed_store),
    END_OF_TESTS,
};
