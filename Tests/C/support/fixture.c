#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "test.h"
#include "text.h"
#include "values.h"

fr_store *store_with(const char *script)
{
    fr_store *store = NULL;
    CHECK_OK(fr_store_open(&store, ":memory:", NULL));
    run(store, script);
    return store;
}

fr_store *store_in_file(const char *name)
{
    fr_store *store = NULL;
    CHECK_OK(fr_store_open(&store, file_path(name), NULL));
    return store;
}

void run(fr_store *store, const char *script)
{
    CHECK_OK(fr_store_execute_script(store, script));
}

static void add_sorts(fr_request *request, const char *sort)
{
    char *copy = text_copy(sort), *word;
    for (word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        bool descending = word[0] == '-';
        CHECK_OK(fr_request_add_sort(request, word + descending, descending ? FR_DESCENDING : FR_ASCENDING, NULL));
    }
    free(copy);
}

fr_request *request_of(const char *entity, const char *section, const char *sort, const char *where)
{
    fr_request *request = NULL;
    CHECK_OK(fr_request_new(&request, entity));
    if (section != NULL) {
        bool descending = section[0] == '-';
        uint32_t flags = descending ? FR_DESCENDING : FR_ASCENDING;
        CHECK_OK(fr_request_set_section(request, section + descending, flags, NULL));
    }
    if (sort != NULL) {
        add_sorts(request, sort);
    }
    CHECK_OK(fr_request_set_predicate(request, where, NULL, 0));
    return request;
}

static fr_list *fetched(fr_store *store, fr_request *request)
{
    fr_list *controller = NULL;
    CHECK_OK(fr_controller_new(&controller, store, request));
    CHECK_OK(fr_list_perform_fetch(controller));
    return controller;
}

fr_request_info request_info(fr_request *request)
{
    fr_request_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    CHECK_OK(fr_request_describe(&info, request));
    return info;
}

fr_list *list_of(fr_store *store, const char *entity, const char *section, const char *sort, const char *where)
{
    fr_request *request = request_of(entity, section, sort, where);
    fr_list *controller = fetched(store, request);
    fr_request_free(request);
    return controller;
}

/* The text of a controller's list, in a buffer of the caller's. */
static const char *text_of(fr_list *controller, bool contents, char **kept)
{
    struct model model;
    model_read(&model, controller, contents);
    free(*kept);
    *kept = model_text(&model, contents);
    model_free(&model);
    return *kept;
}

const char *list_text(fr_list *controller)
{
    static char *kept;
    return text_of(controller, false, &kept);
}

const char *list_contents(fr_list *controller)
{
    static char *kept;
    return text_of(controller, true, &kept);
}

const char *index_titles_text(fr_list *list)
{
    static struct text text;
    int64_t count = 0, index;
    text_free(&text);
    CHECK_OK(fr_list_index_title_count(&count, list));
    for (index = 0; index < count; index++) {
        const char *title = NULL;
        int64_t section = -1;
        CHECK_OK(fr_list_index_title(&title, list, index));
        CHECK_OK(fr_list_section_for_index_title(&section, list, title, index));
        text_add(&text, "%s%s@%lld", index == 0 ? "" : " ", title, (long long)section);
    }
    return text_get(&text);
}

static char *nameless_text(fr_list *controller)
{
    struct model model;
    char *text;
    model_read(&model, controller, true);
    model_discard_names(&model);
    text = model_text(&model, true);
    model_free(&model);
    return text;
}

bool check_against_fetch(fr_list *controller, fr_store *store, fr_request *request)
{
    fr_list *other = fetched(store, request);
    char *shown = nameless_text(controller), *expected = nameless_text(other);
    bool equal = CHECK_TEXT(shown, expected);
    free(shown);
    free(expected);
    fr_list_free(other);
    return equal;
}

fr_index_path path_at(int64_t section, int64_t row)
{
    fr_index_path path;
    path.section = section;
    path.row = row;
    return path;
}

const char *value_text(fr_value value)
{
    static struct text text;
    text_free(&text);
    value_add(&text, &value);
    return text_get(&text);
}

const char *object_text(fr_object *object, const char *column)
{
    fr_value value = fr_null();
    CHECK_OK(fr_object_value_named(&value, object, column));
    return value_text(value);
}
