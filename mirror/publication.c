/* The publication. */
#include "publication.h"

#include <sqlite3.h>

#include "message.h"
#include "server.h"

enum found { FOUND_FAILURE, FOUND_NONE, FOUND_PART, FOUND_ALL };

static enum found find_publication(PGconn *connection, const char *name)
{
    PGresult *result = server_ask(connection,
                                  "SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate FROM pg_publication"
                                  " WHERE pubname = %Q",
                                  name);
    enum found found = result == NULL                     ? FOUND_FAILURE
                       : PQntuples(result) == 0           ? FOUND_NONE
                       : *PQgetvalue(result, 0, 0) == 't' ? FOUND_ALL
                                                          : FOUND_PART;
    PQclear(result);
    return found;
}

/*
 * The tables that it lacks, with commas between them; an empty text for none, NULL after a failure.
 */
static char *lacking_tables(PGconn *connection, const char *name, const struct tables *tables)
{
    sqlite3_str *list = sqlite3_str_new(NULL);
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *table = &tables->items[i];
        PGresult *result = server_ask(connection,
                                      "SELECT 1 FROM pg_publication_tables WHERE pubname = %Q AND schemaname = %Q"
                                      " AND tablename = %Q",
                                      name, table->schema, table->name);
        if (result == NULL) {
            sqlite3_free(sqlite3_str_finish(list));
            return NULL;
        }
        if (PQntuples(result) == 0) {
            sqlite3_str_appendf(list, "%s%s", sqlite3_str_length(list) > 0 ? ", " : "", table->source);
        }
        PQclear(result);
    }
    char *text = sqlite3_str_finish(list);
    return text != NULL ? text : allocated(sqlite3_mprintf(""));
}

bool publication_check(PGconn *connection, const struct options *options, const struct tables *tables)
{
    const char *name = options->publication;
    enum found found = find_publication(connection, name);
    if (found == FOUND_FAILURE) {
        return false;
    }
    if (found == FOUND_PART) {
        return failed(FAILURE_SERVER,
                      "the publication %s leaves out kinds of changes: ALTER PUBLICATION \"%s\""
                      " SET (publish = 'insert, update, delete, truncate')",
                      name, name);
    }
    char *lacking = lacking_tables(connection, name, tables), *sql;
    if (lacking == NULL) {
        return false;
    }
    if (*lacking == '\0') {
        sqlite3_free(lacking);
        return true;
    }
    if (found == FOUND_ALL) {
        sql = sqlite3_mprintf("ALTER PUBLICATION \"%w\" ADD TABLE %z", name, lacking);
    } else {
        sql = sqlite3_mprintf("CREATE PUBLICATION \"%w\" FOR TABLE %z%s", name, lacking,
                              PQserverVersion(connection) >= 130000 ? " WITH (publish_via_partition_root = true)" : "");
    }
    bool has_all = options->create_publication
                       ? server_do(connection, "%s", allocated(sql))
                       : failed(FAILURE_SERVER, "the publication %s %s: run with --create-publication, or execute %s",
                                name, found == FOUND_ALL ? "lacks tables" : "does not exist", (char *)allocated(sql));
    sqlite3_free(sql);
    return has_all;
}
