/*
 * Strict views of the lists of a scenario of the corpus, several of each list and of all kinds.
 * Some of them are paused now and then. Some of the views of lists that were fetched by themselves
 * load immediately, the others at their next delivery. None of that is random: it depends on the
 * numbers of the list and of the comparison.
 */
#ifndef LIST_VIEWS_H
#define LIST_VIEWS_H

#include "corpus.h"
#include "strict_view.h"

enum { VIEWS_OF_LIST = 3 };

struct list_views {
    struct corpus *corpus;
    int number; /* of the list */
    struct strict_view views[VIEWS_OF_LIST];
    bool is_reload_due[VIEWS_OF_LIST]; /* something asked for a reload during the view's pause */
    bool ends_with_difference[VIEWS_OF_LIST];
    int64_t batches[VIEWS_OF_LIST];    /* that may have been delivered by now */
    bool are_open;
    bool are_behind; /* the list was fetched, which the views detect at its next delivery */
};

struct views {
    struct list_views lists[CORPUS_LISTS];
    int comparisons;
};

/* The hooks of a corpus, with the same names. */
void views_fetched(struct views *views, struct corpus *corpus, int number);
void views_freed(struct views *views, int number);

/* Compares the views of all lists that can be read with what these show. */
void views_settled(struct views *views, struct corpus *corpus);

#endif
