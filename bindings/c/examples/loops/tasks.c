#include "tasks.h"

#include <stdio.h>

static const char schema[] = "CREATE TABLE IF NOT EXISTS tasks ("
                             " id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),"
                             " done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)";

static bool succeeded(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "%s: %s\n", fr_status_name(status), fr_error_message());
    }
    return status == FR_OK;
}

static void print_change(fr_list *list, fr_object *task, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    static const char *const verbs[] = {"", "insert", "delete", "move", "update"};
    int old_row = (int)change->old_path.row, new_row = (int)change->new_path.row;
    fr_value title = fr_text("?");
    (void)list, (void)changes, (void)user_data;
    /* The values of a task that others have deleted may not be available. */
    if (task != NULL && !succeeded(fr_object_value_named(&title, task, "title"))) {
        return;
    }
    printf("%s %s: row %d", verbs[change->type], title.data, change->type == FR_INSERT ? new_row : old_row);
    if (change->type == FR_MOVE) {
        printf(" to row %d", new_row);
    }
    printf("\n");
}

static fr_status open_list(tasks *self, fr_request *request)
{
    static const fr_observer observer = {.struct_size = sizeof observer, .object_changed = print_change};
    fr_status status = fr_request_add_sort(request, "title", FR_ASCENDING, NULL);
    if (status == FR_OK) {
        status = fr_controller_new(&self->list, self->store, request);
    }
    if (status == FR_OK) {
        status = fr_list_perform_fetch(self->list);
    }
    if (status == FR_OK) {
        status = fr_list_add_observer(NULL, self->list, &observer, NULL, NULL);
    }
    return status;
}

static fr_status open_all(tasks *self, const char *path)
{
    fr_request *request;
    fr_status status = fr_store_open(&self->store, path, NULL);
    if (status == FR_OK) {
        status = fr_store_execute(self->store, schema, NULL, 0);
    }
    if (status == FR_OK) {
        status = fr_request_new(&request, "tasks");
    }
    if (status == FR_OK) {
        status = open_list(self, request);
        fr_request_free(request);
    }
    return status == FR_OK ? fr_store_file_descriptor(&self->descriptor, self->store) : status;
}

bool tasks_open(tasks *self, const char *path)
{
    int64_t count = 0;
    self->store = NULL;
    self->list = NULL;
    if (!succeeded(open_all(self, path)) || !succeeded(fr_list_count(&count, self->list))) {
        tasks_close(self);
        return false;
    }
    printf("%d tasks; Enter ends\n", (int)count);
    fflush(stdout);
    return true;
}

bool tasks_dispatch(const tasks *self)
{
    bool is_fine = succeeded(fr_store_dispatch(self->store));
    fflush(stdout);
    return is_fine;
}

bool tasks_close(const tasks *self)
{
    fr_list_free(self->list);
    return succeeded(fr_store_close(self->store));
}
