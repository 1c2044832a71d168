// What the user does in views of the models for Qt, and how long the models live.
#include "qt_test.hpp"

#include <QDate>
#include <QTemporaryDir>

using namespace fetchedresults;

static std::string header(const qt::ItemModel &model, int column)
{
    return model.headerData(column, Qt::Horizontal).toString().toStdString();
}

TEST(columns_are_those_of_the_request_unless_given)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller all(store, Request("tasks")), some(store, Request("tasks").columns({"title", "list_id.title"}));
    Controller select(store, Request::select("SELECT id, title AS name FROM tasks", {"id"}));
    for (Controller *list : {&all, &some, &select}) {
        list->fetch();
    }
    qt::ListModel models[] = {{store, all}, {store, some}, {store, select}};
    CHECK_EQUAL(header(models[0], 0) + header(models[0], 1) + header(models[0], 2), "idtitlelist_id");
    CHECK_EQUAL(header(models[1], 1), "list_id.title");
    CHECK_EQUAL(models[1].index(0, 1).data().toString().toStdString(), "Work");
    CHECK_EQUAL(header(models[2], 1), "name");
    CHECK_FAILS(qt::ListModel(all, {}), FR_MISUSE);

    const int right = Qt::AlignRight | Qt::AlignVCenter;
    CHECK_EQUAL(models[0].index(0, 0).data(Qt::TextAlignmentRole).toInt(), right);
    CHECK_EQUAL(models[0].headerData(2, Qt::Horizontal, Qt::TextAlignmentRole).toInt(), right);
    CHECK(!models[0].index(0, 1).data(Qt::TextAlignmentRole).isValid());
}

TEST(columns_are_roles_in_qml)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, Request("tasks").sort("title"));
    list.fetch();
    const auto length = [](const Object &task) { return QVariant(int(task.get<std::string>("title").size())); };
    qt::ListModel model(
        store, list,
        {qt::Column("title").title("Task").aligned(Qt::AlignHCenter).editable(), qt::Column("display", length)});
    const QHash<int, QByteArray> names = model.roleNames();
    CHECK(names[qt::section_role] == "section" && names[qt::first_column_role] == "title");
    CHECK(names[qt::first_column_role + 1] == "display" && !names.contains(Qt::DisplayRole));
    CHECK_EQUAL(header(model, 0) + header(model, 1), "Taskdisplay");
    CHECK_EQUAL(model.index(0, 0).data(Qt::TextAlignmentRole).toInt(), int(Qt::AlignHCenter));
    CHECK_EQUAL(model.index(0, 0).data(qt::first_column_role + 1).toInt(), 3);
    CHECK(model.setData(model.index(0, 1), "Act", qt::first_column_role));
    CHECK(!model.setData(model.index(0, 1), "Act", qt::first_column_role + 1));
    CHECK_EQUAL(test::rows(model), "Act Bake Call Paint");
}

