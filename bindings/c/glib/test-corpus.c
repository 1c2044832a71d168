/*
 * Replays the corpus of random runs (Tests/Corpus) with both models of each list: their mirrors, which know only what
 * signals have reported, have to be what the lists show, and those have to be what the corpus says.
 */
#include <glib/gstdio.h>

#include "corpus.h"
#include "test-support.h"
#include "test.h"

struct models {
    struct shown shown[CORPUS_LISTS];
    gboolean are_there[CORPUS_LISTS];
    gboolean have_other_columns;
};

static void free_models(struct corpus *corpus, int number)
{
    struct models *models = corpus->user_data;
    struct shown *shown = &models->shown[number];
    if (models->are_there[number]) {
        /* The corpus frees the list. */
        shown->list = NULL;
        shown_tear_down(shown);
    }
    models->are_there[number] = FALSE;
}

/* A fetch makes no signals, so the models are new ones then. */
static void show_list(struct corpus *corpus, int number)
{
    struct models *models = corpus->user_data;
    free_models(corpus, number);
    models->are_there[number] = TRUE;
    shown_set_up(&models->shown[number], corpus->lists[number].list, MIRROR_REPEATS);
}

static void note_other_columns(struct corpus *corpus, int number)
{
    (void)number;
    ((struct models *)corpus->user_data)->have_other_columns = TRUE;
}

/* Other columns alone are no change of a list, so they make no signals either. */
static void show_other_columns(struct corpus *corpus)
{
    struct models *models = corpus->user_data;
    int number;
    for (number = 0; number < CORPUS_LISTS && models->have_other_columns; number++) {
        if (models->are_there[number]) {
            show_list(corpus, number);
        }
    }
    models->have_other_columns = FALSE;
}

/* Rows of lists that can't follow the database may be gone, which the models then show as blank ones. */
static void check_models(struct corpus *corpus)
{
    struct models *models = corpus->user_data;
    int number;
    show_other_columns(corpus);
    for (number = 0; number < CORPUS_LISTS; number++) {
        if (models->are_there[number] && !corpus->lists[number].is_stale) {
            shown_check(&models->shown[number]);
        }
    }
}

static void replay(void)
{
    static const struct corpus_hooks hooks = {
        .fetched = show_list,
        .will_show_other_columns = note_other_columns,
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
