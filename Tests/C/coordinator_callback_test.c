/*
 * A view acts inside each of its functions: it frees the coordinator or the list, closes the
 * store, or writes.
 */
#include <string.h>

#include "cases.h"
#include "fixture.h"
#include "test.h"
#include "view_log.h"

/* Sections by a second request, which a transaction can delete, insert, move and rename. */
#define SCHEMA \
    "CREATE TABLE l(id INTEGER PRIMARY KEY, position, title);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, l REFERENCES l, name);" \
    "INSERT INTO l VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four');" \
    "INSERT INTO t VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, 3, 'e'), (6, 2, 'f');"

/* Has entries in every group. */
static const char change[] =
    "BEGIN; DELETE FROM l WHERE id = 4; INSERT INTO l VALUES (9, 9, 'nine');"
    "UPDATE l SET position = 0, title = 'THREE' WHERE id = 3; UPDATE l SET title = 'ONE' WHERE id = 1;"
    "DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (7, 9, 'g'), (8, 2, 'h'); UPDATE t SET l = 2 WHERE id = 4;"
    "UPDATE t SET name = 'E' WHERE id = 5; UPDATE t SET name = 'B' WHERE id = 2; COMMIT";

/* A function of the view, and what was delivered before it was called. */
struct moment {
    const char *name;
    const char *reported;
};

static const struct moment group_moments[] = {
    {"begin", "["},
    {"section_deletes", "[ -s3"},
    {"section_inserts", "[ -s3 +s3"},
    {"section_moves", "[ -s3 +s3 s2>0"},
    {"row_deletes", "[ -s3 +s3 s2>0 -0.0"},
    {"row_inserts", "[ -s3 +s3 s2>0 -0.0 +2.3"},
    {"row_moves", "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1"},
    {"row_reloads", "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1 r2.1>0.0 r0.1>1.0"},
    {"section_updates", "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1 r2.1>0.0 r0.1>1.0 h2>0 h0>1"},
    {"end", "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1 r2.1>0.0 r0.1>1.0 h2>0 h0>1 ]"},
    {"count_changed", "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1 r2.1>0.0 r0.1>1.0 h2>0 h0>1 ] n7"},
    {NULL, NULL},
};

#define GROUPS_AND_CELLS "[ -s3 +s3 s2>0 -0.0 +2.3 2.0>2.1 h2>0 h0>1 ] c0.0(E)"
static const struct moment cell_moments[] = {
    {"update_cell", GROUPS_AND_CELLS},
    {"count_changed", GROUPS_AND_CELLS " c1.0(B) c2.1(d) n7"},
    {NULL, NULL},
};

#define FIRST_STEP "[ delete 0.0;"
static const struct moment step_moments[] = {{"begin", "["}, {"step", FIRST_STEP}, {NULL, NULL}};

/* The views that have these functions. */
struct kind {
    fr_view (*view)(void);
    const struct moment *moments;
};

static const struct kind kinds[] = {
    {logging_view, group_moments},
    {cell_updating_view, cell_moments},
    {stepping_view, step_moments},
};

static void stage(struct view_log *log, fr_view view, uint32_t flags)
{
    fr_request *items = request_of("t", NULL, "name", NULL), *sections = request_of("l", NULL, "position", NULL);
    memset(log, 0, sizeof *log);
    log->store = store_with(SCHEMA);
    CHECK_OK(fr_section_map_new(&log->list, log->store, items, sections, "l", NULL));
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_coordinator_new(&log->coordinator, log->list, &view, flags, log, view_log_destroy));
    CHECK_OK(fr_coordinator_load_data(log->coordinator, true));
    CHECK_VIEW(log, "reload n6");
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

/* What the transaction delivers to a view that only records it; valid until the next call. */
static const char *whole(const struct kind *kind)
{
    static struct text kept;
    struct view_log log;
    stage(&log, kind->view(), 0);
    run(log.store, change);
    text_free(&kept);
    text_add(&kept, "%s", view_log_take(&log));
    leave(&log);
    return text_get(&kept);
}