TEST(edits_and_checks_are_updates)
{
    test::watch_messages();
    Store store = test::tasks();
    store.execute_script("ALTER TABLE tasks ADD COLUMN done INTEGER; CREATE UNIQUE INDEX titles ON tasks (title)");
    Controller list(store, Request("tasks").sort("title"));
    list.fetch();
    std::string failed;
    qt::ModelOptions options;
    options.on_error = [&](const Error &error) { failed += std::string(error.status_name()) + " "; };
    bool refuses = false;
    qt::ListModel model(store, list,
                        {qt::Column("title").editable().checkable("done"), qt::Column("done").checkable(),
                         qt::Column("id").editable([&](const Object &, const QVariant &) { return !refuses; })},
                        options);
    test::Mirror mirror(model);
    const QModelIndex ask = model.index_of({2});
    CHECK(model.flags(ask) & Qt::ItemIsEditable && model.flags(ask) & Qt::ItemIsUserCheckable);
    CHECK(!(model.flags(ask.siblingAtColumn(1)) & Qt::ItemIsEditable));
    CHECK(model.setData(ask, "Act") && store.object("tasks", {2})->get<std::string>("title") == "Act");
    CHECK(model.setData(ask, QDate(2026, 2, 1)));
    CHECK_EQUAL(store.object("tasks", {2})->get<std::string>("title"), "2026-02-01");
    CHECK_EQUAL(ask.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    CHECK(model.setData(ask, Qt::Checked, Qt::CheckStateRole));
    CHECK_EQUAL(ask.siblingAtColumn(1).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    CHECK(!ask.siblingAtColumn(1).data().isValid());
    CHECK(model.setData(ask, false, qt::first_column_role + 1));
    CHECK_EQUAL(store.object("tasks", {2})->get<int>("done"), 0);
    CHECK(!model.setData(ask, "Bake") && !model.setData(ask.siblingAtColumn(1), 5, Qt::UserRole + 99));
    CHECK_EQUAL(failed, "FR_CONSTRAINT ");
    CHECK(model.setData(ask.siblingAtColumn(2), 1));
    refuses = true;
    CHECK(!model.setData(ask.siblingAtColumn(2), 1));
    CHECK(!model.setItemData(ask, {{Qt::EditRole, QVariant()}}));
    mirror.check();
}

// Before: a table of three columns and a check box. Change: one column of a row. Expected: the
// cells that show it are reported, and no others, in which an editor may be open. A view that reads
// a role of another column, as QML does, or an object, is notified of the cell in which it has done
// so.
TEST(cells_are_reported_that_show_what_has_changed)
{
    test::watch_messages();
    Store store = test::tasks();
    store.execute_script("ALTER TABLE tasks ADD COLUMN done INTEGER; ALTER TABLE tasks ADD COLUMN note TEXT");
    Controller list(store, Request("tasks").sort("id"));
    list.fetch();
    qt::ListModel model(store, list, {qt::Column("title").checkable("done"), "note", "list_id", "id"});
    test::Mirror mirror(model);
    store.update("tasks", {2}, {{"title", "Act"}});
    CHECK_EQUAL(mirror.check(), "data 1-1 in 0-0 ");
    store.update("tasks", {2}, {{"done", 1}, {"list_id", 2}});
    CHECK_EQUAL(mirror.check(), "data 1-1 in 0-0 data 1-1 in 2-2 ");
    store.execute("UPDATE tasks SET note = 'a' WHERE id = 1");
    store.execute("UPDATE tasks SET note = 'b', list_id = 1 WHERE id IN (3, 4)");
    CHECK_EQUAL(mirror.check(), "data 0-0 in 1-1 data 2-3 in 1-2 ");

    CHECK_EQUAL(model.index(0, 0).data(qt::first_column_role + 1).toString().toStdString(), "a");
    store.update("tasks", {1}, {{"note", "c"}});
    CHECK_EQUAL(mirror.check(), "data 0-0 in 0-1 ");
    CHECK(model.object(model.index(0, 3)));
    store.update("tasks", {1}, {{"note", "d"}});
    CHECK_EQUAL(mirror.check(), "data 0-0 in 0-1 data 0-0 in 3-3 ");

    qt::ListModel functions(store, list,
                            {"id", qt::Column("x", [](const Object &task) { return qt::to_variant(task["note"]); })});
    test::Mirror other(functions);
    store.update("tasks", {1}, {{"note", "e"}});
    CHECK_EQUAL(other.check(), "data 0-0 in 1-1 ");

    Controller paths(store, Request("tasks").columns({"title", "list_id.title"}).sort("id"));
    paths.fetch();
    qt::ListModel named(store, paths);
    test::Mirror third(named);
    store.update("lists", {2}, {{"title", "House"}});
    CHECK_EQUAL(third.check(), "data 1-1 in 1-1 ");
}

TEST(totals_are_roles_of_sections_and_data_of_the_header)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, Request("tasks").section("list_id").sort("id").total("tasks", FR_TOTAL_COUNT));
    list.fetch();
    qt::ModelOptions options;
    options.section_title = [](const QVariant &list_id, int, const QVariantMap &totals) {
        return QVariant(list_id.toString() + ": " + totals["tasks"].toString());
    };
    qt::TreeModel model(store, list, {"title", "id"}, options);
    qt::ListModel rows(store, list, {"title", "id"});
    std::string reported;
    QObject::connect(&rows, &QAbstractItemModel::dataChanged, [&](const QModelIndex &first, const QModelIndex &last) {
        reported += std::to_string(first.row()) + "-" + std::to_string(last.row()) + " ";
    });
    QObject::connect(&rows, &QAbstractItemModel::headerDataChanged, [&] { reported += "header "; });
    const auto shown = [](const QModelIndex &index) { return index.data(qt::totals_role).toMap()["tasks"].toInt(); };
    const QModelIndex section = model.index(0, 0);
    CHECK_EQUAL(section.data().toString().toStdString(), "1: 2");
    CHECK(shown(section) == 2 && shown(model.index(0, 0, section)) == 2);
    CHECK_EQUAL(rows.totals()["tasks"].toInt(), 4);
    CHECK_EQUAL(rows.headerData(1, Qt::Vertical, qt::totals_role).toMap()["tasks"].toInt(), 4);
    CHECK_EQUAL(rows.roleNames()[qt::totals_role].toStdString(), "sectionTotals");

    // No row was asked for its section, so none is reported for it.
    store.execute("INSERT INTO tasks (id, title, list_id) VALUES (9, 'New', 1)");
    CHECK_EQUAL(reported, "header ");
    CHECK_EQUAL(section.data().toString().toStdString(), "1: 3");
    CHECK_EQUAL(shown(rows.index(0, 0)), 3);
    reported.clear();
    store.execute("DELETE FROM tasks WHERE id = 9");
    CHECK_EQUAL(reported, "0-1 header ");
    reported.clear();
    rows.close();
    CHECK_EQUAL(reported, "header ");
    CHECK(rows.totals().isEmpty());

    // A collection has the totals that all its lists have.
    Controller flat(store, Request("tasks").total("tasks", FR_TOTAL_COUNT).total("last", FR_TOTAL_MAX, "id"));
    Collection both;
    both.append(list);
    both.append(flat);
    both.fetch();
    qt::TreeModel collected(both, {"title"});
    QObject::connect(&collected, &QAbstractItemModel::dataChanged, [&](const QModelIndex &first) {
        reported += first.parent().isValid() ? "row " : std::to_string(first.row()) + " ";
    });
    QObject::connect(&collected, &QAbstractItemModel::headerDataChanged, [&] { reported += "header "; });
    CHECK(collected.totals() == (QVariantMap{{"tasks", 8}}));
    CHECK(shown(collected.index(0, 0)) == 2 && shown(collected.index(2, 0)) == 4);
    reported.clear();
    store.execute("INSERT INTO tasks (id, title, list_id) VALUES (9, 'New', 1)");
    CHECK_EQUAL(reported, "0 2 header ");
    CHECK_EQUAL(collected.totals()["tasks"].toInt(), 10);
    CHECK_EQUAL(collected.index(2, 0).data(qt::totals_role).toMap()["last"].toString().toStdString(), "9");
}

