#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>

static const char schema[] = "CREATE TABLE IF NOT EXISTS tasks"
                             " (id INTEGER PRIMARY KEY, title TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0)";

static void check(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "%s\n", fr_error_message());
        exit(EXIT_FAILURE);
    }
}

static void print_change(fr_list *list, fr_object *task, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    static const char *const verbs[] = {"", "insert", "delete", "move", "update"};
    int old_row = (int)change->old_path.row, new_row = (int)change->new_path.row;
    fr_value title = fr_text("?");
    (void)list, (void)changes, (void)user_data;
    /* The values of a task that others have deleted may not be available. */
    if (task != NULL) {
        check(fr_object_value_named(&title, task, "title"));
    }
    printf("%s %s: row %d", verbs[change->type], title.data, change->type == FR_INSERT ? new_row : old_row);
    if (change->type == FR_MOVE) {
        printf(" to row %d", new_row);
    }
    printf("\n");
}

tasks tasks_open(const char *path)
{
    static const fr_observer observer = {.struct_size = sizeof observer, .object_changed = print_change};
    tasks self;
    fr_request *request;
    int64_t count;
    check(fr_store_open(&self.store, path, NULL));
    check(fr_store_execute(self.store, schema, NULL, 0));
    check(fr_request_new(&request, "tasks"));
    check(fr_request_add_sort(request, "title", FR_ASCENDING, NULL));
    check(fr_controller_new(&self.list, self.store, request));
    fr_request_free(request);
    check(fr_list_perform_fetch(self.list));
    check(fr_list_add_observer(NULL, self.list, &observer, NULL, NULL));
    check(fr_store_file_descriptor(&self.descriptor, self.store));
    check(fr_list_count(&count, self.list));
    printf("%d tasks; Enter ends\n", (int)count);
    fflush(stdout);
    return self;
}

void tasks_dispatch(const tasks *self)
{
    check(fr_store_dispatch(self->store));
    fflush(stdout);
}

void tasks_close(const tasks *self)
{
    fr_list_free(self->list);
    check(fr_store_close(self->store));
}
