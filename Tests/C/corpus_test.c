/*
 * Replays the corpus that the Swift oracle wrote (Tests/Corpus), with a recorder on each list. The
 * recorder checks that both forms of an observer agree, that will_change shows the old list, and
 * that both encodings replay to the new list. Strict views follow each list as well, and show what
 * it shows after each comparison.
 */
#include "corpus.h"
#include "fixture.h"
#include "list_views.h"
#include "recorder.h"
#include "test.h"

struct recorders {
    struct recorder recorders[CORPUS_LISTS];
    bool are_started[CORPUS_LISTS];
    struct views views;
};

static void start_recorder(struct corpus *corpus, int number)
{
    struct recorders *recorders = corpus->user_data;
    struct recorder *recorder = &recorders->recorders[number];
    if (recorders->are_started[number]) {
        recorder_note_fetch(recorder, corpus->lists[number].list);
    } else {
        recorder_start(recorder, corpus->lists[number].list);
        recorder->shares_rows = true;
        recorders->are_started[number] = true;
    }
    views_fetched(&recorders->views, corpus, number);
}

static void discard_log(struct corpus *corpus)
{
    struct recorders *recorders = corpus->user_data;
    int number;
    for (number = 0; number < CORPUS_LISTS; number++) {
        if (recorders->are_started[number]) {
            recorder_take(&recorders->recorders[number]);
        }
    }
    views_settled(&recorders->views, corpus);
}

static void free_recorder(struct corpus *corpus, int number)
{
    struct recorders *recorders = corpus->user_data;
    views_freed(&recorders->views, number);
    if (recorders->are_started[number]) {
        recorder_free(&recorders->recorders[number]);
    }
    recorders->are_started[number] = false;
}

static void the_corpus_is_what_happens(void)
{
    static const struct corpus_hooks hooks = {start_recorder, discard_log, free_recorder};
    static struct recorders recorders;
    CHECK(corpus_replay(file_path("corpus.db"), &hooks, &recorders) > 0);
}

TESTS(corpus_tests) = {
    TEST(the_corpus_is_what_happens),
    END_OF_TESTS,
};
