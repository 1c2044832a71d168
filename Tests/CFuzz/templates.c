/* The kinds of lists, each with the statement that yields what it shows. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static fr_request *plain_request(const struct template *template)
{
    fr_request *request = NULL;
    char sorts[80], *sort, *rest = NULL;
    if (fr_request_new(&request, template->entity) != FR_OK) fault("no request");
    if (template->where != NULL) fr_request_set_predicate(request, template->where, NULL, 0);
    strcpy(sorts, template->sort == NULL ? "" : template->sort);
    for (sort = strtok_r(sorts, " ", &rest); sort != NULL; sort = strtok_r(NULL, " ", &rest)) {
        fr_request_add_sort(request, sort + (*sort == '-'), *sort == '-' ? FR_DESCENDING : FR_ASCENDING, NULL);
    }
    if (template->section != NULL) fr_request_set_section(request, template->section, FR_ASCENDING, NULL);
    fr_request_set_batch_size(request, template->identity_count == 1 ? 3 : 20);
    return request;
}

static fr_request *window_request(const struct template *template)
{
    fr_request *request = plain_request(template);
    fr_request_set_limit(request, 3, 1);
    return request;
}

static fr_request *column_request(const struct template *template)
{
    static const char *const columns[] = {"rank", "kind_id.name"};
    fr_request *request = plain_request(template);
    fr_request_set_columns(request, columns, 2);
    return request;
}

static fr_request *parameter_request(const struct template *template)
{
    fr_value values[] = {fr_integer(1), fr_integer(2)};
    fr_request *request = plain_request(template);
    fr_request_set_predicate(request, "rank IN (?1, ?2)", values, 2);
    return request;
}

static fr_request *view_request(const struct template *template)
{
    static const char *const identity[] = {"id"};
    fr_request *request = plain_request(template);
    fr_request_set_identity(request, identity, 1);
    return request;
}

static fr_request *select_request(const struct template *template)
{
    static const char *const identity[] = {"key"};
    fr_request *request = NULL;
    if (fr_request_new_select(&request, template->where, NULL, 0, identity, 1, template->section) != FR_OK) {
        fault("no request of a SELECT");
    }
    return request;
}

static fr_request *group_request(const struct template *template)
{
    static const char *const key[] = {"lower(kind_id.name)"};
    fr_request *request = plain_request(template);
    fr_request_set_group_by(request, key, 1);
    fr_request_add_total(request, "n", FR_TOTAL_COUNT, NULL);
    fr_request_add_total(request, "high", FR_TOTAL_COUNT, "rank > 1");
    fr_request_add_total(request, "ranks", FR_TOTAL_SUM, "rank");
    fr_request_add_total(request, "mean", FR_TOTAL_AVERAGE, "id");
    fr_request_add_total(request, "first", FR_TOTAL_MIN, "name");
    fr_request_add_total(request, "newest", FR_TOTAL_MAX, "id");
    return request;
}

static fr_request *some_groups_request(const struct template *template)
{
    const fr_value one = fr_integer(1);
    fr_request *request = group_request(template);
    fr_request_set_having(request, "n > ?1", &one, 1);
    fr_request_set_limit(request, 2, 1);
    return request;
}

static fr_list *make_controller(fr_store *store, const struct template *template)
{
    fr_request *request = template->request(template);
    fr_list *list = NULL;
    DO(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return list;
}

/* Its request can't become one for rows. */
static fr_list *make_groups(fr_store *store, const struct template *template)
{
    return make_controller(store, template);
}

static fr_list *make_map(fr_store *store, const struct template *template, int32_t empty, int32_t without)
{
    fr_section_map_options options = {0};
    fr_request *items = plain_request(template), *sections = NULL;
    fr_list *list = NULL;
    options.struct_size = sizeof options;
    options.empty_sections = empty;
    options.items_without_section = without;
    fr_request_new(&sections, "kinds");
    fr_request_add_sort(sections, "name", FR_ASCENDING, NULL);
    DO(fr_section_map_new(&list, store, items, sections, "kind_id", &options));
    fr_request_free(sections);
    fr_request_free(items);
    return list;
}

