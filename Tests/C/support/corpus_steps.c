#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "test.h"

static const char *string(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_word(json_t *object, const char *key, const char *word)
{
    const char *found = string(object, key);
    return found != NULL && strcmp(found, word) == 0;
}

static int number(json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

/* An array of strings as a C array; the caller frees it. */
static const char **strings(json_t *array)
{
    const char **strings = malloc((json_array_size(array) + 1) * sizeof *strings);
    size_t index;
    json_t *each;
    json_array_foreach(array, index, each)
    {
        strings[index] = json_string_value(each);
    }
    return strings;
}

/* Requests */

static uint32_t sort_flags(json_t *sort)
{
    return (json_is_true(json_object_get(sort, "descending")) ? FR_DESCENDING : FR_ASCENDING)
           | (is_word(sort, "nulls", "first") ? FR_NULLS_FIRST : 0)
           | (is_word(sort, "nulls", "last") ? FR_NULLS_LAST : 0);
}

static void set_predicate(fr_request *request, json_t *json)
{
    json_t *parameters = json_object_get(json, "parameters"), *array = parameters;
    struct corpus_values values;
    if (json_is_object(parameters)) {
        static const char *const names[] = {"value"};
        array = json_pack("[O]", json_object_get(parameters, names[0]));
        values = corpus_values_of(array);
        CHECK_OK(fr_request_set_predicate_named(request, string(json, "predicate"), names, values.values, 1));
        json_decref(array);
    } else {
        values = corpus_values_of(array);
        CHECK_OK(fr_request_set_predicate(request, string(json, "predicate"), values.values, values.count));
    }
    corpus_values_free(&values);
}

static void set_names(fr_request *request, json_t *names,
                      fr_status (*set)(fr_request *request, const char *const *names, size_t count))
{
    const char **array = strings(names);
    CHECK_OK(set(request, array, json_array_size(names)));
    free(array);
}

static fr_request *select_of(json_t *json)
{
    fr_request *request = NULL;
    json_t *identity = json_object_get(json, "identity");
    struct corpus_values values = corpus_values_of(json_object_get(json, "parameters"));
    const char **names = strings(identity);
    CHECK_OK(fr_request_new_select(&request, string(json, "select"), values.values, values.count, names,
                                   json_array_size(identity), string(json, "section")));
    CHECK_OK(fr_request_set_batch_size(request, number(json, "batch")));
    free(names);
    corpus_values_free(&values);
    return request;
}

static fr_total_function function_of(const char *name)
{
    static const char *const names[] = {"count", "sum", "average", "min", "max"};
    size_t index = 0;
    while (index < sizeof names / sizeof *names - 1 && strcmp(names[index], name) != 0) {
        index++;
    }
    return (fr_total_function)index;
}

/* Keys of groups stand beside their collations. */
static void set_groups(fr_request *request, json_t *json)
{
    json_t *keys = json_object_get(json, "groupBy"), *key, *total;
    const char **names = malloc((json_array_size(keys) + 1) * sizeof *names);
    size_t index;
    json_array_foreach(keys, index, key)
    {
        names[index] = json_string_value(json_array_get(key, 0));
    }
    CHECK_OK(fr_request_set_group_by(request, names, json_array_size(keys)));
    free(names);
    json_array_foreach(json_object_get(json, "totals"), index, total)
    {
        CHECK_OK(fr_request_add_total(request, json_string_value(json_array_get(total, 0)),
                                      function_of(json_string_value(json_array_get(total, 1))),
                                      json_string_value(json_array_get(total, 2))));
    }
    if (json_object_get(json, "having") != NULL) {
        struct corpus_values values = corpus_values_of(json_object_get(json, "havingParameters"));
        CHECK_OK(fr_request_set_having(request, string(json, "having"), values.values, values.count));
        corpus_values_free(&values);
    }
}

static fr_request *request_of(json_t *json)
{
    fr_request *request = NULL;
    json_t *section = json_object_get(json, "section"), *limit = json_object_get(json, "limit"), *sort;
    size_t index;
    if (json_object_get(json, "select") != NULL) {
        return select_of(json);
    }
    CHECK_OK(fr_request_new(&request, string(json, "entity")));
    if (json_object_get(json, "predicate") != NULL) {
        set_predicate(request, json);
    }
    if (section != NULL) {
        CHECK_OK(
            fr_request_set_section(request, string(section, "key"), sort_flags(section), string(section, "collation")));
    }
    json_array_foreach(json_object_get(json, "sort"), index, sort)
    {
        CHECK_OK(fr_request_add_sort(request, string(sort, "key"), sort_flags(sort), string(sort, "collation")));
    }
    if (json_object_get(json, "columns") != NULL) {
        set_names(request, json_object_get(json, "columns"), fr_request_set_columns);
    }
    if (json_object_get(json, "identity") != NULL) {
        set_names(request, json_object_get(json, "identity"), fr_request_set_identity);
    }
    CHECK_OK(fr_request_set_limit(request, limit == NULL ? -1 : json_integer_value(limit), number(json, "offset")));
    CHECK_OK(fr_request_set_batch_size(request, number(json, "batch")));
    set_groups(request, json);
    return request;
}

/* Lists */

static int32_t empty_sections(json_t *json)
{
    return is_word(json, "emptySections", "hidden") ? FR_EMPTY_SECTIONS_HIDDEN : FR_EMPTY_SECTIONS_SHOWN;
}

static int32_t items_without_section(json_t *json)
{
    return is_word(json, "itemsWithoutSection", "hidden")  ? FR_ITEMS_WITHOUT_SECTION_HIDDEN
           : is_word(json, "itemsWithoutSection", "shown") ? FR_ITEMS_WITHOUT_SECTION_SHOWN
                                                           : FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN;
}

static fr_status new_map(fr_list **out, fr_store *store, fr_request *items, json_t *json)
{
    fr_section_map_options options;
    fr_request *sections;
    fr_status status;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.section_key = string(json, "sectionKey");
    options.index_title = string(json, "indexTitle");
    options.empty_sections = empty_sections(json);
    options.items_without_section = items_without_section(json);
    if (json_object_get(json, "keys") != NULL) {
        struct corpus_values keys = corpus_values_of(json_object_get(json, "keys"));
        status = fr_section_map_new_with_keys(out, store, items, keys.values, keys.count, string(json, "itemKey"),
                                              &options);
        corpus_values_free(&keys);
        return status;
    }
    sections = request_of(json_object_get(json, "sections"));
    status = fr_section_map_new(out, store, items, sections, string(json, "itemKey"), &options);
    fr_request_free(sections);
    return status;
}

static fr_status new_list(struct corpus *corpus, json_t *step)
{
    struct corpus_list *list = &corpus->lists[number(step, "new")];
    fr_request *request;
    fr_status status;
    if (json_object_get(step, "collection") != NULL) {
        status = fr_collection_new(&list->list);
    } else {
        list->request = json_object_get(step, "request");
        fr_store *store = json_object_get(step, "elsewhere") != NULL ? corpus->other : corpus->store;
        request = request_of(list->request);
        list->is_map = json_object_get(step, "map") != NULL;
        status = list->is_map ? new_map(&list->list, store, request, json_object_get(step, "map"))
                              : fr_controller_new(&list->list, store, request);
        fr_request_free(request);
    }
    corpus_listen(list);
    return status;
}

static fr_status change_list(struct corpus *corpus, json_t *step)
{
    fr_list *list = corpus->lists[number(step, "change")].list;
    fr_request *request;
    fr_status status;
    if (json_object_get(step, "keys") != NULL) {
        struct corpus_values keys = corpus_values_of(json_object_get(step, "keys"));
        status = fr_section_map_set_keys(list, keys.values, keys.count);
        corpus_values_free(&keys);
        return status;
    }
    if (json_object_get(step, "emptySections") != NULL) {
        return fr_section_map_set_empty_sections(list, empty_sections(step));
    }
    if (json_object_get(step, "itemsWithoutSection") != NULL) {
        return fr_section_map_set_items_without_section(list, items_without_section(step));
    }
    request = request_of(json_object_get(step, "request"));
    status = fr_controller_set_request(list, request);
    fr_request_free(request);
    return status;
}

static fr_placeholder *new_placeholder(struct corpus *corpus, const char *name)
{
    fr_placeholder *placeholder = NULL;
    CHECK_OK(fr_placeholder_new(&placeholder, name, NULL));
    if (CHECK(corpus->placeholder_count < CORPUS_PLACEHOLDERS)) {
        corpus->placeholders[corpus->placeholder_count++] = placeholder;
    }
    return placeholder;
}

static fr_status put_child(struct corpus *corpus, fr_list *collection, json_t *step, fr_list *child)
{
    fr_placeholder *empty = NULL;
    if (json_object_get(step, "empty") != NULL) {
        empty = new_placeholder(corpus, string(step, "empty"));
    }
    return json_object_get(step, "insert") != NULL
               ? fr_collection_insert(collection, number(step, "insert"), child, empty)
               : fr_collection_replace(collection, number(step, "replace"), child, empty);
}

static fr_status rename_placeholder(fr_list *collection, json_t *step)
{
    fr_placeholder *placeholder = NULL;
    CHECK_OK(fr_collection_placeholder(&placeholder, collection, number(step, "rename")));
    return json_object_get(step, "name") != NULL ? fr_placeholder_set_name(placeholder, string(step, "name"))
                                                 : fr_placeholder_set_index_title(placeholder, string(step, "title"));
}

static fr_status change_children(struct corpus *corpus, json_t *step)
{
    fr_list *collection = corpus->lists[number(step, "children")].list;
    fr_placeholder *placeholder;
    if (json_object_get(step, "remove") != NULL) {
        return fr_collection_remove(collection, number(step, "remove"));
    }
    if (json_object_get(step, "rename") != NULL) {
        return rename_placeholder(collection, step);
    }
    if (json_object_get(step, "list") != NULL) {
        return put_child(corpus, collection, step, corpus->lists[number(step, "list")].list);
    }
    placeholder = new_placeholder(corpus, string(step, "placeholder"));
    return json_object_get(step, "insert") != NULL
               ? fr_collection_insert_placeholder(collection, number(step, "insert"), placeholder)
               : fr_collection_replace_with_placeholder(collection, number(step, "replace"), placeholder);
}

/* Fetches */

static void fetch_ended(fr_list *list, const fr_error *error, void *user_data)
{
    struct corpus_list *entry = user_data;
    (void)error;
    CHECK(list == entry->list);
    entry->fetches -= 1;
    entry->was_fetched = true;
}

static fr_status fetch(struct corpus *corpus, json_t *step)
{
    struct corpus_list *list = &corpus->lists[number(step, "fetch")];
    if (json_object_get(step, "background") == NULL) {
        list->was_fetched = true;
        return fr_list_perform_fetch(list->list);
    }
    list->fetches += 1;
    return fr_list_perform_fetch_async(list->list, NULL, fetch_ended, list, NULL);
}

static bool is_fetching(const struct corpus *corpus)
{
    int index;
    for (index = 0; index < CORPUS_LISTS; index++) {
        if (corpus->lists[index].fetches > 0) {
            return true;
        }
    }
    return false;
}

static fr_status finish_fetches(struct corpus *corpus)
{
    int waits;
    for (waits = 0; waits < 600 && is_fetching(corpus); waits++) {
        CHECK_OK(fr_store_wait(corpus->store, 100));
    }
    CHECK(!is_fetching(corpus));
    return FR_OK;
}

/* Writes */

static fr_status execute(fr_store *store, json_t *step)
{
    struct corpus_values values = corpus_values_of(json_object_get(step, "parameters"));
    fr_status status = fr_store_execute(store, string(step, "execute"), values.values, values.count);
    corpus_values_free(&values);
    return status;
}

/* Inserts or updates one row. "values" are pairs of a column and a value. */
static fr_status write_row(fr_store *store, json_t *step)
{
    json_t *pairs = json_object_get(step, "values"), *names = json_array(), *array = json_array(), *pair;
    struct corpus_values identity = corpus_values_of(json_object_get(step, "identity")), values;
    const char **columns;
    size_t index;
    fr_status status;
    fr_object *row = NULL;
    json_array_foreach(pairs, index, pair)
    {
        json_array_append(names, json_array_get(pair, 0));
        json_array_append(array, json_array_get(pair, 1));
    }
    columns = strings(names);
    values = corpus_values_of(array);
    status = json_object_get(step, "insert") != NULL
                 ? fr_store_insert(&row, store, string(step, "insert"), columns, values.values, values.count)
                 : fr_store_update(store, string(step, "update"), identity.values, identity.count, columns,
                                   values.values, values.count);
    fr_object_unref(row);
    free(columns);
    corpus_values_free(&values);
    corpus_values_free(&identity);
    json_decref(names);
    json_decref(array);
    return status;
}

static fr_status delete_row(fr_store *store, json_t *step)
{
    struct corpus_values identity = corpus_values_of(json_object_get(step, "identity"));
    fr_status status = fr_store_delete(store, string(step, "delete"), identity.values, identity.count);
    corpus_values_free(&identity);
    return status;
}

/* Two statements, which fail together. */
static fr_status run_script(fr_store *store, json_t *step)
{
    struct text sql = {NULL, 0, 0};
    fr_status status;
    text_add(&sql, "SAVEPOINT script; %s; RELEASE script", string(step, "script"));
    status = fr_store_execute_script(store, text_get(&sql));
    if (status != FR_OK) {
        /* It does not exist any more if the failure rolled the whole transaction back. */
        fr_store_execute_script(store, "ROLLBACK TO script; RELEASE script");
    }
    text_free(&sql);
    return status;
}

static int32_t mode(json_t *step)
{
    return is_word(step, "begin", "deferred")    ? FR_DEFERRED
           : is_word(step, "begin", "exclusive") ? FR_EXCLUSIVE
                                                 : FR_IMMEDIATE;
}

static bool has(json_t *step, const char *key)
{
    return json_object_get(step, key) != NULL;
}

/* Steps of a store. */
static fr_status write_step(fr_store *store, json_t *step)
{
    if (has(step, "execute")) {
        return execute(store, step);
    }
    if (has(step, "insert") || has(step, "update")) {
        return write_row(store, step);
    }
    if (has(step, "delete")) {
        return delete_row(store, step);
    }
    if (has(step, "script")) {
        return run_script(store, step);
    }
    if (has(step, "begin")) {
        return fr_store_begin(store, mode(step));
    }
    if (has(step, "commit")) {
        return fr_store_commit(store);
    }
    if (has(step, "rollback")) {
        return fr_store_rollback(store);
    }
    CHECK(has(step, "dispatch"));
    return fr_store_dispatch(store);
}

fr_status corpus_do(struct corpus *corpus, json_t *step)
{
    if (has(step, "new")) {
        return new_list(corpus, step);
    }
    if (has(step, "change")) {
        return change_list(corpus, step);
    }
    if (has(step, "children")) {
        return change_children(corpus, step);
    }
    if (has(step, "fetch")) {
        return fetch(corpus, step);
    }
    if (has(step, "finish")) {
        return finish_fetches(corpus);
    }
    if (has(step, "pause")) {
        return fr_controller_pause(corpus->lists[number(step, "pause")].list);
    }
    if (has(step, "resume")) {
        return fr_controller_resume(corpus->lists[number(step, "resume")].list, has(step, "reload"));
    }
    if (has(step, "disable")) {
        return fr_section_map_set_disabled(corpus->lists[number(step, "disable")].list, true);
    }
    if (has(step, "enable")) {
        return fr_section_map_set_disabled(corpus->lists[number(step, "enable")].list, false);
    }
    if (has(step, "free")) {
        corpus_free_list(corpus, number(step, "free"));
        return FR_OK;
    }
    return write_step(has(step, "elsewhere") ? corpus->other : corpus->store, step);
}
