/*
 * Random statements that write: few rows and few values, so that changes often take each other
 * back.
 */
#include "world.h"

#include <stdio.h>

static const char *id(void)
{
    return ONE_OF("1", "2", "3", "4", "5", "6");
}

static const char *name(void)
{
    return ONE_OF("'a'", "'b'", "'A'", "'ab'", "NULL", "hex(zeroblob(3000))");
}

static const char *rank(void)
{
    return ONE_OF("0", "1", "2", "3", "NULL", "'x'", "1.5");
}

static const char *small(void)
{
    return ONE_OF("0", "1", "2", "3");
}

static void items(struct text *sql)
{
    switch (below(9)) {
    case 0:
        text_add(sql, "INSERT OR REPLACE INTO t VALUES (%s, %s, %s, %s)", id(), small(), name(), rank());
        break;
    case 1:
        text_add(sql, "DELETE FROM t WHERE id = %s", id());
        break;
    case 2:
        text_add(sql, "UPDATE t SET name = %s WHERE id = %s", name(), id());
        break;
    case 3:
        text_add(sql, "UPDATE t SET rank = %s WHERE rank IS %s", rank(), rank());
        break;
    case 4:
        text_add(sql, "UPDATE t SET kind_id = %s WHERE id = %s", one_in(3) ? "NULL" : small(), id());
        break;
    case 5:
        text_add(sql, "UPDATE OR IGNORE t SET id = %s WHERE id = %s", id(), id());
        break;
    case 6:
        text_add(sql, "UPDATE t SET rank = %s, name = %s WHERE id > %s", rank(), name(), id());
        break;
    case 7:
        text_add(sql, "INSERT INTO t(name, rank) VALUES (%s, %s)", name(), rank());
        break;
    default:
        text_add(sql, "UPDATE t SET rank = %s WHERE id = %s", rank(), id());
    }
}

static void others(struct text *sql)
{
    switch (below(14)) {
    case 0:
        text_add(sql, "INSERT OR REPLACE INTO kinds VALUES (%s, %s)", small(), name());
        break;
    case 1:
        text_add(sql, "DELETE FROM kinds WHERE id = %s", small());
        break;
    case 2:
        text_add(sql, "UPDATE kinds SET name = %s WHERE id = %s", name(), small());
        break;
    case 3:
        text_add(sql, "INSERT OR REPLACE INTO pairs VALUES (%s, %s, %s)", ONE_OF("'x'", "'X'", "'y'"), small(), rank());
        break;
    case 4:
        text_add(sql, "UPDATE OR IGNORE pairs SET a = %s WHERE b = %s", ONE_OF("'x'", "'X'", "'y'"), small());
        break;
    case 5:
        text_add(sql, "UPDATE pairs SET v = %s WHERE a = %s", rank(), ONE_OF("'x'", "'Y'"));
        break;
    case 6:
        text_add(sql, "DELETE FROM pairs WHERE b = %s", small());
        break;
    case 7:
        text_add(sql, "INSERT OR REPLACE INTO plain(rowid, name, v) VALUES (%s, %s, %s)", id(), name(), rank());
        break;
    case 8:
        text_add(sql, "UPDATE plain SET v = %s WHERE rowid = %s", rank(), id());
        break;
    case 9:
        text_add(sql, "DELETE FROM plain WHERE name IS %s", name());
        break;
    case 10:
        text_add(sql, "INSERT OR REPLACE INTO keyed VALUES (%s, %s)", id(), rank());
        break;
    case 11:
        text_add(sql, "UPDATE OR REPLACE keyed SET k = %s WHERE k = %s", id(), id());
        break;
    case 12:
        text_add(sql, "UPDATE keyed SET v = %s WHERE k = %s", rank(), id());
        break;
    default:
        text_add(sql, "DELETE FROM keyed WHERE k = %s", id());
    }
}

void random_sql(struct text *sql)
{
    if (one_in(200)) {
        text_add(sql, "%s",
                 ONE_OF("DELETE FROM t", "DELETE FROM kinds", "DELETE FROM pairs",
                        "INSERT INTO t(name, rank) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                        "FROM n WHERE i < 60) SELECT 'm', i % 4 FROM n",
                        "DELETE FROM t WHERE id > 6"));
        return;
    }
    if (one_in(2)) {
        items(sql);
    } else {
        others(sql);
    }
}