// Before: another connection is in a transaction that writes, and the store would wait a minute for
// it. Change: the user edits, checks and drags. Expected: each fails with FR_BUSY, and the store
// waits a minute again.
TEST(an_edit_does_not_wait_long_for_a_lock)
{
    test::watch_messages();
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.db").toStdString();
    StoreOptions options;
    options.busy_timeout = std::chrono::minutes(1);
    Store store(path, options), other(path, options);
    store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, position REAL, done INTEGER);"
                         "INSERT INTO tasks (title, position) VALUES ('Ask', 1), ('Bake', 2)");
    Controller list(store, Request("tasks").sort("position"));
    list.fetch();
    const auto busy_timeout = [&] {
        Statement pragma = store.prepare("PRAGMA busy_timeout");
        return pragma.step() ? pragma[0].integer() : -1;
    };
    std::string failed;
    std::int64_t waits = 0;
    qt::ModelOptions model_options;
    model_options.position = "position";
    model_options.edit_timeout = std::chrono::milliseconds(1);
    model_options.on_error = [&](const Error &error) { failed += std::string(error.status_name()) + " "; };
    qt::ListModel model(store, list,
                        {qt::Column("title").editable().checkable("done"),
                         qt::Column("id").editable([&](const Object &, const QVariant &) {
                             waits = busy_timeout();
                             return true;
                         })},
                        model_options);
    other.begin();
    CHECK(!model.setData(model.index(0, 0), "x"));
    CHECK(!model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole));
    CHECK(!model.moveRows({}, 0, 1, {}, 2));
    CHECK_EQUAL(failed, "FR_BUSY FR_BUSY FR_BUSY ");
    CHECK(model.setData(model.index(0, 1), 5));
    CHECK_EQUAL(waits, 1);
    CHECK_EQUAL(busy_timeout(), 60000);
    other.rollback();
    CHECK(model.setData(model.index(0, 0), "x"));
    CHECK_EQUAL(test::rows(model), "x Bake");
}

