/*
 * Replays the corpus of random runs (Tests/Corpus) with both models of each list: their mirrors,
 * which know only what signals have reported, have to be what the lists show, and those have to be
 * what the corpus says. Signals name as many rows as are inserted and deleted, and as many sections
 * as there are records, so none that has no record.
 */
#include <glib/gstdio.h>

#include "corpus.h"
#include "test-support.h"
#include "test.h"

/* More are one range. */
#define MOST_SIGNALS 20

/* What the signals of a list have to name. */
struct expected {
    guint64 leaving, coming; /* rows that are deleted and inserted */
    guint64 gone, come;      /* sections */
    gboolean is_reset;
    gboolean rows_move;      /* a signal may then name all rows in between */
    gboolean sections_move;  /* their rows do, too, without records */
    GPtrArray *moved;        /* after one delivery the models of sections that move, by their new places */
    guint deliveries;
    const struct shown *shown;
};

struct models {
    struct shown shown[CORPUS_LISTS];
    struct expected expected[CORPUS_LISTS];
    uint64_t observers[CORPUS_LISTS];
    gboolean are_there[CORPUS_LISTS];
};

static void note_section(struct expected *expected, const fr_change *record)
{
    expected->gone += record->type == FR_DELETE || record->type == FR_MOVE;
    expected->come += record->type == FR_INSERT || record->type == FR_MOVE;
    if (record->type == FR_MOVE) {
        guint place = (guint)record->new_path.section;
        expected->sections_move = TRUE;
        if (expected->moved->len <= place) {
            g_ptr_array_set_size(expected->moved, (gint)place + 1);
        }
        expected->moved->pdata[place] = tree_section(expected->shown->tree, (guint)record->old_path.section)->model;
    }
}

/* The mirrors still show the old list: this observer is notified before the models. */
static void note_records(fr_list *list, fr_change_set *changes, void *user_data)
{
    struct expected *expected = user_data;
    const fr_change *records = NULL;
    size_t count = 0, index;
    bool is_reload = false;
    (void)list;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    CHECK_OK(fr_change_set_is_reload(&is_reload, changes));
    expected->is_reset |= is_reload;
    expected->deliveries++;
    g_ptr_array_set_size(expected->moved, 0);
    for (index = 0; index < count; index++) {
        if (records[index].kind == FR_SECTION) {
            note_section(expected, &records[index]);
        } else {
            expected->leaving += records[index].type == FR_DELETE;
            expected->coming += records[index].type == FR_INSERT;
            expected->rows_move |= records[index].type == FR_MOVE;
        }
    }
}

static void compare_counts(struct expected *expected)
{
    struct mirror *mirror = expected->shown->mirror;
    struct tree *tree = expected->shown->tree;
    guint index;
    if (!expected->is_reset) {
        gboolean is_exact = !expected->sections_move && !expected->rows_move
                            && expected->leaving + expected->coming <= MOST_SIGNALS;
        g_assert_true(!is_exact || mirror->removed == expected->leaving);
        g_assert_true(!is_exact || mirror->added == expected->coming);
        g_assert_cmpuint(mirror->added + expected->leaving, ==, mirror->removed + expected->coming);
        g_assert_cmpuint(tree->removed, ==, expected->gone);
        g_assert_cmpuint(tree->added, ==, expected->come);
    }
    for (index = 0; index < expected->moved->len && !expected->is_reset && expected->deliveries == 1; index++) {
        gpointer model = g_ptr_array_index(expected->moved, index);
        g_assert_true(model == NULL || tree_section(tree, index)->model == model);
    }
    mirror->removed = mirror->added = tree->removed = tree->added = 0;
    g_ptr_array_set_size(expected->moved, 0);
    *expected = (struct expected){.moved = expected->moved, .shown = expected->shown};
}

static void free_models(struct corpus *corpus, int number)
{
    struct models *models = corpus->user_data;
    struct shown *shown = &models->shown[number];
    if (models->are_there[number]) {
        CHECK_OK(fr_list_remove_observer(corpus->lists[number].list, models->observers[number]));
        g_ptr_array_unref(models->expected[number].moved);
        /* The corpus frees the list. */
        shown->list = NULL;
        shown_tear_down(shown);
    }
    models->are_there[number] = FALSE;
}

/* A fetch makes no signals, so the models are new ones then. */
static void show_list(struct corpus *corpus, int number)
{
    const fr_observer observer = {.struct_size = sizeof observer, .did_deliver = note_records};
    struct models *models = corpus->user_data;
    struct expected *expected = &models->expected[number];
    free_models(corpus, number);
    models->are_there[number] = TRUE;
    *expected = (struct expected){.moved = g_ptr_array_new(), .shown = &models->shown[number]};
    CHECK_OK(fr_list_add_observer(&models->observers[number], corpus->lists[number].list, &observer, expected, NULL));
    shown_set_up(&models->shown[number], corpus->lists[number].list,
                 MIRROR_REPEATS | (number % 2 == 0 ? MIRROR_HOLDS : 0));
}

/*
 * Rows of lists that can't follow the database may be gone, which the models then show as blank
 * ones.
 */
static void check_models(struct corpus *corpus)
{
    struct models *models = corpus->user_data;
    int number;
    for (number = 0; number < CORPUS_LISTS; number++) {
        if (!models->are_there[number]) {
            continue;
        }
        compare_counts(&models->expected[number]);
        if (!corpus->lists[number].is_stale) {
            shown_check(&models->shown[number]);
        }
    }
}

static void replay(void)
{
    static const struct corpus_hooks hooks = {
        .fetched = show_list,
        .settled = check_models,
        .freed = free_models,
    };
    static struct models models;
    char *folder = g_dir_make_tmp("fr-corpus-XXXXXX", NULL), *path = g_build_filename(folder, "corpus.db", NULL);
    g_assert_cmpint(corpus_replay(path, &hooks, &models), >, 0);
    g_assert_cmpint(failures(), ==, 0);
    g_rmdir(folder);
    g_free(path);
    g_free(folder);
}

void add_corpus_tests(void)
{
    g_test_add_func("/corpus/replay", replay);
}
