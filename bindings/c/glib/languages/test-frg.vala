/* The list models for GLib in Vala. It prints nothing if all is right. */

static string titles(ListModel model)
{
    var text = "";
    for (uint index = 0; index < model.get_n_items(); index++) {
        text += ((FrG.Item) model.get_item(index)).get_string("title") + " ";
    }
    return text;
}

static int main()
{
    try {
        var store = new FrG.Store(":memory:", FrG.StoreFlags.DEFAULT);
        store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, list TEXT, title TEXT)");
        var words = new Variant("(ss)", "home", "bake");
        store.execute("INSERT INTO tasks (list, title) VALUES (?, ?), (?2, ?1)", words);
        var request = new FrG.Request("tasks") { sort = { "-title" } };
        var model = new FrG.ListModel.for_request(store, request);
        var changes = 0;
        model.items_changed.connect((position, removed, added) => { changes++; });
        assert(titles(model) == "home bake ");
        store.execute("UPDATE tasks SET title = :title WHERE list = 'home'", new Variant.parsed("{'title': %s}", "zest"));
        assert(titles(model) == "zest home " && changes > 0);

        assert(((FrG.Item) model.get_item(0)).get_value("id").get_int64() == 1);

        request.section = "list";
        var sections = new FrG.SectionList.for_request(store, request);
        assert(((FrG.ListModel) sections.get_item(1)).section_name == "home");
        request.predicate = "id = 2";
        model.set_request(request);
        assert(model.n_items == 1);
        try {
            store.execute("SELEKT", null);
            assert_not_reached();
        } catch (FrG.StoreError.SQL error) {
            assert(error.message.contains("SELEKT"));
        }
        store.close();
        assert(!store.is_open);
    } catch (Error error) {
        printerr("%s\n", error.message);
        return 1;
    }
    return 0;
}