static fr_list *make_row_map(fr_store *store, const struct template *template)
{
    return make_map(store, template, FR_EMPTY_SECTIONS_SHOWN, FR_ITEMS_WITHOUT_SECTION_SHOWN);
}

static fr_list *make_hiding_map(fr_store *store, const struct template *template)
{
    return make_map(store, template, FR_EMPTY_SECTIONS_HIDDEN, FR_ITEMS_WITHOUT_SECTION_HIDDEN);
}

static fr_list *make_key_map(fr_store *store, const struct template *template)
{
    fr_value keys[] = {fr_integer(2), fr_integer(0), fr_integer(1)};
    fr_request *items = plain_request(template);
    fr_list *list = NULL;
    DO(fr_section_map_new_with_keys(&list, store, items, keys, 3, "rank", NULL));
    fr_request_free(items);
    return list;
}

static fr_list *make_collection(fr_store *store, const struct template *template)
{
    fr_list *list = NULL;
    (void)store;
    (void)template;
    DO(fr_collection_new(&list));
    return list;
}

#define ITEM "t.id, t.id, t.kind_id, t.name, t.rank"
#define WITH_KIND "FROM t LEFT JOIN kinds k ON k.id = t.kind_id "

#define GROUPS \
    "SELECT NULL, lower(k.name), lower(k.name), count(*) AS n, count(rank > 1 OR NULL), sum(rank), avg(t.id)," \
    " min(t.name), max(t.id) FROM t JOIN kinds k ON k.id = t.kind_id WHERE k.name IS NOT NULL GROUP BY 2 "

#define ROWS(name, entity, section, sort, where, oracle) \
    {name, make_controller, plain_request, entity, section, sort, where, 1, oracle}

