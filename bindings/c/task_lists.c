/*
 * Task lists as sections: they can be empty, are reordered by hand, renamed, and deleted with their
 * tasks.
 *
 *     cc task_lists.c $(pkg-config --cflags --libs fetchedresults) -o task_lists
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
        fprintf(stderr, "task_lists: %s: %s\n", fr_status_name(status), fr_error_message());
        if (fr_error_sql() != NULL) {
            fprintf(stderr, "task_lists: in: %s\n", fr_error_sql());
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

/* Prints a text of an object, and releases the object. */
static fr_status print_text(const char *format, fr_object *object, const char *column)
{
    fr_value value;
    fr_status status = fr_object_value_named(&value, object, column);
    if (status == FR_OK) {
        printf(format, value.data);
    }
    fr_object_unref(object);
    return status;
}

/*
 * A section's name is its key, a number. What is shown is the title of its row; tasks without a
 * list have none.
 */
static fr_status print_title(fr_list *map, int64_t section)
{
    fr_object *list;
    fr_status status = fr_list_section_object(&list, map, section);
    if (status == FR_NOT_FOUND) {
        printf("(no list)");
        return FR_OK;
    }
    return status == FR_OK ? print_text("%s", list, "title") : status;
}

static fr_status show(fr_list *map)
{
    fr_index_path path;
    int64_t sections;
    TRY(fr_list_section_count(&sections, map));
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        TRY(fr_list_section(&section, map, path.section));
        printf("  ");
        TRY(print_title(map, path.section));
        printf(" (%d)\n", (int)section.count);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *task;
            TRY(fr_list_object_at(&task, map, path));
            TRY(print_text("    %s\n", task, "title"));
        }
    }
    return FR_OK;
}

static const char *const verbs[] = {"", "inserted", "deleted", "moved", "updated"};

static void print_places(const fr_change *change)
{
    int is_row = change->kind == FR_OBJECT;
    if (change->type != FR_INSERT) {
        printf(is_row ? " from (%d, %d)" : " from %d", (int)change->old_path.section, (int)change->old_path.row);
    }
    if (change->type != FR_DELETE) {
        printf(is_row ? " to (%d, %d)" : " to %d", (int)change->new_path.section, (int)change->new_path.row);
    }
    printf("\n");
}

static void will_change(fr_list *map, void *user_data)
{
    (void)map;
    (void)user_data;
    printf("  will change\n");
}

/*
 * A list moves with all its tasks, which have no records because of that. A deleted list still has
 * its key.
 */
static void list_changed(fr_list *map, const fr_section_info *section, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    (void)changes;
    (void)user_data;
    printf("  list ");
    if (change->type == FR_DELETE) {
        printf("%s", section->name == NULL ? "(no list)" : section->name);
    } else {
        report(print_title(map, change->new_path.section)); /* a callback can't return a status */
    }
    printf(" %s", verbs[change->type]);
    print_places(change);
}

static void task_changed(fr_list *map, fr_object *task, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    (void)map;
    (void)changes;
    (void)user_data;
    report(print_text("  task \"%s\"", fr_object_ref(task), "title"));
    printf(" %s", verbs[change->type]);
    print_places(change);
}

/* The whole change set: here for the rows of deleted lists, which it contains. */
static void all_changes(fr_list *map, fr_change_set *changes, void *user_data)
{
    const fr_change *records;
    size_t count, index;
    (void)map;
    (void)user_data;
    if (report(fr_change_set_records(&records, &count, changes)) != FR_OK) {
        return;
    }
    for (index = 0; index < count; index++) {
        fr_object *list;
        if (records[index].kind == FR_SECTION && records[index].type == FR_DELETE
            && fr_change_set_section_object(&list, changes, index) == FR_OK) {
            report(print_text("  gone: %s\n", list, "title"));
        }
    }
}

static void did_change(fr_list *map, void *user_data)
{
    (void)map;
    (void)user_data;
    printf("  did change\n");
}