/* Runs the transaction with an action at a moment, and returns what was delivered. */
static const char *reported(struct view_log *log, const struct kind *kind, const char *moment,
                            void (*act)(struct view_log *), uint32_t flags)
{
    stage(log, kind->view(), flags);
    log->moment = moment;
    log->act = act;
    /* The commit fails if the store is closed before the last statement returns. */
    fr_store_execute_script(log->store, change);
    CHECK(log->act == NULL);
    return view_log_take(log);
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

static void free_both_inside(struct view_log *log)
{
    free_list_inside(log);
    free_inside(log);
    close_inside(log);
}

#define EACH_KIND(kind) for (kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)
#define EACH_MOMENT(moment, kind) for (moment = (kind)->moments; moment->name != NULL; moment++)

/* Then not even the rest of a batch that has begun is delivered. */
static void nothing_is_delivered_after_the_end(void)
{
    void (*const acts[])(struct view_log *) = {free_inside, free_list_inside, close_inside, free_both_inside};
    const struct kind *kind;
    const struct moment *moment;
    size_t act, step = (size_t)step_of_cases(sizeof acts / sizeof *acts), first = 0;
    EACH_KIND(kind)
    {
        EACH_MOMENT(moment, kind)
        {
            for (act = first++ % step; act < sizeof acts / sizeof *acts; act += step) {
                struct view_log log;
                CHECK_TEXT(reported(&log, kind, moment->name, acts[act], 0), moment->reported);
                CHECK_INT(log.destroyed, acts[act] == free_inside || acts[act] == free_both_inside);
                if (log.store != NULL) {
                    fr_store_execute_script(log.store, "DELETE FROM t");
                    CHECK_VIEW(&log, "");
                }
                leave(&log);
            }
        }
    }
}

static void write_inside(struct view_log *log)
{
    CHECK_OK(fr_store_execute(log->store, "INSERT INTO l VALUES (10, 10, 'ten')", NULL, 0));
}

/* The batch is delivered to its end, and then another one with what was written. */
static void a_write_is_delivered_as_a_batch_of_its_own(void)
{
    const struct kind *kind;
    const struct moment *moment;
    EACH_KIND(kind)
    {
        struct text expected = {0};
        text_add(&expected, "%s %s", whole(kind), kind->view == stepping_view ? "[ insert s4 @s4; ]" : "[ +s4 ]");
        EACH_MOMENT(moment, kind)
        {
            struct view_log log;
            CHECK_TEXT(reported(&log, kind, moment->name, write_inside, 0), text_get(&expected));
            leave(&log);
        }
        text_free(&expected);
    }
}

static void pause_inside(struct view_log *log)
{
    CHECK_OK(fr_coordinator_set_paused(log->coordinator, true));
}

static void check_error_moment(void (*act)(struct view_log *), const char *expected)
{
    struct view_log log;
    stage(&log, logging_view(), 0);
    log.moment = "error";
    log.act = act;
    fr_store_execute_script(log.store, "ALTER TABLE t RENAME TO u");
    CHECK(log.act == NULL);
    if (log.store != NULL) {
        fr_store_execute_script(log.store, "DELETE FROM u WHERE id = 1; ALTER TABLE u RENAME TO t");
    }
    CHECK_VIEW(&log, expected);
    leave(&log);
}

static void acting_when_a_failure_is_reported(void)
{
    check_error_moment(free_inside, "FR_SCHEMA");
    check_error_moment(free_list_inside, "FR_SCHEMA");
    check_error_moment(close_inside, "FR_SCHEMA");
    check_error_moment(free_both_inside, "FR_SCHEMA");
    check_error_moment(pause_inside, "FR_SCHEMA");
    check_error_moment(write_inside, "FR_SCHEMA [ +s4 -0.0 ] n5");
}

TESTS(coordinator_callback_tests) = {
    TEST(nothing_is_delivered_after_the_end),
    TEST(a_write_is_delivered_as_a_batch_of_its_own),
    TEST(acting_when_a_failure_is_reported),
    END_OF_TESTS,
};
