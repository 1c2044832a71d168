// What the models for Qt show, and what they report to views.
#include "qt_test.hpp"

#include <random>

using namespace fetchedresults;

// Work with Ask and Call, Home with Bake and Paint.
static Request by_list()
{
    return Request("tasks").section("list_id.title", FR_DESCENDING).sort("title");
}

static Request with_totals(Request request)
{
    request.total("tasks", FR_TOTAL_COUNT).total("last", FR_TOTAL_MAX, "title");
    return request;
}

TEST(a_tree_has_sections_with_rows)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, by_list());
    list.fetch();
    qt::TreeModel model(store, list, {"title"});
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "Work(Ask Call) Home(Bake Paint)");
    const QModelIndex call = model.index_of({1});
    CHECK(call.row() == 1 && call.parent() == model.index(0, 0) && !call.parent().parent().isValid());
    CHECK_EQUAL(model.object(call)->get<int>("id"), 1);
    CHECK(!model.object(call.parent()) && !model.index_of({9}).isValid());

    store.update("tasks", {1}, {{"title", "Answer"}});
    CHECK_EQUAL(mirror.check(), "move 1-1 data 0-0 ");
    store.update("tasks", {1}, {{"list_id", 2}});
    CHECK_EQUAL(mirror.check(), "move 0-0 data 0-0 ");
    CHECK_EQUAL(test::rows(model), "Work(Ask) Home(Answer Bake Paint)");
    store.remove("tasks", {2});
    CHECK_EQUAL(mirror.check(), "remove 0-0 remove 0-0 ");
    store.execute("UPDATE tasks SET title = title || '!'");
    CHECK_EQUAL(mirror.check(), "data 0-2 ");
}

TEST(a_list_has_the_rows_of_all_sections)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller list(store, by_list());
    list.fetch();
    qt::ListModel model(store, list, {"title"});
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "Ask Call Bake Paint");
    CHECK_EQUAL(model.index(2, 0).data(qt::section_role).toString().toStdString(), "Home");
    const QPersistentModelIndex bake(model.index_of({4}));
    store.execute_script("INSERT INTO tasks VALUES (5, 'Bet', 1), (6, 'Bid', 1)");
    CHECK_EQUAL(mirror.check(), "insert 1-2 ");
    CHECK_EQUAL(bake.row(), 4);
    store.update("tasks", {4}, {{"list_id", 1}});
    CHECK_EQUAL(mirror.check(), "move 4-4 data 1-1 ");
    CHECK_EQUAL(bake.row(), 1);
    store.remove("tasks", {4});
    CHECK(!bake.isValid());
}

TEST(sections_of_a_map_move_with_their_rows)
{
    test::watch_messages();
    Store store = test::tasks();
    store.execute("INSERT INTO lists VALUES (3, 'None', 3)");
    SectionMap map(store, Request("tasks").sort("title"), Request("lists").sort("position"), "list_id");
    map.fetch();
    qt::ModelOptions options;
    options.section_title = [](const QVariant &value, int count) { return QVariant(value.toInt() * 100 + count); };
    qt::TreeModel tree(store, map, {"title"}, options);
    qt::ListModel flat(store, map, {"title"});
    test::Mirror mirrors[] = {test::Mirror(tree), test::Mirror(flat)};
    CHECK_EQUAL(test::rows(tree), "202(Bake Paint) 102(Ask Call) 300()");
    store.execute("UPDATE lists SET position = 9 WHERE id = 2");
    CHECK_EQUAL(test::rows(tree), "102(Ask Call) 300() 202(Bake Paint)");
    CHECK_EQUAL(test::rows(flat), "Ask Call Bake Paint");
    store.insert("tasks", {{"title", "Sew"}, {"list_id", 3}});
    CHECK_EQUAL(test::rows(tree), "102(Ask Call) 301(Sew) 202(Bake Paint)");
    for (test::Mirror &mirror : mirrors) {
        CHECK(mirror.check().find("reset") == std::string::npos);
    }
}

TEST(a_model_of_groups_is_sorted_and_not_written)
{
    test::watch_messages();
    Store store = test::tasks();
    store.execute("INSERT INTO tasks VALUES (5, 'Read', 2)");
    Controller groups(store, Request("tasks")
                                 .predicate("id <> ?", {9})
                                 .group_by({"list_id"})
                                 .total("number", FR_TOTAL_COUNT)
                                 .total("title", FR_TOTAL_MIN, "title")
                                 .having("number > ?", {1}));
    groups.fetch();
    std::string failed;
    qt::ModelOptions options;
    options.on_error = [&](const Error &error) { failed += std::string(error.status_name()) + " "; };
    qt::ListModel model(store, groups, {}, options);
    test::Mirror mirror(model);
    CHECK_EQUAL(model.columnCount(), 3);
    CHECK_EQUAL(model.headerData(1, Qt::Horizontal).toString().toStdString(), "number");
    CHECK(model.index(0, 0).data(Qt::TextAlignmentRole).isValid());
    CHECK(model.index(0, 1).data(Qt::TextAlignmentRole).isValid());
    CHECK(!model.index(0, 2).data(Qt::TextAlignmentRole).isValid());
    CHECK_EQUAL(test::rows(model), "1 2");
    model.sort(1, Qt::DescendingOrder);
    CHECK_EQUAL(test::rows(model), "2 1");
    CHECK_EQUAL(groups.request().info().having_parameter_count, 1U);
    CHECK_EQUAL(model.index(0, 2).data().toString().toStdString(), "Bake");
    store.remove("tasks", {4});
    store.remove("tasks", {3});
    CHECK_EQUAL(test::rows(model), "1");
    mirror.check();
    qt::ListModel editable(store, groups, {qt::Column("title").editable()}, options);
    CHECK(!editable.setData(editable.index(0, 0), "x"));
    CHECK_EQUAL(failed, "FR_SCHEMA ");
    Statement written = store.prepare("SELECT 1 FROM tasks WHERE title = 'x'");
    CHECK(!written.step());
}

