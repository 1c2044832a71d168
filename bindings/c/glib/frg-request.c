#include "frg-request-private.h"

#include <math.h>

#include "frg-parameters.h"
#include "frg-store-error-private.h"

enum {
    ENTITY = 1,
    SELECT,
    PREDICATE,
    PARAMETERS,
    SECTION,
    SORT,
    COLUMNS,
    IDENTITY,
    LIMIT,
    OFFSET,
    BATCH_SIZE,
    CACHE_NAME,
    RANK_TOLERANCE,
    GROUP_BY,
    HAVING,
    HAVING_PARAMETERS,
    PROPERTY_COUNT
};

static GParamSpec *properties[PROPERTY_COUNT];

/* One key path of the order. */
typedef struct sort_key {
    char *key_path;
    guint flags;
    char *collation; /* NULL for the column's own */
} sort_key;

/* One total of the groups. */
typedef struct group_total {
    char *name;
    FrGTotalFunction function;
    char *expression; /* NULL to count all rows */
} group_total;

struct _FrGRequest {
    GObject parent_instance;
    GValue values[PROPERTY_COUNT]; /* of the properties, but for SORT, which `sort` has */
    GArray *sort;                  /* of sort_key */
    GArray *totals;                /* of group_total */
};

G_DEFINE_TYPE(FrGRequest, frg_request, G_TYPE_OBJECT)

GType frg_sort_flags_get_type(void)
{
    static const GFlagsValue values[] = {
        {FRG_SORT_ASCENDING, "FRG_SORT_ASCENDING", "ascending"},
        {FRG_SORT_DESCENDING, "FRG_SORT_DESCENDING", "descending"},
        {FRG_SORT_NULLS_FIRST, "FRG_SORT_NULLS_FIRST", "nulls-first"},
        {FRG_SORT_NULLS_LAST, "FRG_SORT_NULLS_LAST", "nulls-last"},
        {0, NULL, NULL},
    };
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_once_init_leave(&type, g_flags_register_static("FrGSortFlags", values));
    }
    return type;
}

GType frg_total_function_get_type(void)
{
    static const GEnumValue values[] = {
        {FRG_TOTAL_COUNT, "FRG_TOTAL_COUNT", "count"},
        {FRG_TOTAL_SUM, "FRG_TOTAL_SUM", "sum"},
        {FRG_TOTAL_AVERAGE, "FRG_TOTAL_AVERAGE", "average"},
        {FRG_TOTAL_MIN, "FRG_TOTAL_MIN", "min"},
        {FRG_TOTAL_MAX, "FRG_TOTAL_MAX", "max"},
        {0, NULL, NULL},
    };
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_once_init_leave(&type, g_enum_register_static("FrGTotalFunction", values));
    }
    return type;
}

/* Sorting. */

static void free_sort_key(gpointer data)
{
    sort_key *key = data;
    g_free(key->key_path);
    g_free(key->collation);
}

static void add_sort(FrGRequest *request, const char *key_path, guint flags, const char *collation)
{
    sort_key key = {g_strdup(key_path), flags, g_strdup(collation)};
    g_array_append_val(request->sort, key);
}

/* "name", or "-name" for descending order. */
static guint split_sort(const char **key_path)
{
    gboolean is_descending = **key_path == '-';
    *key_path += is_descending;
    return is_descending ? FR_DESCENDING : FR_ASCENDING;
}

static void set_sort(FrGRequest *request, const char *const *descriptions)
{
    g_array_set_size(request->sort, 0);
    for (; descriptions != NULL && *descriptions != NULL; descriptions++) {
        const char *key_path = *descriptions;
        guint flags = split_sort(&key_path);
        add_sort(request, key_path, flags, NULL);
    }
}

static char **dup_sort(FrGRequest *request)
{
    char **descriptions = g_new0(char *, request->sort->len + 1);
    guint index;
    for (index = 0; index < request->sort->len; index++) {
        const sort_key *key = &g_array_index(request->sort, sort_key, index);
        descriptions[index] = g_strconcat((key->flags & FR_DESCENDING) != 0 ? "-" : "", key->key_path, NULL);
    }
    return descriptions;
}

void frg_request_add_sort(FrGRequest *request, const char *key_path, FrGSortFlags flags, const char *collation)
{
    g_return_if_fail(FRG_IS_REQUEST(request));
    g_return_if_fail(key_path != NULL);
    add_sort(request, key_path, flags, collation);
    g_object_notify_by_pspec(G_OBJECT(request), properties[SORT]);
}

