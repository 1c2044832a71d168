#include "frg-item-type.h"

#include "frg-item-private.h"
#include "frg-request-private.h"

/* The properties of a type, by their numbers. */
typedef struct item_columns {
    guint count;
    char **names; /* of the columns; NULL for one that is no property */
    GParamSpec **specs;
} item_columns;

typedef struct row_item_class {
    FrGItemClass parent_class;
    item_columns *columns;
} row_item_class;

/*
 * Names of properties begin with a letter. What they can't contain becomes a hyphen, as "_" does.
 */
static char *property_name(const char *column)
{
    char *name = g_strdup(column), *character;
    for (character = name; *character != '\0'; character++) {
        if (!g_ascii_isalnum(*character)) {
            *character = '-';
        }
    }
    if (!g_ascii_isalpha(name[0])) {
        g_clear_pointer(&name, g_free);
    }
    return name;
}

static gboolean mentions(const char *declared, const char *word)
{
    return strstr(declared, word) != NULL;
}

/*
 * By the words that determine a column's affinity (https://www.sqlite.org/datatype3.html), and by
 * BOOL.
 */
static GParamSpec *spec_for(const char *name, const char *declared)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY;
    char *upper = g_ascii_strup(declared, -1);
    GParamSpec *spec;
    if (mentions(upper, "BOOL")) {
        spec = g_param_spec_boolean(name, NULL, NULL, FALSE, flags);
    } else if (mentions(upper, "INT")) {
        spec = g_param_spec_int64(name, NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
    } else if (mentions(upper, "CHAR") || mentions(upper, "CLOB") || mentions(upper, "TEXT") || upper[0] == '\0') {
        spec = g_param_spec_string(name, NULL, NULL, NULL, flags);
    } else if (mentions(upper, "BLOB")) {
        spec = g_param_spec_boxed(name, NULL, NULL, G_TYPE_BYTES, flags);
    } else if (mentions(upper, "DATE") || mentions(upper, "TIME")) {
        spec = g_param_spec_string(name, NULL, NULL, NULL, flags);
    } else {
        spec = g_param_spec_double(name, NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
    }
    g_free(upper);
    return spec;
}

static void get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGItem *item = FRG_ITEM(object);
    const row_item_class *item_class = (const row_item_class *)G_OBJECT_GET_CLASS(object);
    const char *column = item_class->columns->names[property - 1];
    if (!frg_item_has(item, column)) {
        g_param_value_set_default(spec, value);
    } else if (G_VALUE_HOLDS_BOOLEAN(value)) {
        g_value_set_boolean(value, frg_item_get_boolean(item, column));
    } else if (G_VALUE_HOLDS_INT64(value)) {
        g_value_set_int64(value, frg_item_get_int64(item, column));
    } else if (G_VALUE_HOLDS_DOUBLE(value)) {
        g_value_set_double(value, frg_item_get_double(item, column));
    } else if (G_VALUE_HOLDS_STRING(value)) {
        g_value_take_string(value, frg_item_get_string(item, column));
    } else {
        g_value_take_boxed(value, frg_item_get_bytes(item, column));
    }
}

static void class_init(gpointer type_class, gpointer class_data)
{
    row_item_class *item_class = type_class;
    guint index;
    item_class->columns = class_data;
    G_OBJECT_CLASS(type_class)->get_property = get_property;
    for (index = 0; index < item_class->columns->count; index++) {
        GParamSpec *spec = item_class->columns->specs[index];
        if (spec != NULL) {
            g_object_class_install_property(type_class, index + 1, spec);
        }
    }
}

static char *text_at(fr_statement *statement, int32_t index)
{
    fr_value value = fr_null();
    fr_statement_value(&value, statement, index);
    return value.type == FR_TYPE_TEXT ? g_strndup(value.data, (gsize)value.length) : g_strdup("");
}

/*
 * The declared types by the names of the columns. A column whose type can't be read is shown as
 * text, so a failure is none of the model's. names: NULL, or to be filled; the table owns them.
 */
