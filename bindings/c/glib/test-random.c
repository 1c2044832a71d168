/*
 * Random transactions, from seeds: FR_SEEDS in the environment says how many, FR_SEED runs one
 * alone.
 */
#include <stdlib.h>

#include "test-random.h"
#include "test-support.h"

enum { IDS = 24 };

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
