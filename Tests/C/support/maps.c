#include "maps.h"

#include <string.h>

#include "test.h"
#include "text.h"

fr_section_map_options map_options(void)
{
    fr_section_map_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

fr_list *map_of(fr_store *store, fr_request *items, fr_request *sections, const char *item_key,
                const fr_section_map_options *options)
{
    fr_list *map = NULL;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, item_key, options));
    CHECK_OK(fr_list_perform_fetch(map));
    fr_request_free(items);
    fr_request_free(sections);
    return map;
}

fr_list *task_map(fr_store *store, const fr_section_map_options *options)
{
    return map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", "NOT hidden"),
                  "list_id", options);
}

void watch_tasks(struct watched *watched, const char *rows, const fr_section_map_options *options)
{
    fr_store *store = store_with(LISTS_AND_TASKS);
    run(store, rows);
    watch_list(watched, store, task_map(store, options));
}

fr_list *map_of_keys(fr_store *store, const char *entity, const char *item_key, const int64_t *keys,
                     const fr_section_map_options *options)
{
    enum { MOST = 16 };
    fr_value values[MOST];
    size_t count = 0;
    fr_request *items = request_of(entity, NULL, "k", NULL);
    fr_list *map = NULL;
    while (count < MOST && keys[count] != 0) {
        values[count] = fr_integer(keys[count]);
        count += 1;
    }
    CHECK_OK(fr_section_map_new_with_keys(&map, store, items, values, count, item_key, options));
    CHECK_OK(fr_list_perform_fetch(map));
    fr_request_free(items);
    return map;
}
