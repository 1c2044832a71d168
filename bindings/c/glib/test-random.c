/*
 * Random transactions: after each the mirrors, which know only what signals have told, have to be what the lists show.
 * FR_SEEDS in the environment says how many seeds are tried, FR_SEED runs one alone.
 */
#include <stdlib.h>

#include "test-random.h"
#include "test-support.h"

enum { SEEDS = 16, TRANSACTIONS = 150, IDS = 24 };

/* A small generator of its own, so that a seed means the same everywhere. */
static guint32 state;

int random_below(int bound)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (guint32)bound);
}

guint32 random_start(guint32 seed)
{
    guint32 old = state;
    state = seed;
    return old;
}

static const char *const section_values[] = {"NULL", "'a'", "'b'", "'c'", "'d'", "'e'"};

static void add_statement(GString *sql)
{
    int id = random_below(IDS), other = random_below(IDS), key = random_below(9);
    const char *section = section_values[random_below(G_N_ELEMENTS(section_values))];
    switch (random_below(13)) {
    case 0:
    case 1:
        g_string_append_printf(sql, "REPLACE INTO t VALUES (%d, %s, %d, %d);", id + 1, section, key, other);
        break;
    case 2:
        g_string_append_printf(sql, "DELETE FROM t WHERE id = %d;", id + 1);
        break;
    case 3:
        g_string_append_printf(sql, "UPDATE t SET k = %d WHERE id %% 5 = %d;", key, id % 5);
        break;
    case 4:
        g_string_append_printf(sql, "UPDATE t SET s = %s WHERE id = %d OR id = %d;", section, id + 1, other + 1);
        break;
    case 5:
        g_string_append_printf(sql, "UPDATE t SET s = %s WHERE s IS %s;", section, section_values[random_below(6)]);
        break;
    case 6:
        g_string_append_printf(sql, "UPDATE t SET v = v + 1 WHERE id %% 3 = %d;", id % 3);
        break;
    case 7:
    case 8:
        g_string_append_printf(sql, "UPDATE p SET position = %d WHERE s IS %s;", key, section);
        break;
    case 9:
        g_string_append_printf(sql, "REPLACE INTO p(s, position) SELECT %s, %d WHERE %s IS NOT NULL;", section, key,
                               section);
        break;
    case 10:
        g_string_append_printf(sql, "UPDATE p SET title = %d WHERE s = %s;", id, section);
        break;
    case 11:
        g_string_append_printf(sql, "DELETE FROM p WHERE s = %s;", section);
        break;
    default:
        g_string_append_printf(sql, "INSERT OR IGNORE INTO t SELECT id + %d, s, k, v FROM t WHERE id < %d LIMIT 4;", id,
                               other);
    }
}

void random_transaction(fr_store *store)
{
    GString *sql = g_string_new("BEGIN;");
    int statements = 1 + random_below(5);
    while (statements-- > 0) {
        add_statement(sql);
    }
    g_string_append(sql, random_below(8) == 0 ? "ROLLBACK;" : "COMMIT;");
    g_test_message("%s", sql->str);
    run(store, sql->str);
    g_string_free(sql, TRUE);
}

/* Telling: signals name as many rows and sections as there are records, so none that has no record. */

struct expected {
    guint64 leaving, coming;
    guint64 gone, come;      /* sections */
    gboolean is_anew;
    gboolean sections_move;  /* their rows do, too, without records */
    GPtrArray *moved;        /* the models of sections that move, by their new places */
};

struct subject {
    struct shown shown;
    struct expected expected;
    int kind;
    children *children; /* of a collection */
    gboolean is_paused;
};

static void note_section(const struct subject *subject, struct expected *expected, const fr_change *record)
{
    expected->gone += record->type == FR_DELETE || record->type == FR_MOVE;
    expected->come += record->type == FR_INSERT || record->type == FR_MOVE;
    if (record->type == FR_MOVE) {
        guint place = (guint)record->new_path.section;
        expected->sections_move = TRUE;
        if (expected->moved->len <= place) {
            g_ptr_array_set_size(expected->moved, (gint)place + 1);
        }
        expected->moved->pdata[place] = tree_section(subject->shown.tree, (guint)record->old_path.section)->model;
    }
}

/* The mirrors are still what the list was: this observer is told before the models. */
static void note_records(fr_list *list, fr_change_set *changes, void *user_data)
{
    struct subject *subject = user_data;
    struct expected *expected = &subject->expected;
    const fr_change *records = NULL;
    size_t count = 0, index;
    bool is_reload = false;
    (void)list;
    check(fr_change_set_records(&records, &count, changes));
    check(fr_change_set_is_reload(&is_reload, changes));
    expected->is_anew |= is_reload;
    g_ptr_array_set_size(expected->moved, 0);
    for (index = 0; index < count; index++) {
        if (records[index].kind == FR_SECTION) {
            note_section(subject, expected, &records[index]);
        } else {
            expected->leaving += records[index].type != FR_INSERT;
            expected->coming += records[index].type != FR_DELETE;
        }
    }
}