TEST(a_model_shows_a_collection_without_writing_to_it)
{
    test::watch_messages();
    Store store = test::tasks();
    Controller tasks(store, by_list()), lists(store, Request("lists").sort("title"));
    Collection all;
    all.append(tasks);
    all.append(lists);
    all.fetch();
    qt::ListModel model(all, {qt::Column("title").editable().checkable("id")});
    test::Mirror mirror(model);
    CHECK_EQUAL(test::rows(model), "Ask Call Bake Paint Home Work");
    CHECK(!(model.flags(model.index(0, 0)) & (Qt::ItemIsEditable | Qt::ItemIsUserCheckable)));
    CHECK(!model.setData(model.index(0, 0), "x"));
    model.sort(0, Qt::DescendingOrder);
    store.update("lists", {1}, {{"title", "Garden"}});
    CHECK_EQUAL(test::rows(model), "Bake Paint Ask Call Garden Home");
    mirror.check();
}

TEST(random_changes_are_reported_as_what_they_are)
{
    test::watch_messages();
    for (unsigned seed = 1; seed <= 12; seed++) {
        std::mt19937 random(seed);
        const auto number = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
        Store store = test::tasks();
        store.execute("INSERT INTO lists VALUES (3, 'None', 3), (4, 'Last', 4)");
        Controller list(store, with_totals(by_list()));
        SectionMap map(store, with_totals(Request("tasks").sort("title")), Request("lists").sort("position"),
                       "list_id");
        Collection both;
        both.append(list);
        both.append(map);
        both.fetch();
        std::vector<std::unique_ptr<qt::ItemModel>> models;
        for (const auto &[threshold, announces_moves] : {std::pair(1000, true), {1, true}, {1000, false}}) {
            const std::vector<qt::Column> columns = {"title", "id", qt::Column("list_id").checkable("title")};
            qt::ModelOptions options;
            options.reload_threshold = threshold;
            options.announces_moves = announces_moves;
            options.section_title = [](const QVariant &value, int count, const QVariantMap &totals) {
                return QVariant(value.toString() + QString::number(count) + totals["last"].toString());
            };
            models.push_back(std::make_unique<qt::TreeModel>(store, list, columns, options));
            models.push_back(std::make_unique<qt::ListModel>(store, map, columns, options));
            models.push_back(std::make_unique<qt::TreeModel>(store, map, columns, options));
            models.push_back(std::make_unique<qt::ListModel>(both, columns, options));
        }
        std::vector<std::unique_ptr<test::Mirror>> mirrors;
        for (const auto &model : models) {
            mirrors.push_back(std::make_unique<test::Mirror>(*model, mirrors.size() % 2 == 1));
        }
        for (int round = 0; round < 12; round++) {
            // Of the one that announces each step, and of the one that does so for one alone.
            std::vector<std::pair<QPersistentModelIndex, int>> marks[2];
            for (int row = 0; row < models[1]->rowCount(); row++) {
                for (const std::size_t i : {1, 5}) {
                    marks[i / 5].emplace_back(models[i]->index(row, 0), models[i]->index(row, 1).data().toInt());
                }
            }
            const bool is_order_alone = number(2) == 0;
            store.transaction([&] {
                for (int change = number(6); change >= 0; change--) {
                    const std::string title(1, static_cast<char>('a' + number(26)));
                    switch (is_order_alone ? 3 : number(5)) {
                    case 0:
                        store.insert("tasks", {{"title", title}, {"list_id", 1 + number(4)}});
                        break;
                    case 1:
                        store.execute("DELETE FROM tasks WHERE id = ?", {1 + number(20)});
                        break;
                    case 2:
                        store.execute("UPDATE tasks SET list_id = ? WHERE id = ?", {1 + number(4), 1 + number(20)});
                        break;
                    case 3:
                        store.execute("UPDATE tasks SET title = ? WHERE id = ?", {title, 1 + number(20)});
                        break;
                    default:
                        store.execute("UPDATE lists SET position = ? WHERE id = ?", {number(9), 1 + number(4)});
                    }
                }
            });
            for (std::size_t i = 0; i < models.size(); i++) {
                const std::string seen = " " + mirrors[i]->check();
                const bool was_reset = seen.find("reset") != std::string::npos;
                CHECK(!was_reset || (i / 4 == 1 && !is_order_alone));
                CHECK(i < 8 || seen.find(" move ") == std::string::npos);
                if (was_reset && i == 5) {
                    marks[1].clear();
                }
            }
            std::string shown;
            for (const Object row : map) {
                shown += (shown.empty() ? "" : " ") + row.get<std::string>("title");
            }
            CHECK_EQUAL(test::rows(*models[1]), shown);
            CHECK_EQUAL(test::rows(*models[5]), shown);
            CHECK_EQUAL(test::rows(*models[9]), shown);
            for (const auto &each : marks) {
                for (const auto &[mark, id] : each) {
                    CHECK(!mark.isValid() || mark.sibling(mark.row(), 1).data().toInt() == id);
                    CHECK(mark.isValid() || !map.index_path_of({id}));
                }
            }
        }
    }
}
