int main() {
    try {
        var store = new FrG.Store(":memory:", FrG.StoreFlags.DEFAULT);
        store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)");
        var request = new FrG.Request("tasks") { sort = { "title" } };
        var tasks = new FrG.ListModel.for_request(store, request);
        tasks.items_changed.connect((position, removed, added) => {
            print(@"at $position: $removed removed, $added added\n");
            for (uint index = 0; index < tasks.n_items; index++) {
                print("%s\n", ((FrG.Item) tasks.get_item(index)).get_string("title"));
            }
        });
        store.execute("INSERT INTO tasks (title) VALUES (?), (?)",
                      new Variant("(ss)", "Call home", "Bake bread"));
        store.execute("UPDATE tasks SET title = 'Answer mail' WHERE title = ?",
                      new Variant("(s)", "Call home"));
        return 0;
    } catch (Error error) {
        printerr("%s\n", error.message);
        return 1;
    }
}
