/*
 * What the tests of the models share: databases, lists, and mirrors that contain only what signals
 * have announced.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include "frg-list-model.h"
#include "frg-section-list.h"

/* Fails the test with the library's message unless the status is FR_OK. */
#define check(status) check_at(status, __FILE__, __LINE__)
void check_at(fr_status status, const char *file, int line);

/*
 * A table t(id, s, k, v) in memory, after `sql`; a list of it in sections of s (NULL for a flat
 * one) by k.
 */
fr_store *store_with(const char *sql);
fr_list *list_of(fr_store *store, const char *section);
void run(fr_store *store, const char *sql);

/* "1 2 3" or, in sections, "a: 1 2 b: 3": the ids, read from the controller. */
char *ids_of(fr_list *controller, gboolean with_sections);

/* An item's row as text, and its id; "?" and 0 if the row can't be read. */
char *row_text(FrGItem *item);
gint64 row_id(FrGItem *item);

/* A row as the database has it, in the words of row_text. */
char *object_text(fr_object *object);

/* How a mirror is updated. */
enum {
    MIRROR_HOLDS = 1,  /* it holds its items, and all of them have to be different ones */
    MIRROR_REPEATS = 2 /* two rows may have the same id, as in a collection */
};

/*
 * A copy of a model of rows, kept by its signals alone: what they add is read in their handler. In
 * each handler the model has to agree with the mirror at every position: item by item if the mirror
 * holds them, else row by row.
 */
struct mirror {
    GListModel *model; /* held */
    guint flags;
    GPtrArray *texts;
    GPtrArray *items;  /* NULL for a mirror that holds none */
    GArray *ids;       /* of gint64 */
    GString *log;      /* "position-removed+added", each followed by a space */
    GString *updated;  /* the positions of items that have changed, each followed by a space */
    guint64 removed;   /* by all signals together */
    guint64 added;
    gulong handler;
    void (*in_handler)(gpointer user_data); /* called at the end of each handler, if there is one */
    gpointer user_data;
};

struct mirror *mirror_new(gpointer model, guint flags);
void mirror_free(struct mirror *mirror);

/* A row as the mirror has it; one that holds no items is not notified of updates, and reads it. */
const char *mirror_text(const struct mirror *mirror, guint index);

/* Whether the model agrees with the mirror now. */
void mirror_check(const struct mirror *mirror);

/* The signals of a mirror or tree since the last call have to be these. */
#define mirror_expect(mirror, signals) \
    do { \
        g_assert_cmpstr((mirror)->log->str, ==, signals); \
        g_string_truncate((mirror)->log, 0); \
    } while (0)

/* Since the last call these items have changed. */
#define mirror_expect_updated(mirror, positions) \
    do { \
        g_assert_cmpstr((mirror)->updated->str, ==, positions); \
        g_string_truncate((mirror)->updated, 0); \
    } while (0)

/* "1 2 3": the ids of the mirror; to be freed. */
char *mirror_ids(const struct mirror *mirror);

/*
 * A list in three sections, a (1 2 3), b (4) and c (5 6), its model of all rows, and a mirror that
 * holds its items.
 */
#define THREE_SECTIONS \
    "INSERT INTO t(id, s, k) VALUES (1, 'a', 10), (2, 'a', 20), (3, 'a', 30), (4, 'b', 10), (5, 'c', 10)," \
    " (6, 'c', 20)"

struct flat {
    fr_store *store;        /* NULL if the test has closed it */
    fr_list *list;    /* NULL if the test has freed it */
    FrGListModel *model;
    struct mirror *mirror;  /* NULL if the test has freed it */
};

void flat_set_up(struct flat *test, gconstpointer unused);
void flat_tear_down(struct flat *test, gconstpointer unused);

/* The list and the mirror have to be these rows, and the signals since the last call these. */
void flat_expect(struct flat *test, const char *ids, const char *signals);

/*
 * The same of a list of sections: a mirror for each. In each handler, whoever's, all models have to
 * agree with their mirrors, and no row may be in two of them.
 */
struct tree {
    GListModel *list;    /* held */
    GPtrArray *sections; /* of struct mirror */
    GString *log;
    guint64 removed;     /* by all signals together */
    guint64 added;
    guint flags;
    gulong handler;
};

struct tree *tree_new(FrGSectionList *list, guint flags);
void tree_free(struct tree *tree);
void tree_check(const struct tree *tree);
struct mirror *tree_section(const struct tree *tree, guint index);

/* "a: 1 2 b: 3"; to be freed. */
char *tree_ids(const struct tree *tree);

/* A list of any kind, in both models and their mirrors. */
struct shown {
    fr_list *list; /* NULL if the test has freed it */
    FrGListModel *model;
    FrGSectionList *sections;
    struct mirror *mirror;
    struct tree *tree;
};

/* Takes the list over, which is fetched. */
void shown_set_up(struct shown *shown, fr_list *list, guint flags);
void shown_tear_down(struct shown *shown);

/* Both mirrors have to be what the list is: every row, and what is known of the sections. */
void shown_check(const struct shown *shown);

/*
 * The same, and the list has to be these sections and rows, "a: 1 2 b: 3", and the signals since
 * the last call, of the model of all rows and of the list of sections, these.
 */
void shown_expect(struct shown *shown, const char *ids, const char *flat, const char *sections);

#define g_assert_text(text, expected) \
    do { \
        char *actual = (text); \
        g_assert_cmpstr(actual, ==, expected); \
        g_free(actual); \
    } while (0)

/* A call of a store, which takes the error "fault", fails with an error that has a message. */
#define fails_with(call, expected) \
    do { \
        GError *fault = NULL; \
        g_assert_false(call); \
        g_assert_error(fault, FRG_STORE_ERROR, expected); \
        g_assert_true(*fault->message != '\0'); \
        g_clear_error(&fault); \
    } while (0)

void add_lifetime_tests(void);
void add_reload_tests(void);
void add_section_map_tests(void);
void add_collection_tests(void);
void add_section_list_tests(void);
void add_store_source_tests(void);
void add_store_tests(void);
void add_edit_tests(void);
void add_request_tests(void);
void add_corpus_tests(void);
void add_position_tests(void);
void add_selection_tests(void);
void add_random_tests(void);
void add_window_tests(void);
void add_totals_tests(void);

#endif
