/*
 * Random transactions, each replayed by the recorder and compared with a list fetched anew. A failure prints the seed
 * and the SQL since the start; FR_SEED in the environment runs that seed alone.
 */
#include <stdio.h>
#include <string.h>

#include "background.h"
#include "random.h"
#include "test.h"
#include "watched.h"

static const char *random_key(void)
{
    static const char *const keys[] = {"NULL", "1",    "1.0",   "2",    "'a'", "'B'",
                                       "'b'",  "'a '", "x'61'", "-3.5", "'c'", "7"};
    return keys[random_below((int)(sizeof keys / sizeof *keys))];
}

static const char *random_section(void)
{
    static const char *const keys[] = {"NULL", "'x'", "'X'", "'y'", "'z'", "1"};
    return keys[random_below((int)(sizeof keys / sizeof *keys))];
}

static void add_statement(struct text *sql)
{
    int id = random_below(12);
    switch (random_below(9)) {
    case 0:
    case 1:
        text_add(sql, "INSERT OR IGNORE INTO t VALUES (%d, %s, %s, %d, %d);", id, random_section(), random_key(),
                 random_below(3), random_below(4));
        break;
    case 2:
        text_add(sql, "REPLACE INTO t VALUES (%d, %s, %s, %d, %d);", id, random_section(), random_key(),
                 random_below(3), random_below(4));
        break;
    case 3:
        text_add(sql, "DELETE FROM t WHERE id = %d;", id);
        break;
    case 4:
        text_add(sql, "UPDATE t SET k = %s WHERE id %s %d;", random_key(), random_below(2) ? "=" : "<", id);
        break;
    case 5:
        text_add(sql, "UPDATE t SET s = %s WHERE id %s %d;", random_section(), random_below(2) ? "=" : ">", id);
        break;
    case 6:
        text_add(sql, "UPDATE t SET v = v + 1 WHERE id %% 3 = %d;", id % 3);
        break;
    case 7:
        text_add(sql, "UPDATE r SET position = %d WHERE id = %d;", random_below(5), random_below(4));
        break;
    default:
        text_add(sql, "UPDATE t SET r = %d WHERE id = %d;", random_below(4), id);
    }
}

static void add_transaction(struct text *sql)
{
    int statements = random_below(5);
    text_add(sql, "BEGIN;");
    do {
        bool nested = random_below(5) == 0;
        text_add(sql, nested ? "SAVEPOINT s;" : "");
        add_statement(sql);
        text_add(sql, nested ? (random_below(2) ? "ROLLBACK TO s;RELEASE s;" : "RELEASE s;") : "");
    } while (statements-- > 0);
    text_add(sql, random_below(8) == 0 ? "ROLLBACK;" : "COMMIT;");
}

#define SCHEMA \
    "CREATE TABLE r(id INTEGER PRIMARY KEY, position INTEGER);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v INTEGER, r REFERENCES r(id));" \
    "INSERT INTO r VALUES (0, 3), (1, 1), (2, 2), (3, 0);" \
    "INSERT INTO t VALUES (1, 'x', 'a', 0, 1), (2, 'y', 'b', 0, 2), (3, 'x', 1, 0, 3), (4, NULL, NULL, 0, 0);"

/* The kinds of list that are compared. */
static fr_request *request_number(int number)
{
    fr_request *request;
    switch (number) {
    case 0:
        return request_of("t", NULL, "k", NULL);
    case 1:
        return request_of("t", "s", "-k v", NULL);
    case 2:
        return request_of("t", "-s", "r.position", "v < 3");
    case 3:
        return request_of("t", "r.position", "-k", "r <> 2");
    case 4:
        request = request_of("t", NULL, "k", NULL);
        CHECK_OK(fr_request_set_section(request, "s", FR_ASCENDING | FR_NULLS_LAST, "NOCASE"));
        return request;
    default:
        request = request_of("t", "s", "k", NULL);
        CHECK_OK(fr_request_set_limit(request, 4, 1));
        return request;
    }
}