/* Totals. */

static void free_total(gpointer data)
{
    group_total *total = data;
    g_free(total->name);
    g_free(total->expression);
}

void frg_request_add_total(FrGRequest *request, const char *name, FrGTotalFunction function, const char *expression)
{
    group_total total = {g_strdup(name), function, g_strdup(expression)};
    g_return_if_fail(FRG_IS_REQUEST(request));
    g_return_if_fail(name != NULL);
    g_array_append_val(request->totals, total);
}

const char *frg_request_type_of_total(fr_total_function function)
{
    static const char *const declared[] = {
        [FR_TOTAL_COUNT] = "INT", [FR_TOTAL_SUM] = "NUMERIC", [FR_TOTAL_AVERAGE] = "REAL"};
    return (gsize)function < G_N_ELEMENTS(declared) ? declared[function] : "";
}

gboolean frg_request_describe_groups(FrGRequest *request, GPtrArray *names, GHashTable *types)
{
    char **keys = g_value_get_boxed(&request->values[GROUP_BY]);
    guint index;
    if (keys == NULL || keys[0] == NULL) {
        return FALSE;
    }
    if (names != NULL) {
        g_ptr_array_set_size(names, 0);
    }
    for (index = 0; names != NULL && keys[index] != NULL; index++) {
        g_ptr_array_add(names, keys[index]);
    }
    for (index = 0; index < request->totals->len; index++) {
        const group_total *total = &g_array_index(request->totals, group_total, index);
        if (names != NULL) {
            g_ptr_array_add(names, total->name);
        }
        g_hash_table_replace(types, g_strdup(total->name),
                             g_strdup(frg_request_type_of_total((fr_total_function)total->function)));
    }
    return TRUE;
}

/* Building. */

static const char *text(FrGRequest *request, guint property)
{
    return g_value_get_string(&request->values[property]);
}

static const char *const *texts(FrGRequest *request, guint property, gsize *count)
{
    const char *const *strings = g_value_get_boxed(&request->values[property]);
    *count = strings != NULL ? g_strv_length((char **)strings) : 0;
    return strings;
}

static fr_status set_predicate(fr_request *built, const char *sql, const frg_parameters *parameters)
{
    if (parameters->names != NULL) {
        return fr_request_set_predicate_named(built, sql, parameters->names, parameters->values, parameters->count);
    }
    return fr_request_set_predicate(built, sql, parameters->values, parameters->count);
}

static fr_status set_order(fr_request *built, FrGRequest *request)
{
    const char *section = text(request, SECTION);
    guint flags = section != NULL ? split_sort(&section) : FR_ASCENDING, index;
    fr_status status = fr_request_set_section(built, section, flags, NULL);
    for (index = 0; status == FR_OK && index < request->sort->len; index++) {
        const sort_key *key = &g_array_index(request->sort, sort_key, index);
        status = fr_request_add_sort(built, key->key_path, key->flags, key->collation);
    }
    return status;
}

static fr_status set_columns(fr_request *built, FrGRequest *request)
{
    gsize count;
    const char *const *columns = texts(request, COLUMNS, &count);
    fr_status status = fr_request_set_columns(built, columns, count);
    columns = texts(request, IDENTITY, &count);
    return status == FR_OK && count > 0 ? fr_request_set_identity(built, columns, count) : status;
}

static fr_status set_groups(fr_request *built, FrGRequest *request, const frg_parameters *parameters)
{
    gsize count;
    guint index;
    const char *const *keys = texts(request, GROUP_BY, &count);
    fr_status status = fr_request_set_group_by(built, keys, count);
    for (index = 0; status == FR_OK && index < request->totals->len; index++) {
        const group_total *total = &g_array_index(request->totals, group_total, index);
        status = fr_request_add_total(built, total->name, (fr_total_function)total->function, total->expression);
    }
    return status == FR_OK ? fr_request_set_having(built, text(request, HAVING), parameters->values, parameters->count)
                           : status;
}

static fr_status build_for_entity(fr_request **built, FrGRequest *request, const frg_parameters *parameters)
{
    fr_status status = fr_request_new(built, text(request, ENTITY));
    if (status == FR_OK) {
        status = set_predicate(*built, text(request, PREDICATE), parameters);
    }
    if (status == FR_OK) {
        status = set_order(*built, request);
    }
    if (status == FR_OK) {
        status = set_columns(*built, request);
    }
    if (status == FR_OK) {
        status = fr_request_set_limit(*built, g_value_get_int64(&request->values[LIMIT]),
                                      g_value_get_int64(&request->values[OFFSET]));
    }
    if (status == FR_OK) {
        status = fr_request_set_rank_tolerance(*built, g_value_get_double(&request->values[RANK_TOLERANCE]));
    }
    return status;
}

