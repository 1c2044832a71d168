/*
 * Replays the corpus of Tests/Corpus: the steps of random runs, and what lists have to show and to
 * deliver. Of the other tests it uses only checks and texts, so that programs with support of their
 * own can link it.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <jansson.h>

#include "corpus_text.h"
#include "text.h"

enum { CORPUS_LISTS = 16, CORPUS_PLACEHOLDERS = 64 };

/*
 * A record as it was delivered: its text, and the old values, which are separate because they are
 * not always available.
 */
struct corpus_record {
    char *text;
    char *was;
};

/* The deliveries of one list since it was last compared. */
struct corpus_reported {
    struct corpus_record *records;
    size_t count;
    struct text brackets; /* "reload" or the steps of each, in a line */
    struct text errors;   /* the statuses, each followed by a space */
};

struct corpus_list {
    fr_list *list; /* NULL if there is none of this number */
    json_t *request;     /* borrowed likewise; NULL for a collection */
    bool is_map;
    json_t *picture;     /* what it has to show, borrowed of the scenario's lines; NULL before its first fetch */
    json_t *totals;      /* of the whole list, likewise; NULL if it has none */
    struct corpus_reported reported;
    int64_t fetches;     /* in the background, under way */
    bool is_stale;       /* paused, or not readable: rows may be gone */
    bool was_fetched;    /* in the background, since the last comparison */
};

struct corpus;

/* The hooks of a test; any of them may be NULL. */
struct corpus_hooks {
    /* A list was fetched, for the first time or again, without a callback. */
    void (*fetched)(struct corpus *corpus, int number);
    /* All lists were compared and are correct. */
    void (*settled)(struct corpus *corpus);
    /* A list is about to be freed. */
    void (*freed)(struct corpus *corpus, int number);
};

/* The state of a scenario under way. */
struct corpus {
    const char *name;
    fr_store *store;
    fr_store *other; /* a second connection to the file; NULL for a store in memory */
    struct corpus_list lists[CORPUS_LISTS];
    /* All that were made: a collection answers the handles that the program keeps. */
    fr_placeholder *placeholders[CORPUS_PLACEHOLDERS];
    size_t placeholder_count;
    struct corpus_rows rows;
    const struct corpus_hooks *hooks;
    void *user_data;
};

/*
 * Replays all scenarios: only the one of FR_SEED if the environment has it, or the first FR_SEEDS.
 * `path` is where their databases are made. Returns the number of scenarios; failures are counted
 * like those of other checks.
 */
int corpus_replay(const char *path, const struct corpus_hooks *hooks, void *user_data);

/* One step of a scenario, from a line. */
fr_status corpus_do(struct corpus *corpus, json_t *step);

/* Frees a list and its state. */
void corpus_free_list(struct corpus *corpus, int number);

/* Observes a list that was just made. */
void corpus_listen(struct corpus_list *list);

/*
 * Compares what a list delivered and reported with what is expected, an item of "then" or NULL, and
 * discards it.
 */
void corpus_check_reported(struct corpus *corpus, int number, json_t *expected);

/* Compares what a list shows with the expected picture, reading every row. */
void corpus_check_shown(struct corpus *corpus, int number);

/* The same for rows that may be deleted. */
void corpus_look(struct corpus *corpus, int number);

#endif
