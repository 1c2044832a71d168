// The list models for GLib in gjs. It prints nothing if all is right.
imports.gi.versions.FrG = '1';
const { FrG, Gio, GLib } = imports.gi;

function expect(actual, expected) {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

function items(model) {
    return Array.from({ length: model.n_items }, (_, index) => model.get_item(index));
}

function titles(model) {
    return items(model).map(item => item.get_string('title'));
}

function code_of(action) {
    try {
        action();
    } catch (error) {
        return error.matches(FrG.store_error_quark(), error.code) ? error.code : error;
    }
    return null;
}

const path = GLib.build_filenamev([GLib.dir_make_tmp('frg-XXXXXX'), 'tasks.db']);
const store = FrG.Store.new(path, FrG.StoreFlags.QUEUED);
store.execute_script(`CREATE TABLE tasks (id INTEGER PRIMARY KEY, list TEXT, title TEXT, data);
    INSERT INTO tasks (list, title) VALUES ('home', 'bake'), ('work', 'call'), ('home', 'ask')`);
store.execute('UPDATE tasks SET data = ?', new GLib.Variant('(ay)', [[0, 255]]));

// A live list, whose changes arrive through the main loop.
const model = FrG.ListModel.new(store, new FrG.Request({ entity: 'tasks', sort: ['-title'] }));
const signals = [];
model.connect('items-changed', (_, ...change) => signals.push(change));
expect(titles(model), ['call', 'bake', 'ask']);
store.execute('INSERT INTO tasks (title) VALUES (?)', new GLib.Variant('(s)', ['bind']));
while (model.n_items < 4)
    GLib.MainContext.default().iteration(true);
expect(titles(model), ['call', 'bind', 'bake', 'ask']);
expect(signals, [[1, 0, 1]]);

// Values.
const item = model.get_item(0);
expect([item.get_value('id'), item.get_value('title'), item.get_int64('id')], [2, 'call', 2]);
expect([...item.get_bytes('data').toArray()], [0, 255]);
expect(model.get_item(1).get_value('list'), null);

// Sections, and another request.
const request = new FrG.Request({ entity: 'tasks', section: 'list', sort: ['title'] });
const sections = FrG.SectionList.new(store, request);
expect(items(sections).map(each => [each.section_name, titles(each)]),
    [[null, ['bind']], ['home', ['ask', 'bake']], ['work', ['call']]]);
request.predicate = 'list = :list';
request.parameters = new GLib.Variant('a{sv}', { list: new GLib.Variant('s', 'home') });
sections.set_request(request);
expect(sections.n_items, 1);

// Failures.
expect(code_of(() => store.execute('SELEKT', null)), FrG.StoreError.SQL);
expect(code_of(() => FrG.ListModel.new(store, new FrG.Request({ entity: 'none' }))), FrG.StoreError.SCHEMA);
store.close();
expect(code_of(() => store.begin()), FrG.StoreError.CLOSED);
Gio.File.new_for_path(path).delete(null);
GLib.rmdir(GLib.path_get_dirname(path));