static fr_status build_for_select(fr_request **built, FrGRequest *request, const frg_parameters *parameters)
{
    gsize count;
    const char *const *identity = texts(request, IDENTITY, &count);
    return fr_request_new_select(built, text(request, SELECT), parameters->values, parameters->count, identity, count,
                                 text(request, SECTION));
}

static fr_status build(fr_request **built, FrGRequest *request, const frg_parameters *parameters,
                       const frg_parameters *having_parameters)
{
    gboolean is_select = text(request, SELECT) != NULL;
    fr_status status = (is_select ? build_for_select : build_for_entity)(built, request, parameters);
    if (status == FR_OK) {
        status = set_groups(*built, request, having_parameters);
    }
    if (status == FR_OK) {
        status = fr_request_set_batch_size(*built, g_value_get_int64(&request->values[BATCH_SIZE]));
    }
    return status == FR_OK ? fr_request_set_cache_name(*built, text(request, CACHE_NAME)) : status;
}

/* What the C interface can't be asked for. */
static const char *fault_of(FrGRequest *request, const frg_parameters *parameters,
                            const frg_parameters *having_parameters)
{
    gboolean is_select = text(request, SELECT) != NULL;
    if (is_select == (text(request, ENTITY) != NULL)) {
        return "a request has either an entity or a select";
    }
    if (having_parameters->names != NULL) {
        return "the parameters of having have no names";
    }
    return is_select && parameters->names != NULL ? "the parameters of a select have no names" : NULL;
}

fr_request *frg_request_build(FrGRequest *request, GError **error)
{
    fr_request *built = NULL;
    frg_parameters parameters, having;
    const char *fault;
    if (!frg_parameters_init(&parameters, g_value_get_variant(&request->values[PARAMETERS]), error)) {
        return NULL;
    }
    if (!frg_parameters_init(&having, g_value_get_variant(&request->values[HAVING_PARAMETERS]), error)) {
        frg_parameters_clear(&parameters);
        return NULL;
    }
    fault = fault_of(request, &parameters, &having);
    if (fault != NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, fault);
    } else if (!frg_succeeded(build(&built, request, &parameters, &having), error)) {
        fr_request_free(built);
        built = NULL;
    }
    frg_parameters_clear(&having);
    frg_parameters_clear(&parameters);
    return built;
}

/* Life. */

FrGRequest *frg_request_new(const char *entity)
{
    return g_object_new(FRG_TYPE_REQUEST, "entity", entity, NULL);
}