static GHashTable *declared_types(fr_store *store, const char *entity, GPtrArray *names)
{
    GHashTable *types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    /* The entity, or, as "database.entity", one of an attached file. */
    const char *sql = "SELECT name, type FROM pragma_table_xinfo(?1) WHERE hidden <> 1 "
                      "UNION ALL SELECT name, type FROM"
                      " pragma_table_xinfo(substr(?1, instr(?1, '.') + 1), substr(?1, 1, instr(?1, '.') - 1))"
                      " WHERE hidden <> 1 AND instr(?1, '.') > 0";
    const fr_value name = fr_text(entity);
    fr_statement *statement = NULL;
    bool has_row = false;
    if (store != NULL && fr_statement_prepare(&statement, store, sql) == FR_OK
        && fr_statement_bind(statement, 1, &name) == FR_OK) {
        while (fr_statement_step(&has_row, statement) == FR_OK && has_row) {
            char *column = text_at(statement, 0);
            if (g_hash_table_replace(types, column, text_at(statement, 1)) && names != NULL) {
                g_ptr_array_add(names, column);
            }
        }
    }
    fr_statement_free(statement);
    return types;
}

static item_columns *columns_of(const GPtrArray *names, GHashTable *declared)
{
    item_columns *columns = g_new0(item_columns, 1);
    GHashTable *taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint index;
    columns->count = names->len;
    columns->names = g_new0(char *, names->len);
    columns->specs = g_new0(GParamSpec *, names->len);
    for (index = 0; index < names->len; index++) {
        const char *column = g_ptr_array_index(names, index), *type = g_hash_table_lookup(declared, column);
        char *name = property_name(column);
        if (name != NULL && !g_hash_table_contains(taken, name)) {
            columns->names[index] = g_strdup(column);
            columns->specs[index] = spec_for(name, type != NULL ? type : "");
            g_hash_table_add(taken, name);
        } else {
            g_free(name);
        }
    }
    g_hash_table_unref(taken);
    return columns;
}

/* "FrGItem-tasks"; the next type of that name is "FrGItem-tasks-2". */
static char *type_name(const char *entity)
{
    GString *name = g_string_new("FrGItem-");
    gsize length;
    guint number = 1;
    for (; *entity != '\0'; entity++) {
        g_string_append_c(name, g_ascii_isalnum(*entity) ? *entity : '_');
    }
    length = name->len;
    while (g_type_from_name(name->str) != 0) {
        g_string_truncate(name, length);
        g_string_append_printf(name, "-%u", ++number);
    }
    return g_string_free(name, FALSE);
}

static GType register_type(const char *entity, item_columns *columns)
{
    GTypeQuery query;
    GTypeInfo info = {.class_size = sizeof(row_item_class), .class_init = class_init, .class_data = columns};
    char *name = type_name(entity);
    GType type;
    g_type_query(FRG_TYPE_ITEM, &query);
    info.instance_size = (guint16)query.instance_size;
    type = g_type_register_static(FRG_TYPE_ITEM, name, &info, 0);
    g_free(name);
    return type;
}

/* What determines a type. */
static char *key_of(const char *entity, const GPtrArray *names, GHashTable *declared)
{
    GString *key = g_string_new(entity);
    guint index;
    for (index = 0; index < names->len; index++) {
        const char *column = g_ptr_array_index(names, index), *type = g_hash_table_lookup(declared, column);
        g_string_append_printf(key, "\n%s\t%s", column, type != NULL ? type : "");
    }
    return g_string_free(key, FALSE);
}

static GType item_type(const char *entity, const GPtrArray *names, GHashTable *declared)
{
    static GMutex mutex;
    static GHashTable *types; /* by their keys */
    char *key = key_of(entity, names, declared);
    gpointer known = NULL;
    GType type;
    g_mutex_lock(&mutex);
    if (types == NULL) {
        types = g_hash_table_new(g_str_hash, g_str_equal);
    }
    if (g_hash_table_lookup_extended(types, key, NULL, &known)) {
        type = (GType)(gsize)known;
        g_free(key);
    } else {
        type = register_type(entity, columns_of(names, declared));
        g_hash_table_insert(types, key, (gpointer)(gsize)type);
    }
    g_mutex_unlock(&mutex);
    return type;
}

