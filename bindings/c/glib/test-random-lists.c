/* The kinds of list of the random test. */
#include "test-random.h"
#include "test-support.h"

static fr_request *request_of_kind(int kind)
{
    static const char *const identity[] = {"id"};
    fr_request *request = NULL;
    guint32 section_order = random_below(2) == 0 ? FR_ASCENDING : FR_DESCENDING;
    if (kind == SELECTED) {
        check(fr_request_new_select(&request,
                                    "SELECT t.id, t.s, t.k, t.v FROM t JOIN p ON p.s IS t.s"
                                    " ORDER BY p.position, t.s, t.k, t.id",
                                    NULL, 0, identity, 1, "s"));
        return request;
    }
    check(fr_request_new(&request, "t"));
    check(fr_request_add_sort(request, "k", kind == FILTERED ? FR_DESCENDING : FR_ASCENDING, NULL));
    if (kind == SECTIONED || kind == FILTERED || kind == LIMITED || kind == WINDOWED) {
        check(fr_request_set_section(request, "s", section_order, NULL));
    }
    if (kind == FILTERED) {
        check(fr_request_set_predicate(request, "v < 12", NULL, 0));
    } else if (kind == LIMITED) {
        check(fr_request_set_limit(request, 7, 2));
    }
    return request;
}

/* Some of the sections, in any order. */
static size_t random_keys(fr_value *keys)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    int left[] = {0, 1, 2, 3, 4}, count = 1 + random_below(5), index;
    for (index = 0; index < count; index++) {
        int chosen = index + random_below(5 - index), number = left[chosen];
        left[chosen] = left[index];
        keys[index] = fr_text(names[number]);
    }
    return (size_t)count;
}

static fr_list *map_of_kind(fr_store *store, int kind)
{
    fr_section_map_options options = {.struct_size = sizeof options, .section_key = "s"};
    fr_request *items = request_of_kind(FLAT), *sections = NULL;
    fr_list *map = NULL;
    fr_value keys[5];
    options.empty_sections = random_below(2);
    options.items_without_section = random_below(3);
    if (kind == KEYED) {
        check(fr_section_map_new_with_keys(&map, store, items, keys, random_keys(keys), "s", &options));
    } else {
        check(fr_request_new(&sections, "p"));
        check(fr_request_set_predicate(sections, "s IS NOT NULL", NULL, 0));
        check(fr_request_add_sort(sections, "position", FR_ASCENDING, NULL));
        check(fr_section_map_new(&map, store, items, sections, "s", &options));
    }
    fr_request_free(items);
    fr_request_free(sections);
    return map;
}

/* A window that shows all rows, wherever the one is that it hangs on. */
static fr_list *window_of(fr_list *list)
{
    fr_list *window = NULL;
    int64_t count = 0;
    check(fr_list_perform_fetch(list));
    check(fr_list_count(&count, list));
    check(fr_window_open(&window, list, count > 0 ? random_below((int)count) : 0, 1000, 1000));
    fr_list_free(list);
    return window;
}

fr_list *random_list(fr_store *store, int kind)
{
    fr_request *request;
    fr_list *list = NULL;
    if (kind == MAPPED || kind == KEYED) {
        return map_of_kind(store, kind);
    }
    request = request_of_kind(kind);
    check(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return kind == WINDOWED ? window_of(list) : list;
}
