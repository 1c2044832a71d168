#include "lists.h"

#include "bench.h"
#include "database.h"

int64_t records_read;

const struct list items_by_name = {"items", "section_id", "name", NULL, 0, NULL, 0, 0};

void ok(fr_status status)
{
    if (status != FR_OK) fail("%s: %s", fr_status_name(status), fr_error_message());
}

fr_store *open_store(const char *path)
{
    fr_store *store;
    fr_store_options options = {.struct_size = sizeof options, .cache_directory = directory_for_lists()};
    ok(fr_store_open(&store, path, &options));
    ok(fr_store_execute_script(store, PRAGMAS));
    return store;
}

fr_list *make_controller(fr_store *store, struct list list)
{
    fr_request *request;
    fr_list *controller;
    fr_value parameter = fr_integer(list.parameter);
    ok(fr_request_new(&request, list.entity));
    ok(fr_request_set_section(request, list.section, FR_ASCENDING, NULL));
    ok(fr_request_add_sort(request, list.sort, FR_ASCENDING, NULL));
    if (list.predicate != NULL) ok(fr_request_set_predicate(request, list.predicate, &parameter, 1));
    if (list.limit > 0) ok(fr_request_set_limit(request, list.limit, list.offset));
    ok(fr_request_set_cache_name(request, list.cache_name));
    ok(fr_controller_new(&controller, store, request));
    fr_request_free(request);
    return controller;
}

fr_list *fetch(fr_store *store, struct list list)
{
    fr_list *controller = make_controller(store, list);
    ok(fr_list_perform_fetch(controller));
    return controller;
}

static void read_record(const fr_change *change)
{
    sink += change->type + change->old_path.row + change->new_path.row;
    records_read++;
}

static void read_changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    (void)controller;
    (void)user_data;
    const fr_change *records;
    size_t count;
    ok(fr_change_set_records(&records, &count, changes));
    for (size_t index = 0; index < count; index++) read_record(&records[index]);
}

void observe(fr_list *controller)
{
    fr_observer observer = {.struct_size = sizeof observer, .did_deliver = read_changes};
    ok(fr_list_add_observer(NULL, controller, &observer, NULL, NULL));
}

static void read_bracket(fr_list *controller, void *user_data)
{
    (void)controller;
    (void)user_data;
    sink++;
}

static void read_section_change(fr_list *controller, const fr_section_info *section, const fr_change *change,
                                fr_change_set *changes, void *user_data)
{
    (void)controller;
    (void)changes;
    (void)user_data;
    sink += section->count;
    read_record(change);
}

static void read_object_change(fr_list *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                               void *user_data)
{
    (void)controller;
    (void)changes;
    (void)object;
    (void)user_data;
    read_record(change);
}

void observe_each(fr_list *controller)
{
    fr_observer observer = {.struct_size = sizeof observer,
                            .will_change = read_bracket,
                            .section_changed = read_section_change,
                            .object_changed = read_object_change,
                            .did_change = read_bracket};
    ok(fr_list_add_observer(NULL, controller, &observer, NULL, NULL));
}
