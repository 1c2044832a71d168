// Models for Qt below proxy models.
#include "qt_test.hpp"

#include <QConcatenateTablesProxyModel>
#include <QSortFilterProxyModel>

using namespace fetchedresults;

// `count` tasks with the ranks 0, 1, 2, ..., by rank. Their numbers are in another order.
static Store ranked_tasks(int count)
{
    Store store(":memory:");
    store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, rank REAL, number INTEGER)");
    store.execute("WITH RECURSIVE counted(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i + 1 < ?)"
                  " INSERT INTO tasks SELECT i + 1, i, i * 7919 % 10007 FROM counted",
                  {count});
    return store;
}

// Before: a proxy sorts 2,000 rows by a column. Change: one row moves in the list. Expected: the
// proxy reads a few rows to find its place, and not all rows to sort them.
TEST(a_proxy_does_not_sort_again_when_a_row_moves)
{
    test::watch_messages();
    Store store = ranked_tasks(2000);
    Controller list(store, Request("tasks").sort("rank"));
    list.fetch();
    int reads = 0;
    const qt::Column number("number", [&](const Object &task) {
        reads++;
        return qt::to_variant(task["number"]);
    });
    qt::ModelOptions options;
    options.announces_moves = false;
    qt::ListModel model(store, list, {number}, options);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.sort(0);
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Warning);
    CHECK(reads > 10000);
    reads = 0;
    store.update("tasks", {1}, {{"rank", 1000.5}});
    CHECK(reads > 0 && reads < 200);
    CHECK_EQUAL(model.object(model.index(1000, 0))->get<int>("id"), 1);
    CHECK_EQUAL(proxy.rowCount(), 2000);
    for (int row = 1; row < proxy.rowCount(); row++) {
        CHECK(proxy.index(row - 1, 0).data().toInt() <= proxy.index(row, 0).data().toInt());
    }
}

// Before: a proxy, which ignores moves, shows two tables one below the other. Change: rows move in
// the list, one by one, and all together. Expected: the proxy shows the rows in the new order.
TEST(a_proxy_that_ignores_moves_shows_the_new_order)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller tasks(store, Request("tasks").sort("title")), lists(store, Request("lists").sort("title"));
    SectionMap map(store, Request("tasks").sort("title"), Request("lists").sort("position"), "list_id");
    tasks.fetch();
    lists.fetch();
    map.fetch();
    qt::ModelOptions options;
    options.announces_moves = false;
    qt::ListModel first(store, tasks, {"title"}, options), second(store, lists, {"title"}, options);
    qt::ListModel third(store, map, {"title"}, options);
    QConcatenateTablesProxyModel proxy;
    for (qt::ListModel *each : {&first, &second, &third}) {
        proxy.addSourceModel(each);
    }
    const auto shown = [&] {
        std::string text;
        for (int row = 0; row < proxy.rowCount(); row++) {
            text += (row > 0 ? " " : "") + proxy.index(row, 0).data().toString().toStdString();
        }
        return text;
    };
    const QPersistentModelIndex bake(proxy.index(1, 0));
    CHECK_EQUAL(shown(), "Ask Bake Call Paint Home Work Bake Paint Ask Call");
    store.update("tasks", {2}, {{"title", "Repair"}});
    CHECK_EQUAL(shown(), "Bake Call Paint Repair Home Work Bake Paint Call Repair");
    CHECK_EQUAL(bake.row(), 0);
    // A section moves with its rows.
    store.execute("UPDATE lists SET position = 9 WHERE id = 2");
    CHECK_EQUAL(shown(), "Bake Call Paint Repair Home Work Call Repair Bake Paint");
    first.sort(0, Qt::DescendingOrder);
    CHECK_EQUAL(shown(), "Repair Paint Call Bake Home Work Call Repair Bake Paint");
    CHECK_EQUAL(bake.row(), 3);
}

// Before: the list caches a few rows, as for a view. Change: a proxy that sorts reads rows anywhere
// in the list. Expected: the list caches all rows, unless the program has set a size.
TEST(the_cache_of_rows_adapts_to_a_proxy_that_sorts)
{
    test::watch_messages();
    Store store = ranked_tasks(3000);
    Controller by_view(store, Request("tasks").sort("rank")), by_proxy(store, Request("tasks").sort("rank"));
    Controller limited(store, Request("tasks").sort("rank"));
    limited.set_row_cache_size(100);
    const auto cached = [](const Controller &list) {
        std::int64_t rows = 0;
        CHECK_EQUAL(fr_controller_row_cache_size(&rows, list.handle()), FR_OK);
        return rows;
    };
    std::vector<std::unique_ptr<qt::ListModel>> models;
    for (Controller *list : {&by_view, &by_proxy, &limited}) {
        list->fetch();
        models.push_back(std::make_unique<qt::ListModel>(store, *list, std::vector<qt::Column>{"number"}));
    }
    for (int round = 0; round < 3; round++) {
        for (int row = 0; row < models[0]->rowCount(); row++) {
            models[0]->index(row, 0).data();
        }
    }
    QSortFilterProxyModel proxies[2];
    for (int i = 0; i < 2; i++) {
        proxies[i].setSourceModel(models[static_cast<std::size_t>(i) + 1].get());
        proxies[i].sort(0);
    }
    CHECK_EQUAL(cached(by_view), 1000);
    CHECK_EQUAL(cached(by_proxy), 3000);
    CHECK_EQUAL(cached(limited), 100);
}
