/* A live list of GLib, of the installed library. */
#include <fetchedresults-glib.h>

int main(void)
{
    FrGStore *store = frg_store_new(":memory:", FRG_STORE_DEFAULT, NULL);
    FrGRequest *request = frg_request_new("items");
    FrGListModel *rows;
    guint count;
    frg_store_execute_script(store, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)", NULL);
    rows = frg_list_model_new_for_request(store, request, NULL);
    frg_store_execute(store, "INSERT INTO items (name) VALUES (?), (?)", g_variant_new("(ss)", "ant", "oak"), NULL);
    count = g_list_model_get_n_items(G_LIST_MODEL(rows));
    g_object_unref(rows);
    g_object_unref(request);
    g_object_unref(store);
    return count == 2 ? 0 : 1;
}
