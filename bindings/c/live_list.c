/*
 * A small tutorial: a to-do list in sections, and what each transaction changes in it.
 *
 *     cc live_list.c $(pkg-config --cflags --libs fetchedresults) -o live_list
 */
#include <fetchedresults.h>
#include <stdio.h>
#include <stdlib.h>

/* Every function that can fail returns a status; the message of the last failure is one call away. */
static void check(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "live_list: %s\n", fr_error_message());
        exit(EXIT_FAILURE);
    }
}

/* The list as a table view would show it: sections, and the rows in them, each read by its index path. */
static void show(fr_list *list)
{
    fr_index_path path;
    int64_t sections;
    check(fr_list_section_count(&sections, list));
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        check(fr_list_section(&section, list, path.section));
        printf("  %s (%d)\n", section.name, (int)section.count);
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *task;
            fr_value title;
            check(fr_list_object_at(&task, list, path));
            check(fr_object_value_named(&title, task, "title"));
            printf("    %s\n", title.data);
            fr_object_unref(task);
        }
    }
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
    fr_value title;
    (void)list;
    (void)changes;
    (void)user_data;
    check(fr_object_value_named(&title, task, "title"));
    printf("  \"%s\" %s:", title.data, verbs[change->type]);
    if (change->type != FR_INSERT) {
        printf(" from (%d, %d)", (int)change->old_path.section, (int)change->old_path.row);
    }
    if (change->type != FR_DELETE) {
        printf(" to (%d, %d)", (int)change->new_path.section, (int)change->new_path.row);
    }
    printf("\n");
}

int main(void)
{
    fr_observer observer = {sizeof observer, NULL, section_changed, task_changed, NULL, NULL, NULL, NULL};
    fr_value rename[2];
    fr_store *store;
    fr_request *request;
    fr_list *list;

    check(fr_store_open(&store, ":memory:", NULL));
    check(fr_store_execute_script(store, "CREATE TABLE tasks(id INTEGER PRIMARY KEY, title TEXT, day TEXT);"
                                         "INSERT INTO tasks(title, day) VALUES"
                                         " ('Water the plants', '1 today'), ('Call Ada', '1 today'),"
                                         " ('Buy paint', '2 tomorrow')"));

    /* Which rows, in which sections and order. The controller copies the request. */
    check(fr_request_new(&request, "tasks"));
    check(fr_request_set_section(request, "day", FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "title", FR_ASCENDING, "NOCASE"));
    check(fr_controller_new(&list, store, request));
    fr_request_free(request);

    check(fr_list_perform_fetch(list));
    check(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    printf("At first:\n");
    show(list);

    printf("Something new, one thing done, one put off, in one transaction:\n");
    check(fr_store_begin(store, FR_IMMEDIATE));
    check(fr_store_execute(store, "INSERT INTO tasks(title, day) VALUES ('Bake bread', '3 sunday')", NULL, 0));
    check(fr_store_execute(store, "DELETE FROM tasks WHERE title = 'Buy paint'", NULL, 0));
    check(fr_store_execute(store, "UPDATE tasks SET day = '3 sunday' WHERE title = 'Call Ada'", NULL, 0));
    check(fr_store_commit(store));

    printf("A new name, which changes the row's place:\n");
    rename[0] = fr_text("Ask Ada about the bread");
    rename[1] = fr_text("Call Ada");
    check(fr_store_execute(store, "UPDATE tasks SET title = ? WHERE title = ?", rename, 2));

    printf("At last:\n");
    show(list);
    fr_list_free(list);
    check(fr_store_close(store));
    return EXIT_SUCCESS;
}