TEST(a_click_on_a_header_sorts_the_list)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, Request("tasks").predicate("id < ?1", {9}).section("list_id").sort("title"));
    list.fetch();
    std::string failed;
    qt::ModelOptions options;
    options.on_error = [&](const Error &error) { failed = error.status_name(); };
    qt::TreeModel model(store, list, {"title", "id", qt::Column("x", [](const Object &) { return QVariant(1); }), "no"},
                        options);
    test::Mirror mirror(model);
    const QPersistentModelIndex call(model.index_of({1}).siblingAtColumn(1));
    CHECK_EQUAL(test::rows(model), "1(Ask Call) 2(Bake Paint)");
    model.sort(0, Qt::DescendingOrder);
    CHECK_EQUAL(mirror.check(), "layout ");
    CHECK_EQUAL(test::rows(model), "1(Call Ask) 2(Paint Bake)");
    CHECK(call.row() == 0 && call.data().toInt() == 1);
    model.sort(1, Qt::AscendingOrder);
    CHECK_EQUAL(test::rows(model), "1(Call Ask) 2(Paint Bake)");
    model.sort(2, Qt::AscendingOrder);
    model.sort(-1);
    CHECK_EQUAL(test::rows(model), "1(Ask Call) 2(Bake Paint)");
    CHECK_EQUAL(qt::orders_of(list.request()).size(), std::size_t(1));
    model.sort(3, Qt::AscendingOrder);
    CHECK_EQUAL(failed, "FR_SCHEMA");
    mirror.check();
}

TEST(requests_in_another_order_are_the_same_otherwise)
{
    Store store = test::tasks();
    Request request("tasks");
    request.predicate_named("title <> :no AND id < :end", {{"no", "Call"}, {"end", 4}});
    request.section("list_id", FR_DESCENDING).sort("title").columns({"id", "title"}).limit(5, 1).batch_size(7);
    Controller list(store, qt::in_order(request, {{"title", FR_DESCENDING, "NOCASE"}}));
    list.fetch();
    CHECK_EQUAL(list.size(), 1);
    CHECK_EQUAL(list[0].column_count(), 2);
    const Request made = list.request();
    CHECK(qt::orders_of(made) == (std::vector<qt::Order>{{"title", FR_DESCENDING, "NOCASE"}}));
    CHECK_EQUAL(list.section(0).value().integer(), 1);
}

TEST(long_change_sets_are_one_signal)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, Request("tasks").sort("title"));
    list.fetch();
    qt::ModelOptions options;
    options.reload_threshold = 1;
    qt::ListModel model(store, list, {"title"}, options);
    test::Mirror mirror(model);
    store.execute("INSERT INTO tasks (title) VALUES ('Q1'), ('Q2'), ('Q3')");
    CHECK_EQUAL(mirror.check(), "insert 4-6 ");
    const QPersistentModelIndex bake(model.index_of({4}));
    store.execute("UPDATE tasks SET title = 'Z' || title WHERE id IN (2, 4)");
    CHECK_EQUAL(mirror.check(), "layout data 5-6 ");
    CHECK_EQUAL(bake.row(), 6);
    store.execute("DELETE FROM tasks WHERE title IN ('Q1', 'Q3')");
    CHECK_EQUAL(mirror.check(), "reset ");
    CHECK_EQUAL(test::rows(model), "Call Paint Q2 ZAsk ZBake");
}

TEST(a_slot_may_ask_any_model)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller work(store, Request("tasks").predicate("list_id = 1").sort("title"));
    Controller home(store, Request("tasks").predicate("list_id = 2").sort("title"));
    work.fetch();
    home.fetch();
    qt::ListModel models[] = {{store, work, {"title"}}, {store, home, {"title"}}};
    std::string seen;
    for (qt::ListModel &model : models) {
        const auto ask = [&] { seen += test::rows(models[0]) + ";" + test::rows(models[1]) + "\n"; };
        QObject::connect(&model, &QAbstractItemModel::rowsRemoved, &model, ask);
        QObject::connect(&model, &QAbstractItemModel::rowsInserted, &model, ask);
    }
    store.update("tasks", {1}, {{"list_id", 2}});
    CHECK(seen == "Ask;Bake Paint\nAsk;Bake Call Paint\n" || seen == "Ask Call;Bake Call Paint\nAsk;Bake Call Paint\n");
}

