/* Tasks as a live list of GLib: what changes in the database changes the model. */
#include <fetchedresults-glib.h>

static void print_titles(GListModel *tasks)
{
    for (guint index = 0; index < g_list_model_get_n_items(tasks); index++) {
        g_autoptr(FrGItem) task = g_list_model_get_item(tasks, index);
        g_autofree char *title = frg_item_get_string(task, "title");
        g_print("%s\n", title);
    }
}

static void items_changed(GListModel *tasks, guint position, guint removed, guint added)
{
    g_print("at %u: %u removed, %u added\n", position, removed, added);
    print_titles(tasks);
}

static gboolean run(GError **error)
{
    const char *sort[] = {"title", NULL};
    g_autoptr(FrGRequest) request = NULL;
    g_autoptr(FrGStore) store = frg_store_new(":memory:", FRG_STORE_DEFAULT, error);
    g_autoptr(FrGListModel) tasks = NULL;
    request = g_object_new(FRG_TYPE_REQUEST, "entity", "tasks", "sort", sort, NULL);
    if (store == NULL
        || !frg_store_execute_script(
            store, "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)", error)) {
        return FALSE;
    }
    tasks = frg_list_model_new_for_request(store, request, error);
    if (tasks == NULL) {
        return FALSE;
    }
    g_signal_connect(tasks, "items-changed", G_CALLBACK(items_changed), NULL);
    return frg_store_execute(store, "INSERT INTO tasks (title) VALUES (?), (?)",
                             g_variant_new("(ss)", "Call home", "Bake bread"), error)
           && frg_store_execute(
               store, "UPDATE tasks SET title = 'Answer mail' WHERE title = ?",
               g_variant_new("(s)", "Call home"), error);
}

int main(void)
{
    g_autoptr(GError) error = NULL;
    if (!run(&error)) {
        g_printerr("%s\n", error->message);
        return 1;
    }
    return 0;
}
