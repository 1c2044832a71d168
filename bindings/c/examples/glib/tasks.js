imports.gi.versions.FrG = '1';
const { FrG, GLib } = imports.gi;

const store = FrG.Store.new(':memory:', FrG.StoreFlags.DEFAULT);
store.execute_script('CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)');
const request = new FrG.Request({ entity: 'tasks', sort: ['title'] });
const tasks = FrG.ListModel.new(store, request);
tasks.connect('items-changed', (_, position, removed, added) => {
    print(`at ${position}: ${removed} removed, ${added} added`);
    for (let index = 0; index < tasks.n_items; index++)
        print(tasks.get_item(index).get_string('title'));
});
store.execute('INSERT INTO tasks (title) VALUES (?), (?)',
    new GLib.Variant('(ss)', ['Call home', 'Bake bread']));
store.execute("UPDATE tasks SET title = 'Answer mail' WHERE title = ?",
    new GLib.Variant('(s)', ['Call home']));