GType frg_item_type_of_request(fr_store *store, FrGRequest *request)
{
    GPtrArray *names = g_ptr_array_new(), *all = g_ptr_array_new();
    char *entity = NULL, **columns = NULL;
    GHashTable *declared;
    GType type = FRG_TYPE_ITEM;
    g_object_get(request, "entity", &entity, "columns", &columns, NULL);
    if (entity != NULL) {
        guint index, count = columns != NULL ? g_strv_length(columns) : 0;
        declared = declared_types(store, entity, all);
        frg_request_describe_groups(request, all, declared);
        for (index = 0; index < count; index++) {
            g_ptr_array_add(names, columns[index]);
        }
        type = item_type(entity, count > 0 ? names : all, declared);
        g_hash_table_unref(declared);
    }
    g_ptr_array_unref(all);
    g_ptr_array_unref(names);
    g_strfreev(columns);
    g_free(entity);
    return type;
}

GType frg_item_type_of(fr_store *store, fr_object *object, FrGRequest *request)
{
    GPtrArray *names = g_ptr_array_new();
    GHashTable *declared;
    const char *entity = "", *name;
    char *requested = NULL;
    int64_t count = 0, index;
    GType type;
    fr_object_entity(&entity, object);
    fr_object_column_count(&count, object);
    for (index = 0; index < count; index++) {
        if (fr_object_column_name(&name, object, index) == FR_OK) {
            g_ptr_array_add(names, (gpointer)name);
        }
    }
    if (request != NULL) {
        g_object_get(request, "entity", &requested, NULL);
    }
    declared = declared_types(store, requested != NULL ? requested : entity, NULL);
    if (request != NULL) {
        frg_request_describe_groups(request, NULL, declared);
    }
    type = item_type(requested != NULL ? requested : entity, names, declared);
    g_free(requested);
    g_hash_table_unref(declared);
    g_ptr_array_unref(names);
    return type;
}

/* A list that has the totals of another one: itself, or the first list of a collection. */
static fr_list *list_with_totals(fr_list *list)
{
    fr_list *child = NULL;
    int64_t count = 0, index;
    if (fr_collection_child_count(&count, list) != FR_OK) {
        return list;
    }
    for (index = 0; index < count && child == NULL; index++) {
        /* Only an index that is out of range fails. A placeholder is NULL. */
        fr_collection_child(&child, list, index);
    }
    return child == NULL ? list : list_with_totals(child);
}

GType frg_item_type_of_totals(fr_list *list, fr_object *object)
{
    GPtrArray *names = g_ptr_array_new();
    GHashTable *types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    fr_request_info info = {.struct_size = sizeof info};
    fr_request *request = NULL;
    const char *name;
    int64_t count = 0, index;
    GType type;
    if (fr_controller_request(&request, list_with_totals(list)) == FR_OK
        && fr_request_describe(&info, request) == FR_OK) {
        size_t total;
        for (total = 0; total < info.total_count; total++) {
            const char *declared = frg_request_type_of_total(info.totals[total].function);
            g_hash_table_replace(types, g_strdup(info.totals[total].name), (gpointer)declared);
        }
    }
    fr_object_column_count(&count, object);
    for (index = 0; index < count; index++) {
        if (fr_object_column_name(&name, object, index) == FR_OK) {
            g_ptr_array_add(names, (gpointer)name);
        }
    }
    type = item_type("totals", names, types);
    fr_request_free(request);
    g_hash_table_unref(types);
    g_ptr_array_unref(names);
    return type;
}

void frg_item_notify(FrGItem *item, fr_object *former)
{
    const item_columns *columns;
    guint index;
    if (G_OBJECT_TYPE(item) == FRG_TYPE_ITEM) {
        return;
    }
    columns = ((const row_item_class *)G_OBJECT_GET_CLASS(item))->columns;
    for (index = 0; index < columns->count; index++) {
        if (columns->names[index] != NULL && frg_item_differs(item, former, columns->names[index])) {
            g_object_notify_by_pspec(G_OBJECT(item), columns->specs[index]);
        }
    }
}

void frg_item_notify_column(FrGItem *item, const char *column)
{
    const item_columns *columns;
    guint index;
    if (G_OBJECT_TYPE(item) == FRG_TYPE_ITEM) {
        return;
    }
    columns = ((const row_item_class *)G_OBJECT_GET_CLASS(item))->columns;
    for (index = 0; index < columns->count; index++) {
        if (columns->names[index] != NULL && g_ascii_strcasecmp(columns->names[index], column) == 0) {
            g_object_notify_by_pspec(G_OBJECT(item), columns->specs[index]);
        }
    }
}
