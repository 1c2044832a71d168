/*
 * A search page: people, messages and files out of different tables, shown as one list. What is not found has a section
 * that says so.
 *
 *     cc search_page.c $(pkg-config --cflags --libs fetchedresults) -o search_page
 */
#include <fetchedresults.h>
#include <stdio.h>
#include <stdlib.h>

static void check(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "search_page: %s\n", fr_error_message());
        exit(EXIT_FAILURE);
    }
}

/* One kind of thing that can be found. */
struct kind {
    const char *table;
    const char *text;      /* the column that is searched and shown */
    const char *section;   /* the column whose values divide the results into sections */
    const char *not_found;
    fr_list *list;
};

static struct kind kinds[] = {
    {"people", "name", "city", "No people", NULL},
    {"messages", "subject", "folder", "No messages", NULL},
    {"files", "path", "kind", "No files", NULL},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The rows of a kind that contain `words`, which are a parameter: never a part of the predicate's text. */
static fr_request *search(const struct kind *kind, const char *words)
{
    char predicate[80];
    fr_value parameter = fr_text(words);
    fr_request *request;
    snprintf(predicate, sizeof predicate, "instr(lower(%s), lower(?1)) > 0", kind->text);
    check(fr_request_new(&request, kind->table));
    check(fr_request_set_predicate(request, predicate, &parameter, 1));
    check(fr_request_set_section(request, kind->section, FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, kind->text, FR_ASCENDING, "NOCASE"));
    return request;
}

/* The page: a collection of one list for each kind, with a placeholder that is shown while there are no results. */
static fr_list *make_page(fr_store *store, const char *words)
{
    fr_list *page;
    int index;
    check(fr_collection_new(&page));
    for (index = 0; index < KINDS; index++) {
        struct kind *kind = &kinds[index];
        fr_request *request = search(kind, words);
        fr_placeholder *not_found;
        check(fr_controller_new(&kind->list, store, request));
        check(fr_placeholder_new(&not_found, kind->not_found, NULL));
        check(fr_collection_insert(page, -1, kind->list, not_found));
        fr_placeholder_free(not_found);
        fr_request_free(request);
    }
    check(fr_list_perform_fetch(page));
    return page;
}

/* Each child has another request; the observers of the page are notified only of the difference. */
static void search_for(const char *words)
{
    int index;
    printf("Search for \"%s\":\n", words);
    for (index = 0; index < KINDS; index++) {
        fr_request *request = search(&kinds[index], words);
        check(fr_controller_set_request(kinds[index].list, request));
        fr_request_free(request);
    }
}

/* Of which kind a section's rows are. */
static const struct kind *kind_of_section(fr_list *page, int64_t section)
{
    int64_t child;
    check(fr_collection_child_of_section(&child, page, section));
    return &kinds[child];
}

static void show(fr_list *page)
{
    fr_index_path path;
    int64_t sections;
    check(fr_list_section_count(&sections, page));
    for (path.section = 0; path.section < sections; path.section++) {
        const struct kind *kind = kind_of_section(page, path.section);
        fr_section_info section;
        check(fr_list_section(&section, page, path.section));
        printf("    %s\n", section.name);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *object;
            fr_value text;
            check(fr_list_object_at(&object, page, path));
            check(fr_object_value_named(&text, object, kind->text));
            printf("      %s\n", text.data);
            fr_object_unref(object);
        }
    }
}

/* Counts the records, as a view would apply them. */
static void page_changed(fr_list *page, fr_change_set *changes, void *user_data)
{
    static const char *const words[] = {"", "inserted", "deleted", "moved", "updated"};
    int counts[3][5] = {{0}};
    const fr_change *records;
    size_t count, index;
    int kind, type;
    (void)page;
    (void)user_data;
    check(fr_change_set_records(&records, &count, changes));
    for (index = 0; index < count; index++) {
        counts[records[index].kind][records[index].type] += 1;
    }
    printf("  changed:");
    for (kind = FR_SECTION; kind <= FR_OBJECT; kind++) {
        for (type = FR_INSERT; type <= FR_UPDATE; type++) {
            if (counts[kind][type] > 0) {
                printf(" %d %s %s;", counts[kind][type], kind == FR_SECTION ? "sections" : "rows", words[type]);
            }
        }
    }
    printf("\n");
}

int main(void)
{
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, page_changed, NULL, NULL};
    fr_store *store;
    fr_list *page;
    int index;

    check(fr_store_open(&store, ":memory:", NULL));
    check(fr_store_execute_script(
        store, "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
               "CREATE TABLE messages(id INTEGER PRIMARY KEY, subject TEXT, folder TEXT);"
               "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT, kind TEXT);"
               "INSERT INTO people(name, city) VALUES ('Rosa', 'Lund'), ('Roland', 'Ghent'), ('Ada', 'Lund');"
               "INSERT INTO messages(subject, folder) VALUES ('Roses for sale', 'inbox'), ('Minutes', 'archive');"
               "INSERT INTO files(path, kind) VALUES ('minutes.txt', 'text'), ('road.png', 'image');"));
    page = make_page(store, "ro");
    check(fr_list_add_observer(NULL, page, &observer, NULL, NULL));
    printf("Search for \"ro\":\n");
    show(page);

    search_for("ros");
    show(page);
    search_for("minutes");
    show(page);

    printf("A message comes while the page is shown:\n");
    check(fr_store_execute(store, "INSERT INTO messages(subject, folder) VALUES ('Last minutes', 'inbox')", NULL, 0));
    printf("One commit that touches two kinds is one change:\n");
    check(fr_store_begin(store, FR_IMMEDIATE));
    check(fr_store_execute(store, "INSERT INTO people(name, city) VALUES ('Minutesmith', 'York')", NULL, 0));
    check(fr_store_execute(store, "DELETE FROM files WHERE path = 'minutes.txt'", NULL, 0));
    check(fr_store_commit(store));
    show(page);

    for (index = 0; index < KINDS; index++) {
        fr_list_free(kinds[index].list);
    }
    fr_list_free(page);
    check(fr_store_close(store));
    return EXIT_SUCCESS;
}