static void frg_request_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGRequest *request = FRG_REQUEST(object);
    if (property == SORT) {
        g_value_take_boxed(value, dup_sort(request));
    } else if (property < PROPERTY_COUNT) {
        g_value_copy(&request->values[property], value);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_request_set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrGRequest *request = FRG_REQUEST(object);
    if (property == SORT) {
        set_sort(request, g_value_get_boxed(value));
    } else if (property < PROPERTY_COUNT) {
        g_value_copy(value, &request->values[property]);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_request_finalize(GObject *object)
{
    FrGRequest *request = FRG_REQUEST(object);
    guint property;
    for (property = ENTITY; property < PROPERTY_COUNT; property++) {
        g_value_unset(&request->values[property]);
    }
    g_array_unref(request->sort);
    g_array_unref(request->totals);
    G_OBJECT_CLASS(frg_request_parent_class)->finalize(object);
}

static GParamSpec *string_property(const char *name)
{
    return g_param_spec_string(name, NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

static GParamSpec *strings_property(const char *name)
{
    return g_param_spec_boxed(name, NULL, NULL, G_TYPE_STRV, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

static GParamSpec *variant_property(const char *name)
{
    return g_param_spec_variant(name, NULL, NULL, G_VARIANT_TYPE_ANY, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

static GParamSpec *number_property(const char *name, gint64 minimum, gint64 maximum, gint64 standard)
{
    return g_param_spec_int64(name, NULL, NULL, minimum, maximum, standard, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

static void frg_request_class_init(FrGRequestClass *request_class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(request_class);
    object_class->finalize = frg_request_finalize;
    object_class->get_property = frg_request_get_property;
    object_class->set_property = frg_request_set_property;
    /**
     * FrGRequest:entity:
     *
     * The table or view, optionally with its database; %NULL for a request of a whole SELECT.
     */
    properties[ENTITY] = string_property("entity");
    /**
     * FrGRequest:select:
     *
     * A whole SELECT, with its rows in its order; its result columns #FrGRequest:identity identify
     * a row, and #FrGRequest:section divides the rows. %NULL for a request of a table or view.
     */
    properties[SELECT] = string_property("select");
    /**
     * FrGRequest:predicate:
     *
     * A SQL expression, true for the rows of the list; %NULL for all rows.
     */
    properties[PREDICATE] = string_property("predicate");
    /**
     * FrGRequest:parameters:
     *
     * The values of the parameters of the predicate or SELECT, as described at #FrGStore.
     */
    properties[PARAMETERS] = variant_property("parameters");
    /**
     * FrGRequest:section:
     *
     * The key path whose values divide the rows into sections; %NULL for a flat list.
     */
    properties[SECTION] = string_property("section");
    /**
     * FrGRequest:sort:
     *
     * The key paths that the rows are sorted by.
     */
    properties[SORT] = strings_property("sort");
    /**
     * FrGRequest:columns:
     *
     * The columns and key paths that items have; empty for all columns.
     */
    properties[COLUMNS] = strings_property("columns");
    /**
     * FrGRequest:identity:
     *
     * The columns that identify a row of a view or SELECT; empty for a table.
     */
    properties[IDENTITY] = strings_property("identity");
    /**
     * FrGRequest:limit:
     *
     * The greatest number of rows that are shown; -1 without a limit.
     */
    properties[LIMIT] = number_property("limit", -1, G_MAXINT64, -1);
    /**
     * FrGRequest:offset:
     *
     * How many rows are skipped at the beginning.
     */
    properties[OFFSET] = number_property("offset", 0, G_MAXINT64, 0);
    /**
     * FrGRequest:batch-size:
     *
     * How many rows are read together.
     */
    properties[BATCH_SIZE] = number_property("batch-size", 1, 32766, 20);
    /**
     * FrGRequest:cache-name:
     *
     * The name under which the list is cached for the next start; %NULL to not cache it. It is
     * cached when it has been fetched, when its model is disposed of and when its store is closed;
     * frg_store_close() reports a list that could not be cached.
     */
    properties[CACHE_NAME] = string_property("cache-name");
    /**
     * FrGRequest:rank-tolerance:
     *
     * How many documents may be written before a list of an FTS5 table with `rank` or `bm25()` is
     * ranked again, as a share of all documents, and of the documents that match; 0 to rank it
     * again with each, infinity to never do it.
     */
    properties[RANK_TOLERANCE] = g_param_spec_double("rank-tolerance", NULL, NULL, 0, INFINITY, 0.01,
                                                     G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
    /**
     * FrGRequest:group-by:
     *
     * Columns, key paths or SQL expressions: the list has an item for each group of rows that are
     * equal in all of them. Its columns are these keys, under the texts given here, and the totals
     * (frg_request_add_total()). #FrGRequest:sort, #FrGRequest:section, #FrGRequest:columns and
     * #FrGRequest:having name these, and #FrGRequest:predicate the rows. Empty for a list of rows.
     */
    properties[GROUP_BY] = strings_property("group-by");
    /**
     * FrGRequest:having:
     *
     * A SQL expression over keys and totals, true for the groups of the list; %NULL for all groups.
     */
    properties[HAVING] = string_property("having");
    /**
     * FrGRequest:having-parameters:
     *
     * The values of the parameters of #FrGRequest:having, without names.
     */
    properties[HAVING_PARAMETERS] = variant_property("having-parameters");
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

static void frg_request_init(FrGRequest *request)
{
    guint property;
    for (property = ENTITY; property < PROPERTY_COUNT; property++) {
        g_value_init(&request->values[property], G_PARAM_SPEC_VALUE_TYPE(properties[property]));
        g_param_value_set_default(properties[property], &request->values[property]);
    }
    request->sort = g_array_new(FALSE, FALSE, sizeof(sort_key));
    g_array_set_clear_func(request->sort, free_sort_key);
    request->totals = g_array_new(FALSE, FALSE, sizeof(group_total));
    g_array_set_clear_func(request->totals, free_total);
}
