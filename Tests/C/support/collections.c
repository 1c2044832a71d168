#include "collections.h"

#include "test.h"

fr_list *unfetched_list(fr_store *store, const char *entity, const char *section, const char *sort, const char *where)
{
    fr_request *request = request_of(entity, section, sort, where);
    fr_list *list = NULL;
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return list;
}

fr_list *collection_of(fr_list *first, fr_list *second, fr_list *third)
{
    fr_list *children[3], *collection = NULL;
    int index;
    children[0] = first;
    children[1] = second;
    children[2] = third;
    CHECK_OK(fr_collection_new(&collection));
    for (index = 0; index < 3; index++) {
        if (children[index] != NULL) {
            CHECK_OK(fr_collection_insert(collection, -1, children[index], NULL));
        }
    }
    CHECK_OK(fr_list_perform_fetch(collection));
    return collection;
}

fr_placeholder *placeholder_of(const char *name, const char *index_title)
{
    fr_placeholder *placeholder = NULL;
    CHECK_OK(fr_placeholder_new(&placeholder, name, index_title));
    return placeholder;
}

void watch_collection(struct watched_collection *watched, const char *rows)
{
    fr_store *store = store_with(TWO_TABLES);
    run(store, rows);
    watched->a = list_of(store, "a", NULL, "k", NULL);
    watched->b = list_of(store, "b", "s", "k", NULL);
    watch_list(&watched->w, store, collection_of(watched->a, watched->b, NULL));
}

void unwatch_collection(struct watched_collection *watched)
{
    fr_list_free(watched->a);
    fr_list_free(watched->b);
    unwatch(&watched->w);
}

int64_t place_of(fr_list *collection, fr_list *child)
{
    int64_t index = -1;
    fr_status status = fr_collection_index_of(&index, collection, child);
    CHECK(status == FR_OK || status == FR_NOT_FOUND);
    return index;
}
