/*
 * A small tutorial: a to-do list in sections, and what each transaction changes in it.
 *
 *     cc live_list.c $(pkg-config --cflags --libs fetchedresults) -o live_list
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
        fprintf(stderr, "live_list: %s: %s\n", fr_status_name(status), fr_error_message());
        if (fr_error_sql() != NULL) {
            fprintf(stderr, "live_list: in: %s\n", fr_error_sql());
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

/* Prints the title of a task, and gives the task back. */
static fr_status print_task(const char *format, fr_object *task)
{
    fr_value title;
    fr_status status = fr_object_value_named(&title, task, "title");
    if (status == FR_OK) {
        printf(format, title.data);
    }
    fr_object_unref(task);
    return status;
}

/*
 * The list as a table view would show it: sections, and the rows in them, each read by its index
 * path.
 */
static fr_status show(fr_list *list)
{
    fr_index_path path;
    int64_t sections;
    TRY(fr_list_section_count(&sections, list));
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        TRY(fr_list_section(&section, list, path.section));
        printf("  %s (%d)\n", section.name, (int)section.count);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *task;
            TRY(fr_list_object_at(&task, list, path));
            TRY(print_task("    %s\n", task));
        }
    }
    return FR_OK;
}

static const char *const verbs[] = {"", "inserted", "deleted", "moved", "updated"};

/* Called for each section that was inserted, deleted or moved. */
static void section_changed(fr_list *list, const fr_section_info *section, const fr_change *change,
                            fr_change_set *changes, void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
    printf("  section \"%s\" %s\n", section->name, verbs[change->type]);
}

/* Called for each row. Old paths count before the transaction, new ones after all of it. */
static void task_changed(fr_list *list, fr_object *task, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
    /*
     * A callback can't return a status. The task is borrowed, and print_task releases a reference.
     */
    if (report(print_task("  \"%s\"", fr_object_ref(task))) != FR_OK) {
        return;
    }
    printf(" %s:", verbs[change->type]);
    if (change->type != FR_INSERT) {
        printf(" from (%d, %d)", (int)change->old_path.section, (int)change->old_path.row);
    }
    if (change->type != FR_DELETE) {
        printf(" to (%d, %d)", (int)change->new_path.section, (int)change->new_path.row);
    }
    printf("\n");
}

struct program {
    fr_store *store;
    fr_request *request;
    fr_list *list;
};

static fr_status run(struct program *program)
{
    fr_observer observer = {sizeof observer, NULL, section_changed, task_changed, NULL, NULL, NULL, NULL};
    fr_value rename[2];

    TRY(fr_store_open(&program->store, ":memory:", NULL));
    TRY(fr_store_execute_script(program->store, "CREATE TABLE tasks(id INTEGER PRIMARY KEY, title TEXT, day TEXT);"
                                                "INSERT INTO tasks(title, day) VALUES"
                                                " ('Water the plants', '1 today'), ('Call Ada', '1 today'),"
                                                " ('Buy paint', '2 tomorrow')"));

    /* Which rows, in which sections and order. The controller copies the request. */
    TRY(fr_request_new(&program->request, "tasks"));
    TRY(fr_request_set_section(program->request, "day", FR_ASCENDING, NULL));
    TRY(fr_request_add_sort(program->request, "title", FR_ASCENDING, "NOCASE"));
    TRY(fr_controller_new(&program->list, program->store, program->request));

    TRY(fr_list_perform_fetch(program->list));
    TRY(fr_list_add_observer(NULL, program->list, &observer, NULL, NULL));
    printf("At first:\n");
    TRY(show(program->list));

    printf("Something new, one thing done, one put off, in one transaction:\n");
    TRY(fr_store_begin(program->store, FR_IMMEDIATE));
    TRY(fr_store_execute(program->store, "INSERT INTO tasks(title, day) VALUES ('Bake bread', '3 sunday')", NULL, 0));
    TRY(fr_store_execute(program->store, "DELETE FROM tasks WHERE title = 'Buy paint'", NULL, 0));
    TRY(fr_store_execute(program->store, "UPDATE tasks SET day = '3 sunday' WHERE title = 'Call Ada'", NULL, 0));
    TRY(fr_store_commit(program->store));

    printf("A new name, which changes the row's place:\n");
    rename[0] = fr_text("Ask Ada about the bread");
    rename[1] = fr_text("Call Ada");
    TRY(fr_store_execute(program->store, "UPDATE tasks SET title = ? WHERE title = ?", rename, 2));

    printf("At last:\n");
    TRY(show(program->list));
    return FR_OK;
}

int main(void)
{
    struct program program = {NULL, NULL, NULL};
    fr_status status = report(run(&program)); /* before anything is freed: closing the store is another call */
    fr_list_free(program.list);
    fr_request_free(program.request);
    if (fr_store_close(program.store) != FR_OK) {
        status = report(fr_error_status());
    }
    return status == FR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
