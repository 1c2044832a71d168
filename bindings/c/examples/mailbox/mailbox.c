/* The mailbox: its tables, its list, and what changes it. */
#include "mailbox.h"

#include <string.h>

#include "frg-store-source.h"

void check(fr_status status)
{
    if (status != FR_OK) {
        g_printerr("mailbox: %s\n", fr_error_message());
        exit(EXIT_FAILURE);
    }
}

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS folders"
    " (id INTEGER PRIMARY KEY, name TEXT NOT NULL, position REAL NOT NULL);"
    "CREATE TABLE IF NOT EXISTS mails"
    " (id INTEGER PRIMARY KEY, folder_id INTEGER NOT NULL REFERENCES folders,"
    "  sender TEXT NOT NULL, subject TEXT NOT NULL, day TEXT NOT NULL,"
    "  seen INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS mails_by_folder ON mails (folder_id, day);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5"
    " (sender, subject, content='mails', content_rowid='id', prefix='1 2 3');"
    "CREATE TRIGGER IF NOT EXISTS mail_inserted AFTER INSERT ON mails BEGIN"
    " INSERT INTO words (rowid, sender, subject)"
    "  VALUES (new.id, new.sender, new.subject); END;"
    "CREATE TRIGGER IF NOT EXISTS mail_deleted AFTER DELETE ON mails BEGIN"
    " INSERT INTO words (words, rowid, sender, subject)"
    "  VALUES ('delete', old.id, old.sender, old.subject); END;"
    "CREATE TRIGGER IF NOT EXISTS mail_updated"
    " AFTER UPDATE OF id, sender, subject ON mails BEGIN"
    " INSERT INTO words (words, rowid, sender, subject)"
    "  VALUES ('delete', old.id, old.sender, old.subject);"
    " INSERT INTO words (rowid, sender, subject)"
    "  VALUES (new.id, new.sender, new.subject); END";

static const char first_rows[] =
    "INSERT INTO folders (name, position)"
    " VALUES ('Inbox', 1), ('Later', 2), ('Done', 3), ('Trash', 4);"
    "INSERT INTO mails (folder_id, sender, subject, day, seen) VALUES"
    " (1, 'Ada', 'Notes on the engine', '2026-03-02', 0),"
    " (1, 'Grace', 'A moth', '2026-03-04', 0),"
    " (1, 'Edsger', 'Shortest paths', '2026-03-03', 1),"
    " (3, 'Barbara', 'Substitution', '2026-02-27', 1)";

/*
 * The items are mails, the newest first. The sections are folders by position,
 * including those without mails. The total of a folder is how many of its mails
 * were not seen.
 */
static fr_request *make_mails(void)
{
    fr_request *mails;
    check(fr_request_new(&mails, "mails"));
    check(fr_request_add_sort(mails, "day", FR_DESCENDING, NULL));
    check(fr_request_add_total(mails, "unread", FR_TOTAL_COUNT, "NOT seen"));
    return mails;
}

static fr_list *make_list(fr_store *store)
{
    fr_request *mails = make_mails(), *folders;
    fr_list *list;
    check(fr_request_new(&folders, "folders"));
    check(fr_request_add_sort(folders, "position", FR_ASCENDING, NULL));
    check(fr_section_map_new(&list, store, mails, folders, "folder_id", NULL));
    fr_request_free(mails);
    fr_request_free(folders);
    return list;
}

static gboolean has_folders(fr_store *store)
{
    fr_statement *statement;
    bool is_row;
    check(fr_statement_prepare(&statement, store, "SELECT 1 FROM folders"));
    check(fr_statement_step(&is_row, statement));
    fr_statement_free(statement);
    return is_row;
}

void mailbox_open(struct mailbox *mailbox, const char *path)
{
    const fr_store_options options = {.struct_size = sizeof options,
                                      .flags = FR_STORE_QUEUED};
    check(fr_store_open(&mailbox->store, path != NULL ? path : ":memory:", &options));
    check(fr_store_execute_script(mailbox->store, schema));
    if (!has_folders(mailbox->store)) {
        check(fr_store_execute_script(mailbox->store, first_rows));
    }
    mailbox->list = make_list(mailbox->store);
    check(fr_list_perform_fetch(mailbox->list));
    mailbox->source = frg_store_source_new(mailbox->store, 0);
    g_source_attach(mailbox->source, NULL);
}

void mailbox_close(struct mailbox *mailbox)
{
    g_source_destroy(mailbox->source);
    g_source_unref(mailbox->source);
    fr_list_free(mailbox->list);
    check(fr_store_close(mailbox->store));
}

static fr_value item_id(FrGItem *item)
{
    fr_value id;
    check(fr_object_identity(&id, frg_item_get_object(item), 0));
    return id;
}

static gboolean is_folder(FrGItem *item)
{
    const char *entity;
    check(fr_object_entity(&entity, frg_item_get_object(item)));
    return strcmp(entity, "folders") == 0;
}

/*
 * The new position is halfway between the folder ?2 and the one in front of it. Only
 * one row changes.
 */
static const char move_folder[] =
    "UPDATE folders SET position ="
    " (SELECT (next.position + coalesce(max(previous.position), next.position - 2)) / 2"
    "  FROM folders AS next"
    "  LEFT JOIN folders AS previous ON previous.position < next.position"
    "  WHERE next.id = ?2)"
    " WHERE id = ?1 AND ?1 <> ?2";
static const char file_mail[] = "UPDATE mails SET folder_id = ?2 WHERE id = ?1";

gboolean drop_item(struct mailbox *mailbox, FrGItem *dragged, FrGItem *here)
{
    const fr_value values[] = {item_id(dragged), item_id(here)};
    if (!is_folder(here)) {
        return FALSE;
    }
    check(fr_store_execute(mailbox->store, is_folder(dragged) ? move_folder : file_mail,
                           values, 2));
    return TRUE;
}

void toggle_seen(struct mailbox *mailbox, FrGItem *mail)
{
    const fr_value values[] = {item_id(mail)};
    check(fr_store_execute(
        mailbox->store, "UPDATE mails SET seen = NOT seen WHERE id = ?1", values, 1));
}

/* FTS5's query for words that begin so: "gra"* "no"*. NULL without words. */
static char *make_query(const char *text)
{
    char **words = g_strsplit_set(text, " \t", -1);
    GString *query = g_string_new(NULL);
    for (char **word = words; *word != NULL; word++) {
        char **parts = g_strsplit(*word, "\"", -1);
        char *quoted = g_strjoinv("\"\"", parts);
        if (**word != '\0') {
            g_string_append_printf(query, "\"%s\"* ", quoted);
        }
        g_free(quoted);
        g_strfreev(parts);
    }
    g_strfreev(words);
    return g_string_free(query, query->len == 0);
}

void search_mails(struct mailbox *mailbox, const char *text)
{
    static const char found[] = "id IN (SELECT rowid FROM words WHERE words MATCH ?1)";
    fr_request *mails = make_mails();
    char *query = make_query(text);
    if (query != NULL) {
        const fr_value values[] = {fr_text(query)};
        check(fr_request_set_predicate(mails, found, values, 1));
    }
    check(fr_controller_set_request(mailbox->list, mails));
    fr_request_free(mails);
    g_free(query);
}
