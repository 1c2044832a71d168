// The models for Qt of windows.
#include "qt_test.hpp"

using namespace fetchedresults;

// Letters a to z, in sections of five: a-e, f-j, ...
static Store letters()
{
    Store store(":memory:");
    store.execute_script("CREATE TABLE letters (id INTEGER PRIMARY KEY, name TEXT UNIQUE, part INTEGER, done INTEGER);"
                         "WITH n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 25)"
                         " INSERT INTO letters SELECT i, char(97 + i), i / 5, 0 FROM n");
    return store;
}

// Before: a window of d, e, f and g. Change: one row outside of it, and one inside. Expected: the
// models show the window, and change with it alone; a model of the list changes each time.
TEST(a_model_shows_a_window)
{
    test::watch_messages();
    Store store = letters();
    Controller list(store, Request("letters").sort("name").section("part"));
    list.fetch();
    Window window(list, 4, 1, 2);
    qt::ListModel rows(store, list, window, {"name"}), whole(store, list, {"name"});
    qt::TreeModel tree(store, list, window, {"name"});
    CHECK_EQUAL(test::rows(rows), "d e f g");
    CHECK_EQUAL(test::rows(tree), "0(d e) 1(f g)");
    store.execute("DELETE FROM letters WHERE name = 'a'");
    CHECK_EQUAL(test::rows(rows), "d e f g");
    CHECK_EQUAL(whole.rowCount(), 25);
    const QPersistentModelIndex f = rows.index_of({5});
    store.execute("DELETE FROM letters WHERE name = 'e'");
    CHECK_EQUAL(test::rows(tree), "0(d) 1(f g h)");
    window.resize(2, 0);
    CHECK_EQUAL(test::rows(rows), "c d f");
    CHECK_EQUAL(f.data().toString().toStdString(), "f");
    CHECK(!rows.index_of({9}).isValid());
}

TEST(a_window_grows_as_far_as_its_list_goes)
{
    test::watch_messages();
    Store store = letters();
    Controller list(store, Request("letters").sort("name").section("part"));
    list.fetch();
    Window first(list, 0, 0, 1), second(list, 0, 0, 1);
    qt::ListModel rows(store, list, first, {"name"}), whole(store, list, {"name"});
    qt::TreeModel tree(ListRef(second), {"name"});
    for (qt::ItemModel *model : {static_cast<qt::ItemModel *>(&rows), static_cast<qt::ItemModel *>(&tree)}) {
        CHECK(model->canFetchMore({}) && !model->canFetchMore(model->index(0, 0, {})));
        model->fetchMore(model->index(0, 0, {}));
    }
    CHECK_EQUAL(test::rows(rows), "a b");
    {
        // A view in QML, which asks for the names of the roles, gets more when it has read all.
        Window third(list, 0, 0, 1);
        qt::ListModel in_qml(ListRef(third), {"name"});
        in_qml.roleNames();
        CHECK(!in_qml.canFetchMore({}));
        CHECK(in_qml.object(in_qml.index(1, 0)) && in_qml.canFetchMore({}));
    }
    {
        // Qt's checks of a model fetch more.
        test::Mirror mirror(rows), of_tree(tree);
        CHECK_EQUAL(rows.rowCount(), 26);
        CHECK_EQUAL(tree.rowCount(), 6);
        CHECK(!rows.canFetchMore({}) && !tree.canFetchMore({}));
        store.execute("INSERT INTO letters VALUES (99, 'zz', 5, 0)");
        mirror.check();
        of_tree.check();
    }
    CHECK_EQUAL(rows.rowCount(), 27);
    CHECK(!whole.canFetchMore({}));
    first.resize(0, 1);
    rows.close();
    CHECK(!rows.canFetchMore({}));
}

TEST(a_window_is_edited_and_sorted_as_its_list)
{
    test::watch_messages();
    Store store = letters();
    Controller list(store, Request("letters").sort("name"));
    list.fetch();
    Window window(list, 4, 1, 1);
    std::string failed;
    qt::ModelOptions options;
    options.on_error = [&](const Error &error) { failed += std::string(error.status_name()) + " "; };
    options.position = "id";
    qt::ListModel model(store, list, window, {qt::Column("name").editable(), qt::Column("done").checkable()}, options);
    CHECK(model.setData(model.index(0, 0), "dd"));
    CHECK(model.setData(model.index(1, 1), Qt::Checked, Qt::CheckStateRole));
    CHECK_EQUAL(store.object("letters", {4})->get<int>("done"), 1);
    CHECK(!model.setData(model.index(0, 0), "a"));
    CHECK_EQUAL(failed, "FR_CONSTRAINT ");
    CHECK_EQUAL(test::rows(model), "dd e f");
    model.sort(0, Qt::DescendingOrder);
    CHECK_EQUAL(test::rows(model), "f e dd");
    CHECK_EQUAL(list[0].get<std::string>("name"), "z");
    model.sort(-1);
    CHECK_EQUAL(test::rows(model), "dd e f");
    // A window does not have the positions around its rows.
    CHECK(!(model.flags(model.index(0, 0)) & Qt::ItemIsDragEnabled));
}

// A model whose window is freed shows what it did, without data.
TEST(a_model_outlives_its_window)
{
    test::watch_messages();
    Store store = letters();
    Controller list(store, Request("letters").sort("name"));
    list.fetch();
    auto window = std::make_unique<Window>(list, 4, 1, 1);
    qt::ListModel model(store, list, *window, {"name"});
    window.reset();
    CHECK(!model.canFetchMore({}));
    model.fetchMore({});
    CHECK(!model.index(0, 0).data().isValid());
    model.close();
    CHECK_EQUAL(model.rowCount(), 0);
}
