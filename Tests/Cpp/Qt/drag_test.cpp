// Rows that are dragged in views of the models for Qt: the positions that this writes.
#include "qt_test.hpp"

using namespace fetchedresults;

// Tasks a to c on the list 1, and d and e on the list 2, with the positions 1 to 5. Each update is
// counted.
static Store ordered()
{
    Store store(":memory:");
    store.execute_script("CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT);"
                         "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, position INTEGER,"
                         "                    list_id INTEGER REFERENCES lists);"
                         "INSERT INTO lists VALUES (1, 'Work'), (2, 'Home'), (3, 'None');"
                         "INSERT INTO tasks VALUES (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 1), (4, 'd', 4, 2),"
                         "                         (5, 'e', 5, 2);"
                         "CREATE TABLE updates (id INTEGER PRIMARY KEY);"
                         "CREATE TRIGGER counted AFTER UPDATE ON tasks BEGIN"
                         "    INSERT INTO updates VALUES (NULL); END");
    return store;
}

static qt::ModelOptions by_position()
{
    qt::ModelOptions options;
    options.position = "position";
    return options;
}

// The number of rows that were updated since the last call.
static int updates(Store &store)
{
    int count = 0;
    {
        Statement select = store.prepare("SELECT count(*) FROM updates");
        select.step();
        count = static_cast<int>(select[0].integer());
    }
    store.execute("DELETE FROM updates");
    return count;
}

static bool drop(qt::ItemModel &model, std::initializer_list<int> ids, int row, const QModelIndex &parent = {})
{
    QModelIndexList indexes;
    for (const int id : ids) {
        indexes.append(model.index_of({id}));
    }
    const std::unique_ptr<QMimeData> data(model.mimeData(indexes));
    const bool can_drop = model.canDropMimeData(data.get(), Qt::MoveAction, row, 0, parent);
    const bool is_done = model.dropMimeData(data.get(), Qt::MoveAction, row, 0, parent);
    CHECK_EQUAL(is_done, can_drop);
    return is_done;
}

TEST(a_drop_writes_as_few_positions_as_possible)
{
    test::watch_messages();
    Store store = ordered();
    Controller list(store, Request("tasks").sort("position"));
    list.fetch();
    qt::ListModel model(store, list, {"title"}, by_position());
    test::Mirror mirror(model);
    CHECK(model.flags(model.index(0, 0)) & Qt::ItemIsDragEnabled && model.flags({}) & Qt::ItemIsDropEnabled);
    CHECK(drop(model, {5}, 0));
    CHECK_EQUAL(test::rows(model), "e a b c d");
    CHECK_EQUAL(updates(store), 1);
    CHECK_EQUAL(mirror.check(), "move 4-4 ");
    CHECK(drop(model, {4, 1}, -1));
    CHECK_EQUAL(test::rows(model), "e b c a d");
    CHECK_EQUAL(updates(store), 2);
    CHECK(model.moveRows({}, 0, 3, {}, 5));
    CHECK_EQUAL(test::rows(model), "a d e b c");
    CHECK(drop(model, {1}, 0));
    updates(store);
    CHECK(drop(model, {2}, 4) && updates(store) == 0);
    CHECK(!model.moveRows({}, 3, 9, {}, 0) && !drop(model, {1}, 99) && !drop(model, {}, 0));
    model.sort(0, Qt::AscendingOrder);
    CHECK(!(model.flags(model.index(0, 0)) & Qt::ItemIsDragEnabled) && !drop(model, {1}, 3));
}

TEST(a_drop_in_another_section_writes_its_key)
{
    test::watch_messages();
    Store store = ordered();
    SectionMap map(store, Request("tasks").sort("position", FR_DESCENDING), Request("lists").sort("id"), "list_id");
    map.fetch();
    qt::TreeModel model(store, map, {"title"}, by_position());
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "1(c b a) 2(e d) 3()");
    CHECK(drop(model, {2}, 1, model.index(1, 0)));
    CHECK_EQUAL(test::rows(model), "1(c a) 2(e b d) 3()");
    // There is no room between 4 and 5.
    CHECK_EQUAL(updates(store), 2);
    CHECK(drop(model, {1, 5}, -1, model.index(2, 0)));
    CHECK_EQUAL(test::rows(model), "1(c) 2(b d) 3(a e)");
    CHECK(!drop(model, {1}, 0) && drop(model, {1}, 0, model.index_of({3})));
    CHECK_EQUAL(test::rows(model), "1(a c) 2(b d) 3(e)");
    mirror.check();

    Controller by_title(store, Request("tasks").section("list_id.title").sort("position"));
    by_title.fetch();
    qt::TreeModel titles(store, by_title, {"title"}, by_position());
    CHECK(!drop(titles, {1}, 0, titles.index(0, 0)));
}

TEST(a_drop_that_fails_changes_nothing)
{
    test::watch_messages();
    Store store = ordered();
    store.execute("CREATE TRIGGER no BEFORE UPDATE ON tasks WHEN OLD.id = 2 BEGIN SELECT RAISE(ABORT, 'no'); END");
    Controller list(store, Request("tasks").sort("position"));
    list.fetch();
    std::string failed;
    qt::ModelOptions options = by_position();
    options.on_error = [&](const Error &error) { failed = error.what(); };
    qt::ListModel model(store, list, {"title"}, options);
    const std::unique_ptr<QMimeData> data(model.mimeData({model.index(0, 0), model.index(1, 0)}));
    CHECK(!model.dropMimeData(data.get(), Qt::MoveAction, 5, 0, {}));
    CHECK_EQUAL(failed, "no");
    CHECK(!store.in_transaction());
    CHECK_EQUAL(test::rows(model), "a b c d e");
}

TEST(new_positions_ascend)
{
    using Numbers = std::vector<std::optional<double>>;
    const auto changed = [](const Numbers &numbers) {
        std::string text;
        for (const auto &[index, position] : qt::new_positions(numbers)) {
            text += std::to_string(index) + "=" + test::shown(position) + " ";
        }
        return text;
    };
    CHECK_EQUAL(changed({}), "");
    CHECK_EQUAL(changed({1, 2, 9}), "");
    CHECK_EQUAL(changed({10, 30, 20, 40}), "1=15 ");
    CHECK_EQUAL(changed({1.5, 3, 2}), "1=1.75 ");
    CHECK_EQUAL(changed({std::nullopt, std::nullopt}), "0=1 1=2 ");
    CHECK_EQUAL(changed({2, 3, 1, 4, 5}), "0=-1 1=0 ");
    CHECK_EQUAL(changed({1.5, std::nullopt, 1.5000000000000002}), "0=1 1=2 2=3 ");
}
