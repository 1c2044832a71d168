/*
 * A search page: people, messages and files out of different tables, shown as one list. What is not
 * found has a section that says so.
 *
 *     cc search_page.c $(pkg-config --cflags --libs fetchedresults) -o search_page
 */
#include <fetchedresults.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * What failed: status, message, and the SQL if there was some. It belongs to the thread's last
 * call.
 */
static fr_status report(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "search_page: %s: %s\n", fr_status_name(status), fr_error_message());
        if (fr_error_sql() != NULL) {
            fprintf(stderr, "search_page: in: %s\n", fr_error_sql());
        }
    }
    return status;
}

/*
 * Every function that can fail returns a status. The functions here pass it on, and main reports
 * it.
 */
#define TRY(call) \
    do { \
        fr_status status_ = (call); \
        if (status_ != FR_OK) { \
            return status_; \
        } \
    } while (0)

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

struct program {
    fr_store *store;
    fr_list *page;
};

static fr_status describe(fr_request *request, const struct kind *kind, const char *words)
{
    char predicate[80];
    fr_value parameter = fr_text(words);
    snprintf(predicate, sizeof predicate, "instr(lower(%s), lower(?1)) > 0", kind->text);
    TRY(fr_request_set_predicate(request, predicate, &parameter, 1));
    TRY(fr_request_set_section(request, kind->section, FR_ASCENDING, NULL));
    return fr_request_add_sort(request, kind->text, FR_ASCENDING, "NOCASE");
}

/*
 * The rows of a kind that contain `words`, which are a parameter: never a part of the predicate's
 * text.
 */
static fr_status search(fr_request **out, const struct kind *kind, const char *words)
{
    fr_status status;
    TRY(fr_request_new(out, kind->table));
    status = describe(*out, kind, words);
    if (status != FR_OK) {
        fr_request_free(*out);
    }
    return status;
}

/* A list of one kind, with a placeholder that is shown while there are no results. */
static fr_status add_kind(struct program *program, struct kind *kind, const char *words)
{
    fr_request *request;
    fr_placeholder *not_found = NULL;
    fr_status status;
    TRY(search(&request, kind, words));
    status = fr_controller_new(&kind->list, program->store, request);
    if (status == FR_OK) {
        status = fr_placeholder_new(&not_found, kind->not_found, NULL);
    }
    if (status == FR_OK) {
        status = fr_collection_insert(program->page, -1, kind->list, not_found);
    }
    fr_placeholder_free(not_found);
    fr_request_free(request);
    return status;
}

static fr_status make_page(struct program *program, const char *words)
{
    int index;
    TRY(fr_collection_new(&program->page));
    for (index = 0; index < KINDS; index++) {
        TRY(add_kind(program, &kinds[index], words));
    }
    return fr_list_perform_fetch(program->page);
}

/* Each child has another request; the observers of the page are notified only of the difference. */
static fr_status search_for(const char *words)
{
    int index;
    printf("Search for \"%s\":\n", words);
    for (index = 0; index < KINDS; index++) {
        fr_request *request;
        fr_status status;
        TRY(search(&request, &kinds[index], words));
        status = fr_controller_set_request(kinds[index].list, request);
        fr_request_free(request);
        TRY(status);
    }
    return FR_OK;
}

static fr_status print_text(fr_object *object, const char *column)
{
    fr_value text;
    fr_status status = fr_object_value_named(&text, object, column);
    if (status == FR_OK) {
        printf("      %s\n", text.data);
    }
    fr_object_unref(object);
    return status;
}

static fr_status show(fr_list *page)
{
    fr_index_path path;
    int64_t sections;
    TRY(fr_list_section_count(&sections, page));
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        int64_t child; /* of which kind the section's rows are */
        TRY(fr_collection_child_of_section(&child, page, path.section));
        TRY(fr_list_section(&section, page, path.section));
        printf("    %s\n", section.name);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *object;
            TRY(fr_list_object_at(&object, page, path));
            TRY(print_text(object, kinds[child].text));
        }
    }
    return FR_OK;
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
    if (report(fr_change_set_records(&records, &count, changes)) != FR_OK) {
        return; /* a callback can't return a status */
    }
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

static fr_status run(struct program *program)
{
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, page_changed, NULL, NULL};
    fr_store *store;
    fr_list *page;

    TRY(fr_store_open(&program->store, ":memory:", NULL));
    store = program->store;
    TRY(fr_store_execute_script(
        store, "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
               "CREATE TABLE messages(id INTEGER PRIMARY KEY, subject TEXT, folder TEXT);"
               "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT, kind TEXT);"
               "INSERT INTO people(name, city) VALUES ('Rosa', 'Lund'), ('Roland', 'Ghent'), ('Ada', 'Lund');"
               "INSERT INTO messages(subject, folder) VALUES ('Roses for sale', 'inbox'), ('Minutes', 'archive');"
               "INSERT INTO files(path, kind) VALUES ('minutes.txt', 'text'), ('road.png', 'image');"));
    TRY(make_page(program, "ro"));
    page = program->page;
    TRY(fr_list_add_observer(NULL, page, &observer, NULL, NULL));
    printf("Search for \"ro\":\n");
    TRY(show(page));

    TRY(search_for("ros"));
    TRY(show(page));
    TRY(search_for("minutes"));
    TRY(show(page));

    printf("A message comes while the page is shown:\n");
    TRY(fr_store_execute(store, "INSERT INTO messages(subject, folder) VALUES ('Last minutes', 'inbox')", NULL, 0));
    printf("One commit that touches two kinds is one change:\n");
    TRY(fr_store_begin(store, FR_IMMEDIATE));
    TRY(fr_store_execute(store, "INSERT INTO people(name, city) VALUES ('Minutesmith', 'York')", NULL, 0));
    TRY(fr_store_execute(store, "DELETE FROM files WHERE path = 'minutes.txt'", NULL, 0));
    TRY(fr_store_commit(store));
    TRY(show(page));

    return FR_OK;
}

int main(void)
{
    int index;
    struct program program = {NULL, NULL};
    fr_status status = report(run(&program)); /* before anything is freed: closing the store is another call */
    for (index = 0; index < KINDS; index++) {
        fr_list_free(kinds[index].list);
    }
    fr_list_free(program.page);
    if (fr_store_close(program.store) != FR_OK) {
        status = report(fr_error_status());
    }
    return status == FR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