enum { LISTS = 6, TRANSACTIONS = 40 };

/* True if all went well. */
static bool run_seed(uint32_t seed)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *requests[LISTS];
    fr_controller *lists[LISTS];
    struct recorder recorders[LISTS];
    struct text history = {NULL, 0, 0};
    int before = failures(), index, round;
    for (index = 0; index < LISTS; index++) {
        requests[index] = request_number(index);
        CHECK_OK(fr_controller_new(&lists[index], store, requests[index]));
        CHECK_OK(fr_controller_perform_fetch(lists[index]));
        recorder_start(&recorders[index], lists[index]);
    }
    for (round = 0; round < TRANSACTIONS && failures() == before; round++) {
        size_t start = history.length;
        add_transaction(&history);
        run(store, text_get(&history) + start);
        for (index = 0; index < LISTS; index++) {
            check_against_fetch(lists[index], store, requests[index]);
            recorder_take(&recorders[index]);
        }
        text_add(&history, "\n      ");
    }
    if (failures() != before) {
        fail(__FILE__, __LINE__, "FR_SEED=%u\n      %s", seed, text_get(&history));
    }
    for (index = 0; index < LISTS; index++) {
        fr_controller_free(lists[index]);
        fr_request_free(requests[index]);
        recorder_free(&recorders[index]);
    }
    CHECK_OK(fr_store_close(store));
    text_free(&history);
    return failures() == before;
}

/* A list whose fetch has ended shows what one shows that is fetched now. */
static void check_fetched(const struct background *fetch, fr_controller *list, fr_store *store, fr_request *request)
{
    bool is_fetched = false;
    CHECK_INT(fetch->status, FR_OK);
    CHECK_OK(fr_controller_is_fetched(&is_fetched, list));
    if (is_fetched) {
        check_against_fetch(list, store, request);
    }
}

/* Lists that are fetched in the background while transactions go on. */
static bool run_fetch_seed(uint32_t seed)
{
    char name[40];
    fr_store *store;
    fr_request *requests[LISTS];
    fr_controller *lists[LISTS];
    struct background fetches[LISTS];
    struct text history = {NULL, 0, 0};
    int before = failures(), index, round;
    memset(fetches, 0, sizeof fetches);
    snprintf(name, sizeof name, "fetched_%u.db", (unsigned)seed);
    store = store_in_file(name);
    run(store, SCHEMA);
    for (index = 0; index < LISTS; index++) {
        requests[index] = request_number(index);
        CHECK_OK(fr_controller_new(&lists[index], store, requests[index]));
    }
    for (round = 0; round < TRANSACTIONS && failures() == before; round++) {
        size_t start;
        index = random_below(LISTS);
        background_begin(&fetches[index], lists[index], index, &history);
        start = history.length;
        add_transaction(&history);
        run(store, text_get(&history) + start);
        text_add(&history, "\n      ");
        if (round % 4 == 3) {
            background_end(fetches, LISTS, store, &history);
        }
        for (index = 0; index < LISTS && round % 4 == 3; index++) {
            check_fetched(&fetches[index], lists[index], store, requests[index]);
        }
    }
    if (failures() != before) {
        fail(__FILE__, __LINE__, "FR_SEED=%u\n      %s", seed, text_get(&history));
    }
    for (index = 0; index < LISTS; index++) {
        fr_controller_free(lists[index]);
        fr_request_free(requests[index]);
    }
    CHECK_OK(fr_store_close(store));
    for (index = 0; index < LISTS; index++) {
        background_check_closed(&fetches[index]);
    }
    text_free(&history);
    return failures() == before;
}

static void random_transactions_replay_exactly(void)
{
    each_seed(run_seed);
}

static void lists_fetched_in_the_background_are_those_of_their_end(void)
{
    each_seed(run_fetch_seed);
}

TESTS(random_tests) = {
    TEST(random_transactions_replay_exactly),
    TEST(lists_fetched_in_the_background_are_those_of_their_end),
    END_OF_TESTS,
};