TEST(a_model_continues_without_its_list)
{
    test::watch_messages();
    Store store = test::tasks();
    auto list = std::make_unique<Controller>(store, Request("tasks").section("list_id").sort("title"));
    list->fetch();
    auto deleted = std::make_unique<qt::ListModel>(store, *list, std::vector<qt::Column>{"title"});
    qt::TreeModel model(store, *list, {"title"}), closed(store, *list, {"title"});
    test::Mirror mirror(model);
    QObject::connect(&model, &QAbstractItemModel::rowsRemoved, &model, [&] { deleted.reset(); });
    store.remove("tasks", {1});
    CHECK(!deleted);
    closed.close();
    store.remove("tasks", {2});
    CHECK(closed.rowCount() == 0 && model.rowCount() == 1);
    mirror.check();
    list.reset();
    const QModelIndex row = model.index(0, 0, model.index(0, 0));
    CHECK(row.isValid() && !row.data().isValid() && !row.parent().data().isValid() && !model.setData(row, "x"));
    CHECK(!model.index_of({3}).isValid());
    model.reload();
    CHECK_EQUAL(model.rowCount(), 0);
}

TEST(rows_that_could_not_be_read_are_reported)
{
    test::watch_messages();
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.db").toStdString();
    StoreOptions options;
    options.journal_mode = "delete";
    Store store(path, options), other(path, options);
    store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT);"
                         "INSERT INTO tasks (title) VALUES ('Ask'), ('Bake'), ('Call'), ('Paint')");
    Controller list(store, Request("tasks").batch_size(1));
    list.set_row_cache_size(1);
    list.fetch();
    auto deleted = std::make_unique<qt::ListModel>(store, list, std::vector<qt::Column>{"title"});
    qt::ListModel model(store, list, {"title"});
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "Ask Bake Call Paint");
    other.execute("UPDATE tasks SET title = upper(title)");
    CHECK(!model.index(0, 0).data().isValid() && !deleted->index(0, 0).data().isValid());
    deleted.reset();
    store.dispatch();
    mirror.check();
    CHECK_EQUAL(test::rows(model), "ASK BAKE CALL PAINT");
    other.execute("CREATE TABLE unrelated (x)");
    CHECK(!model.index(1, 0).data().isValid() && !model.index(1, 0).data().isValid());
    store.dispatch();
    CHECK_EQUAL(mirror.check(), "data 1-1 ");
}

// Before: a collection of the lists of two files, one row of which can't be read. Change: that
// file's store dispatches. Expected: the row is reported.
TEST(rows_of_a_collection_that_could_not_be_read_are_reported)
{
    test::watch_messages();
    QTemporaryDir folder;
    StoreOptions options;
    options.journal_mode = "delete";
    const std::string path = folder.filePath("a.db").toStdString();
    Store store(path, options), other(path, options), third(folder.filePath("b.db").toStdString(), options);
    for (Store *each : {&store, &third}) {
        each->execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT);"
                             "INSERT INTO tasks (title) VALUES ('Ask'), ('Bake')");
    }
    Controller list(store, Request("tasks").batch_size(1)), second(third, Request("tasks"));
    list.set_row_cache_size(1);
    Collection all;
    all.append(list);
    all.append(second);
    all.fetch();
    qt::ListModel model(all, {"title"});
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "Ask Bake Ask Bake");
    other.execute("CREATE TABLE unrelated (x)");
    CHECK(!model.index(0, 0).data().isValid());
    store.dispatch();
    CHECK_EQUAL(mirror.check(), "data 0-0 ");
    CHECK_EQUAL(test::rows(model), "Ask Bake Ask Bake");
}

TEST(a_dispatcher_delivers_in_the_loop_of_qt)
{
    test::watch_messages();
    int arguments = 0;
    QCoreApplication application(arguments, nullptr);
    StoreOptions options;
    options.flags = FR_STORE_QUEUED;
    Store store(":memory:", options);
    store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)");
    Controller list(store, Request("tasks"));
    list.fetch();
    qt::ListModel model(store, list, {"title"});
    std::string failed;
    qt::Dispatcher dispatcher(store, [&](const Error &error) { failed = error.what(); });
    store.insert("tasks", {{"title", "Sew"}});
    CHECK_EQUAL(model.rowCount(), 0);
    QCoreApplication::processEvents(QEventLoop::AllEvents);
    CHECK_EQUAL(test::rows(model), "Sew");
    const Observation observation = list.observe([](const ChangeSet &) { throw Error(FR_BUSY, "later"); });
    store.insert("tasks", {{"title", "Knit"}});
    QCoreApplication::processEvents(QEventLoop::AllEvents);
    CHECK_EQUAL(failed, "later");
}