static void failed(fr_list *map, const fr_error *error, void *user_data)
{
    (void)map;
    (void)user_data;
    fprintf(stderr, "task_lists: %s: %s\n", fr_status_name(error->status), error->message);
}

static fr_status step(fr_store *store, const char *what, const char *sql)
{
    printf("%s:\n", what);
    return fr_store_execute(store, sql, NULL, 0);
}

struct program {
    fr_store *store;
    fr_request *tasks, *lists;
    fr_list *map;
};

/* The map keeps copies of the requests. */
static fr_status make_map(struct program *program)
{
    fr_section_map_options options = {sizeof options, NULL, "title", FR_EMPTY_SECTIONS_SHOWN,
                                      FR_ITEMS_WITHOUT_SECTION_SHOWN};
    TRY(fr_request_new(&program->tasks, "tasks"));
    TRY(fr_request_add_sort(program->tasks, "title", FR_ASCENDING, "NOCASE"));
    TRY(fr_request_new(&program->lists, "lists"));
    TRY(fr_request_add_sort(program->lists, "position", FR_ASCENDING, NULL));
    /* list_id is a foreign key to lists, so that their key need not be named. */
    return fr_section_map_new(&program->map, program->store, program->tasks, program->lists, "list_id", &options);
}

static fr_status run(struct program *program)
{
    fr_observer observer = {sizeof observer, will_change, list_changed, task_changed,
                            did_change,      all_changes, failed,       NULL};
    fr_store *store;
    fr_list *map;

    TRY(fr_store_open(&program->store, ":memory:", NULL));
    store = program->store;
    TRY(fr_store_execute_script(
        store, "CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT, position REAL);"
               "CREATE TABLE tasks(id INTEGER PRIMARY KEY, title TEXT, list_id INTEGER REFERENCES lists ON DELETE "
               "CASCADE);"
               "CREATE INDEX tasks_by_list ON tasks(list_id);"
               "INSERT INTO lists VALUES (1, 'Work', 1), (2, 'Home', 2), (3, 'Garden', 3);"
               "INSERT INTO tasks(title, list_id) VALUES ('Call Ada', 1), ('Write report', 1), ('Plant roses', 3),"
               " ('Think', NULL);"));
    TRY(make_map(program));
    map = program->map;
    TRY(fr_list_perform_fetch(map));
    TRY(fr_list_add_observer(NULL, map, &observer, NULL, NULL));
    printf("At first:\n");
    TRY(show(map));

    TRY(step(store, "A task for a list that had none", "INSERT INTO tasks(title, list_id) VALUES ('Buy paint', 2)"));
    TRY(step(store, "A new list, still without tasks", "INSERT INTO lists VALUES (4, 'Some day', 4)"));
    TRY(step(store, "Garden is dragged to the top", "UPDATE lists SET position = 0.5 WHERE title = 'Garden'"));
    TRY(step(store, "Home has another name", "UPDATE lists SET title = 'House' WHERE title = 'Home'"));
    TRY(step(store, "A task goes to another list", "UPDATE tasks SET list_id = 4 WHERE title = 'Think'"));
    TRY(step(store, "Work is done: the list goes with its tasks", "DELETE FROM lists WHERE title = 'Work'"));

    printf("Lists without tasks are hidden:\n");
    TRY(fr_store_execute(store, "DELETE FROM tasks WHERE list_id = 2", NULL, 0));
    TRY(fr_section_map_set_empty_sections(map, FR_EMPTY_SECTIONS_HIDDEN));

    printf("At last:\n");
    TRY(show(map));
    return FR_OK;
}

int main(void)
{
    struct program program = {NULL, NULL, NULL, NULL};
    fr_status status = report(run(&program)); /* before anything is freed: closing the store is another call */
    fr_list_free(program.map);
    fr_request_free(program.tasks);
    fr_request_free(program.lists);
    if (fr_store_close(program.store) != FR_OK) {
        status = report(fr_error_status());
    }
    return status == FR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
