// Coordinators, data sources and entity lists.
#include "test.hpp"

#include <fetchedresults/views.hpp>

#include <type_traits>

using namespace fetchedresults;

static_assert(!std::is_copy_constructible_v<Coordinator> && std::is_move_constructible_v<Coordinator>);

TEST(a_coordinator_keeps_a_view_up_to_date)
{
    Store store = test::tasks();
    Controller list(store, Request("tasks").section("list_id").sort("title"));
    std::string news;
    View view;
    view.reload = [&] { news += "reload "; };
    view.begin = [&] { news += "begin "; };
    view.delete_sections = [&](auto sections) { news += "-" + test::shown(sections[0]) + " "; };
    view.insert_sections = [&](auto sections) { news += "+" + test::shown(sections[0]) + " "; };
    view.delete_rows = [&](auto rows) { news += "-" + test::shown(rows.size()) + " rows "; };
    view.insert_rows = [&](auto rows) { news += "+" + test::shown(rows.size()) + " rows "; };
    view.end = [&] { news += "end "; };
    view.update_cell = [&](IndexPath, const Object &task) { news += task.get<std::string>("title") + " "; };
    view.count_changed = [&](std::int64_t count) { news += test::shown(count) + " "; };
    Coordinator coordinator(list, view);
    coordinator.load_data();
    CHECK_EQUAL(news, "reload 4 ");
    news.clear();
    store.transaction([&] {
        store.execute("DELETE FROM tasks WHERE list_id = 1");
        store.execute("UPDATE tasks SET title = 'Paint it' WHERE id = 3");
        store.execute("INSERT INTO tasks VALUES (5, 'Water', 2)");
    });
    CHECK_EQUAL(news, "begin -0 +1 rows end Paint it 3 ");
    news.clear();
    coordinator.set_paused(true);
    store.execute("DELETE FROM tasks");
    CHECK_EQUAL(news, "");
    CHECK(coordinator.is_paused() && coordinator.is_loaded() && coordinator.list().handle() == list.handle());
    coordinator.set_paused(false);
    CHECK_EQUAL(news, "reload 0 ");
}

TEST(what_a_view_throws_is_thrown_by_the_call)
{
    Store store = test::tasks();
    Controller list(store, Request("tasks"));
    View view;
    view.reload = [] { throw std::logic_error("no view"); };
    Coordinator coordinator(list, view);
    try {
        coordinator.load_data();
        CHECK(false);
    } catch (const std::logic_error &thrown) {
        CHECK_EQUAL(std::string(thrown.what()), "no view");
    }
}

TEST(a_data_source_takes_and_configures_cells)
{
    struct Cell {
        std::string text;
    };
    Store store = test::tasks();
    Controller list(store, Request("tasks").section("list_id").sort("title"));
    list.fetch();
    Cell cell;
    Cells<Cell> cells;
    cells.reuse_identifier = [](const Object &task, IndexPath) { return "kind " + task.get<std::string>("title"); };
    cells.dequeue = [&](std::string_view identifier, IndexPath) {
        cell.text = std::string(identifier) + ": ";
        return &cell;
    };
    cells.visible_cell = [&](IndexPath path) { return path == IndexPath(0, 0) ? &cell : nullptr; };
    cells.configure = [](Cell &shown, const Object *task, IndexPath) {
        shown.text += task != nullptr ? task->get<std::string>("title") : "none";
    };
    DataSource<Cell> source(list, cells);
    source.set_system_headers(true);
    source.set_table_index(true);
    CHECK(source.section_count() == 2 && source.row_count(1) == 2);
    CHECK_EQUAL(source.section_title(1).value_or(""), "2");
    source.set_section_title_format("{name}: {count}");
    CHECK_EQUAL(source.section_title(1).value_or(""), "2: 2");
    source.set_section_title_format(std::nullopt);
    CHECK_EQUAL(source.index_titles().size(), std::size_t(2));
    CHECK_EQUAL(source.cell({0, 0})->text, "kind Ask: Ask");
    const Object ask = *source.object_at({0, 0});
    source.update_visible_cell({0, 0}, ask);
    source.update_visible_cell({0, 1}, ask);
    CHECK_EQUAL(cell.text, "kind Ask: AskAsk");

    const std::vector<Object> selected = source.selected_objects({{1, 1}, {0, 0}, {9, 9}});
    CHECK_EQUAL(selected.size(), std::size_t(2));
    store.execute("DELETE FROM tasks WHERE id = 2");
    const auto paths = source.select_objects(selected);
    CHECK(paths[0] == IndexPath(1, 1) && !paths[1]);

    DataSource<Cell> picker = DataSource<Cell>::picker(list, true, cells);
    CHECK(picker.section_count() == 1 && picker.row_count(0) == 4 && !picker.object_at({0, 0}));
    CHECK_EQUAL(picker.object_at({0, 1})->get<std::string>("title"), "Call");
    DataSource<Cell> array = DataSource<Cell>::array(selected);
    CHECK(array.row_count(0) == 2 && array.index_path_of(selected[1]) == IndexPath(0, 1));

    cells.dequeue = [](std::string_view, IndexPath) -> Cell * { throw 5; };
    DataSource<Cell> throwing(list, cells);
    try {
        throwing.cell({0, 0});
        CHECK(false);
    } catch (int thrown) {
        CHECK_EQUAL(thrown, 5);
    }
}

TEST(an_entity_list_needs_a_name_and_an_order)
{
    Store store = test::tasks();
    Entity entity;
    entity.entity = "tasks";
    entity.sorts = {{"title", FR_DESCENDING}};
    int reloads = 0;
    View view;
    view.reload = [&] { reloads++; };
    EntityList list(entity, view);
    CHECK(!list.list());
    list.set_store(store);
    CHECK_EQUAL((*list.list())[0].get<std::string>("title"), "Paint");
    const Object zoo = *list.add_item({{"title", "Zoo"}});
    CHECK(list.list()->index_path_of(zoo) == IndexPath(0, 0));
    list.delete_item({0, 0});
    CHECK_EQUAL(list.list()->size(), 4);
    CHECK_EQUAL(reloads, 3);
    list.remove_store();
    CHECK(!list.list());
}

TEST(edits_of_an_entity_list_are_sent_elsewhere)
{
    Store store = test::tasks();
    EntityList *shown = nullptr;
    Entity entity;
    entity.entity = "tasks";
    entity.sorts = {{"title", 0}};
    std::string sent;
    entity.add_item = [&](const NamedValues &values) -> std::optional<Object> {
        sent += values.names()[0];
        return std::nullopt;
    };
    entity.delete_item = [&](const Object &object) {
        shown->set_pending(object);
        sent += object.get<std::string>("title");
        if (sent.size() > 100) {
            throw 5;
        }
    };
    EntityList list(entity);
    shown = &list;
    list.set_store(store);
    const std::int64_t count = list.list()->size();
    CHECK(!list.add_item({{"title", "Zoo"}}));
    const Object first = (*list.list())[0];
    list.delete_item({0, 0});
    CHECK_EQUAL(sent, "title" + first.get<std::string>("title"));
    CHECK(list.is_pending(first));
    list.set_pending(first, false);
    CHECK(!list.is_pending(first));
    CHECK_EQUAL(list.list()->size(), count);
    sent = std::string(100, 'x');
    try {
        list.delete_item({0, 0});
        CHECK(false);
    } catch (int thrown) {
        CHECK_EQUAL(thrown, 5);
    }
}
