/*
 * A random world: one file, a store with lists of each kind, another process that writes to the
 * file, and what the lists must show. All of it follows from the seed, but for what the threads of
 * the library do.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <fetchedresults/views.h>
#include <sqlite3.h>

#include "text.h"

enum { LISTS = 28, OBJECTS = 12, CHANGE_SETS = 6, STATEMENTS = 3, VIEWS = 4, DEEPEST = 3, MOST_CHILDREN = 4 };

/* A kind of list, and the statement that yields what it shows: its section, identity and values. */
struct template
{
    const char *name;
    fr_list *(*make)(fr_store *store, const struct template *template);
    fr_request *(*request)(const struct template *template);
    const char *entity, *section, *sort, *where; /* as request_of takes them */
    int identity_count;
    const char *oracle;
};

extern const struct template templates[];
extern const int template_count;

/* A list with what the world has noted about it. */
struct shown_list {
    fr_list *list; /* NULL for none */
    const struct template *template; /* NULL if it is not known what it must show */
    struct shown_list *children[MOST_CHILDREN]; /* of a collection */
    uint64_t observers[3];
    int observer_count;
    bool is_arranged; /* its children are being changed */
    bool is_requested; /* a callback has set another request, which can still fail */
};

struct world {
    uint64_t seed, random;
    long step, last_step;
    int depth;            /* of callbacks */
    long budget;          /* calls that callbacks may still make in this step */
    long acts;            /* random calls, in callbacks or not */
    bool is_logging;
    char path[200];
    const char *journal_mode;
    bool is_queued, is_adopted;
    sqlite3 *reader, *adopted;
    fr_store *store;
    struct shown_list lists[LISTS];
    fr_object *objects[OBJECTS];
    fr_change_set *change_sets[CHANGE_SETS];
    fr_statement *statements[STATEMENTS];
    fr_coordinator *coordinators[VIEWS];
    fr_data_source *sources[VIEWS];
    fr_list *windows[VIEWS];
    fr_cell *cell;
    fr_entity_list *entity_list;
    fr_placeholder *placeholder;
    fr_request *request;
    void *freed[11]; /* a handle of each kind that was freed */
    long calls, checks, compared, deliveries;
};

extern struct world world;

/* A random number below `count`, and whether one of `count` times. */
uint64_t below(uint64_t count);
bool one_in(uint64_t count);
const char *one_of(const char *const *texts, int count);
#define ONE_OF(...) \
    one_of((const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* Prints a line if the world is logged. */
void note(const char *format, ...);

/* Reports a fault; the world ends. */
void fault(const char *format, ...);

/* A status that no call may return: the file is sound, and memory and descriptors suffice. */
fr_status checked_status(fr_status status, const char *what);
#define DO(call) (world.calls++, checked_status((call), #call))

/* A random statement that writes. */
void random_sql(struct text *sql);

/* The other process. */
void writer_main(const char *path);
void writer_start(const char *program);
void writer_end(void);
/* Lets it run a script; returns SQLite's code. */
int writer_run(const char *sql);
bool writer_holds_lock(void);

/* Lists. */
void lists_make(struct shown_list *list);
void lists_free(struct shown_list *list);
void lists_observe(struct shown_list *list);
struct shown_list *random_list(void);
/* A random request for the list's entity, with the template that it is of. */
const struct template *random_template_of(const struct template *template);

/* What a list shows, with its contents; false if it can't be read. */
bool list_read(fr_list *list, struct text *text);

/* Ends what would keep lists from being compared, and compares all with the database. */
void settle(void);
void check_lists(bool is_settled);

/* Random calls. */
void random_call(void);
void world_open(void);
void world_close(void);

#endif