static void compare_counts(struct subject *subject)
{
    struct expected *expected = &subject->expected;
    struct mirror *mirror = subject->shown.mirror;
    struct tree *tree = subject->shown.tree;
    guint index;
    if (!expected->is_anew) {
        g_assert_true(expected->sections_move || mirror->removed == expected->leaving);
        g_assert_true(expected->sections_move || mirror->added == expected->coming);
        g_assert_cmpuint(tree->removed, ==, expected->gone);
        g_assert_cmpuint(tree->added, ==, expected->come);
    }
    for (index = 0; index < expected->moved->len && !expected->is_anew; index++) {
        gpointer model = g_ptr_array_index(expected->moved, index);
        g_assert_true(model == NULL || tree_section(tree, index)->model == model);
    }
    mirror->removed = mirror->added = tree->removed = tree->added = 0;
    g_ptr_array_set_size(expected->moved, 0);
    *expected = (struct expected){.moved = expected->moved};
}

static void subject_set_up(struct subject *subject, fr_list *list, int kind)
{
    const fr_observer observer = {.struct_size = sizeof observer, .did_deliver = note_records};
    guint flags = (random_below(2) == 0 ? MIRROR_HOLDS : 0) | (kind == COLLECTED ? MIRROR_REPEATS : 0);
    *subject = (struct subject){.kind = kind, .expected = {.moved = g_ptr_array_new()}};
    check(fr_list_perform_fetch(list));
    check(fr_list_add_observer(NULL, list, &observer, subject, NULL));
    shown_set_up(&subject->shown, list, flags);
}

static void subject_tear_down(struct subject *subject)
{
    g_clear_pointer(&subject->children, children_free);
    if (subject->is_paused) {
        check(fr_controller_resume(subject->shown.list, false));
    }
    shown_tear_down(&subject->shown);
    g_ptr_array_unref(subject->expected.moved);
}

static void pause_or_resume(struct subject *subject)
{
    if (subject->is_paused) {
        check(fr_controller_resume(subject->shown.list, random_below(3) == 0));
    } else {
        check(fr_controller_pause(subject->shown.list));
    }
    subject->is_paused = !subject->is_paused;
}

/* Of a list that is paused not every row can be read. */
static void compare(struct subject *subject)
{
    if (!subject->is_paused && (subject->children == NULL || !children_are_paused(subject->children))) {
        shown_check(&subject->shown);
    }
    compare_counts(subject);
}

static void disturb(struct subject *subject)
{
    g_test_message("list of kind %d%s", subject->kind, subject->is_paused ? " (paused)" : "");
    if (subject->children != NULL) {
        children_disturb(subject->children, subject->shown.mirror->items != NULL);
    } else if (subject->is_paused || random_below(3) == 0) {
        pause_or_resume(subject);
    } else {
        disturb_list(subject->shown.list, subject->kind);
    }
    compare(subject);
}

static void run_seed(guint32 seed)
{
    const char *sql = RANDOM_TABLES;
    fr_store *stores[] = {store_with(sql), store_with(sql)};
    struct subject subjects[LISTS];
    int index, round;
    random_start(seed);
    for (index = 0; index < LISTS; index++) {
        fr_list *list = NULL;
        if (index == COLLECTED) {
            check(fr_collection_new(&list));
        } else {
            list = random_list(stores[0], index);
        }
        subject_set_up(&subjects[index], list, index);
        subjects[index].children = index == COLLECTED ? children_new(list, stores) : NULL;
    }
    for (round = 0; round < TRANSACTIONS; round++) {
        random_transaction(stores[random_below(4) == 0]);
        for (index = 0; index < LISTS; index++) {
            compare(&subjects[index]);
        }
        disturb(&subjects[random_below(2) == 0 ? COLLECTED : random_below(LISTS)]);
    }
    for (index = 0; index < LISTS; index++) {
        subject_tear_down(&subjects[index]);
    }
    check(fr_store_close(stores[0]));
    check(fr_store_close(stores[1]));
}

void random_seeds(void (*run_one)(guint32 seed), int count)
{
    const char *seed = g_getenv("FR_SEED"), *seeds = g_getenv("FR_SEEDS");
    int index;
    if (seed != NULL) {
        run_one((guint32)strtoul(seed, NULL, 10));
        return;
    }
    count = seeds != NULL ? atoi(seeds) : count;
    for (index = 1; index <= count; index++) {
        g_test_message("FR_SEED=%d", index);
        run_one((guint32)index);
    }
}

static void random_transactions(void)
{
    random_seeds(run_seed, SEEDS);
}

void add_random_tests(void)
{
    g_test_add_func("/random/transactions", random_transactions);
    add_random_foreign_tests();
}