const struct template templates[] = {
    ROWS("items by name", "t", NULL, "name", NULL, "SELECT NULL, " ITEM " FROM t ORDER BY name, id"),
    ROWS("items by rank", "t", "rank", "-name", NULL, "SELECT rank, " ITEM " FROM t ORDER BY rank, name DESC, id"),
    ROWS("items by kind", "t", "kind_id.name", "-rank", NULL,
         "SELECT k.name, " ITEM " " WITH_KIND "ORDER BY k.name, t.rank DESC, t.id"),
    ROWS("items of a kind's name", "t", NULL, "rank", "kind_id.name = 'a'",
         "SELECT NULL, " ITEM " " WITH_KIND "WHERE k.name = 'a' ORDER BY t.rank, t.id"),
    ROWS("items of a subquery", "t", NULL, "rank", "kind_id IN (SELECT id FROM kinds WHERE name > 'a')",
         "SELECT NULL, " ITEM " " WITH_KIND "WHERE k.name > 'a' ORDER BY t.rank, t.id"),
    ROWS("items above 1", "t", NULL, NULL, "rank > 1", "SELECT NULL, " ITEM " FROM t WHERE rank > 1 ORDER BY id"),
    {"items of values", make_controller, parameter_request, "t", NULL, "-name", NULL, 1,
     "SELECT NULL, " ITEM " FROM t WHERE rank IN (1, 2) ORDER BY name DESC, id"},
    {"a window of items", make_controller, window_request, "t", NULL, "rank name", NULL, 1,
     "SELECT NULL, " ITEM " FROM t ORDER BY rank, name, id LIMIT 3 OFFSET 1"},
    {"columns of items", make_controller, column_request, "t", NULL, "-rank", NULL, 1,
     "SELECT NULL, t.id, t.rank, k.name " WITH_KIND "ORDER BY t.rank DESC, t.id"},
    ROWS("kinds", "kinds", NULL, "name", NULL, "SELECT NULL, id, id, name FROM kinds ORDER BY name, id"),
    {"pairs", make_controller, plain_request, "pairs", NULL, "v", NULL, 2,
     "SELECT NULL, a, b, a, b, v FROM pairs ORDER BY v, a, b"},
    {"pairs in sections", make_controller, plain_request, "pairs", "a", "-b", NULL, 2,
     "SELECT a, a, b, a, b, v FROM pairs ORDER BY a, b DESC"},
    ROWS("plain rows", "plain", NULL, "name", NULL, "SELECT NULL, rowid, name, v FROM plain ORDER BY name, rowid"),
    ROWS("keyed rows", "keyed", NULL, "-v", NULL, "SELECT NULL, k, k, v FROM keyed ORDER BY v DESC, k"),
    {"a view", make_controller, view_request, "v_items", NULL, "name", NULL, 1,
     "SELECT NULL, id, id, name, kind FROM v_items ORDER BY name, id"},
    {"a SELECT of groups", make_controller, select_request, NULL, NULL, NULL,
     "SELECT ifnull(rank, 'none') AS key, count(*) AS n, max(name) AS last FROM t GROUP BY 1 ORDER BY 1", 1,
     "SELECT NULL, ifnull(rank, 'none'), ifnull(rank, 'none'), count(*), max(name) FROM t GROUP BY 2 ORDER BY 2"},
    {"a SELECT with sections", make_controller, select_request, NULL, "kind", NULL,
     "SELECT t.id AS key, t.name, k.name AS kind " WITH_KIND "ORDER BY k.name, t.name, t.id", 1,
     "SELECT k.name, t.id, t.id, t.name, k.name " WITH_KIND "ORDER BY k.name, t.name, t.id"},
    {"items in kinds", make_row_map, plain_request, "t", NULL, "rank", NULL, 1,
     "SELECT k.id, " ITEM " FROM kinds k FULL JOIN t ON t.kind_id = k.id"
     " ORDER BY k.id IS NULL, k.name, k.id, t.rank, t.id"},
    {"items in kinds that have any", make_hiding_map, plain_request, "t", NULL, "-name", NULL, 1,
     "SELECT k.id, " ITEM " FROM kinds k JOIN t ON t.kind_id = k.id ORDER BY k.name, k.id, t.name DESC, t.id"},
    {"items in keys", make_key_map, plain_request, "t", NULL, "name", NULL, 1,
     "SELECT k.column1, " ITEM " FROM (VALUES (2), (0), (1)) k FULL JOIN t ON t.rank = k.column1"
     " ORDER BY CASE k.column1 WHEN 2 THEN 0 WHEN 0 THEN 1 WHEN 1 THEN 2 ELSE 3 END, t.name, t.id"},
    {"groups of items", make_groups, group_request, "t", NULL, NULL, "kind_id.name IS NOT NULL", 1,
     GROUPS "ORDER BY 2"},
    {"some groups of items", make_groups, some_groups_request, "t", NULL, "-n", "kind_id.name IS NOT NULL", 1,
     GROUPS "HAVING n > 1 ORDER BY n DESC, 2 LIMIT 2 OFFSET 1"},
    {"a collection", make_collection, NULL, NULL, NULL, NULL, NULL, 0, NULL},
    {"another collection", make_collection, NULL, NULL, NULL, NULL, NULL, 0, NULL},
};

const int template_count = COUNT(templates);

const struct template *random_template_of(const struct template *template)
{
    const struct template *found = NULL;
    int seen = 0, index;
    for (index = 0; index < template_count; index++) {
        const struct template *other = &templates[index];
        if (other->make != template->make || template->make != make_controller || other->entity == NULL) continue;
        if (template->entity == NULL || strcmp(other->entity, template->entity) != 0) continue;
        if (below((uint64_t)++seen) == 0) found = other;
    }
    return found;
}
