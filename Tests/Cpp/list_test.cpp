// Lists of all kinds, and their observers.
#include "test.hpp"

#include <stdlib.h>
#include <unistd.h>

using namespace fetchedresults;

static Request tasks_by_list()
{
    auto request = Request("tasks").section("list_id");
    request.sort("title").batch_size(20);
    return request;
}

// The titles of a list, a line for each section.
static std::string titles(const ListRef &list)
{
    std::string text;
    for (const Section section : list.sections()) {
        text += std::string(section.name().value_or("-")) + ":";
        for (const Object task : section) {
            text += " " + task.get<std::string>("title");
        }
        text += "\n";
    }
    return text;
}

// Before: a list that can't be cached. Change: it is closed, a second one is freed by its
// destructor. Expected: the first throws, the store reports both.
TEST(closing_a_list_reports_that_it_could_not_be_cached)
{
    char folder[] = "/tmp/fetchedresults-XXXXXX";
    CHECK(mkdtemp(folder) != nullptr);
    const std::string file = std::string(folder) + "/tasks.db";
    {
        StoreOptions options;
        options.cache_directory = file + "/cached";
        options.journal_mode = "delete";
        Store store(file, options);
        store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)");
        Controller list(store, Request("tasks").cache_name("all"));
        list.fetch();
        {
            Controller second(store, Request("tasks").cache_name("second"));
            second.fetch();
        }
        CHECK_FAILS(list.close(), FR_IO);
        CHECK(list.handle() == nullptr);
        list.close();
        CHECK_FAILS(store.close(), FR_IO);
    }
    CHECK_EQUAL(unlink(file.c_str()), 0);
    CHECK_EQUAL(rmdir(folder), 0);
}

TEST(a_controller_is_read_by_loops_and_places)
{
    Store store = test::tasks();
    Controller list(store, tasks_by_list());
    CHECK(!list.is_fetched());
    CHECK_FAILS(list.size(), FR_NOT_FETCHED);
    list.fetch();
    CHECK_EQUAL(titles(list), "1: Ask Call\n2: Bake Paint\n");
    std::string all;
    for (const Object task : list) {
        all += task.get<std::string>("title") + " ";
    }
    CHECK_EQUAL(all, "Ask Call Bake Paint ");
    CHECK_EQUAL(list.size(), 4);
    const Object bake = list[{1, 0}];
    CHECK_EQUAL(bake["title"].text(), "Bake");
    CHECK(list.index_path_of(bake) == IndexPath(1, 0) && list.index_path_of({3}) == IndexPath(1, 1));
    CHECK(!list.index_path_of({9}) && list.index_of({1, 1}) == 3 && list.index_path_at(2) == IndexPath(1, 0));
    CHECK_EQUAL(list.section(1).value().integer(), 2);
    CHECK_EQUAL(list.section(1)[1].get<int>("id"), 3);
    CHECK_FAILS((list[{2, 0}]), FR_RANGE);
    CHECK_EQUAL(list.index_titles().size(), std::size_t(2));
    CHECK(list.section_for_index_title("2", 1) == 1 && !list.section_for_index_title("9", 0));
}

TEST(observers_are_lambdas)
{
    Store store = test::tasks();
    Controller list(store, tasks_by_list());
    list.fetch();
    std::string news;
    Observer observer;
    observer.will_change = [&] { news += "will "; };
    observer.section_changed = [&](const SectionInfo &section, const Change &change) {
        news += test::described(change) + "=" + std::string(section.name().value_or("-")) + " ";
    };
    observer.object_changed = [&](const Object *task, const Change &change) {
        news += test::described(change) + "=" + task->get<std::string>("title") + " ";
    };
    observer.did_change = [&] { news += "did"; };
    Observation first = list.observe(observer);
    int deliveries = 0;
    Observation second = list.observe(
        [&](const ChangeSet &changes) { deliveries += static_cast<int>(changes.size()); });
    store.execute("UPDATE tasks SET list_id = NULL WHERE id = 1");
    CHECK_EQUAL(news, "will insert section 0=- move 0,1 0,0=Call did");
    CHECK_EQUAL(deliveries, 2);
    first.remove();
    news.clear();
    second = Observation();
    store.execute("DELETE FROM tasks");
    CHECK_EQUAL(news, "");
    CHECK_EQUAL(deliveries, 2);
}

TEST(an_observation_may_outlive_its_list_and_the_list_its_store)
{
    Observation observation;
    {
        std::optional<Controller> list;
        Store store = test::tasks();
        list.emplace(store, Request("tasks"));
        list->fetch();
        observation = list->observe([](const ChangeSet &) {});
        store.close();
        CHECK_FAILS(list->size(), FR_CLOSED);
    }
    observation.remove();
}

TEST(a_change_set_outlives_everything)
{
    std::optional<ChangeSet> kept;
    {
        Store store = test::tasks();
        Controller list(store, tasks_by_list());
        list.fetch();
        list.observe([&](const ChangeSet &changes) { kept = changes; }).keep();
        store.transaction([&] {
            store.execute("UPDATE tasks SET title = 'Zoo' WHERE id = 2");
            store.execute("DELETE FROM tasks WHERE id = 4");
        });
    }
    const ChangeSet changes = *kept;
    CHECK(!changes.is_reload());
    CHECK_EQUAL(changes.origin(), std::uint32_t(FR_ORIGIN_STORE));
    CHECK_EQUAL(changes.size(), std::size_t(2));
    std::string news;
    for (const Change change : changes) {
        news += test::described(change) + "; ";
    }
    CHECK_EQUAL(news, "delete 1,0; move 0,0 0,1; ");
    const Change move = changes[1];
    CHECK(move.kind() == ChangeKind::object && move.type() == ChangeType::moved);
    CHECK(move.column_changed(1) && !move.column_changed(2));
    CHECK_EQUAL(move.old_value(1)->text(), "Ask");
    CHECK_EQUAL(move.object().get<std::string>("title"), "Zoo");
    CHECK_EQUAL(changes[0].identity()[0].integer(), 4);
    CHECK_EQUAL(changes.group(ChangeKind::object, ChangeType::moved).size(), std::size_t(1));
    const ChangeSet steps = changes.sequential();
    CHECK_EQUAL(steps.ranges().size(), std::size_t(2));
    CHECK_EQUAL(changes.replay({2, 2})[1].row_count, 1);
    CHECK_FAILS(changes.replay({1}), FR_RANGE);
}

TEST(what_an_observer_throws_is_thrown_by_the_call_that_committed)
{
    Store store = test::tasks();
    Controller list(store, Request("tasks")), other(store, Request("tasks"));
    list.fetch();
    other.fetch();
    int notified = 0;
    Observation throws = list.observe([](const ChangeSet &) { throw std::logic_error("first"); });
    Observation counts = list.observe([&](const ChangeSet &) { notified++; });
    Observation again = other.observe([&](const ChangeSet &) {
        notified++;
        throw std::logic_error("second");
    });
    for (int round = 1; round <= 2; round++) {
        try {
            store.insert("tasks", {{"title", "New"}});
            CHECK(false);
        } catch (const std::logic_error &thrown) {
            CHECK_EQUAL(std::string(thrown.what()), "first");
        }
        CHECK_EQUAL(notified, 2 * round);
        CHECK_EQUAL(list.size(), 4 + round);
    }
    throws.remove();
    again.remove();
    store.execute("DELETE FROM tasks");
    CHECK_EQUAL(notified, 5);
}

TEST(what_is_thrown_in_a_callback_of_a_c_call_is_thrown_by_the_next_call)
{
    Store store = test::tasks();
    Controller list(store, Request("tasks"));
    list.fetch();
    Observation throws = list.observe([](const ChangeSet &) { throw 3; });
    CHECK_EQUAL(fr_store_execute(store.handle(), "DELETE FROM tasks", nullptr, 0), FR_OK);
    try {
        Observation observation = list.observe([](const ChangeSet &) {});
        CHECK(false);
    } catch (int thrown) {
        CHECK_EQUAL(thrown, 3);
    }
    CHECK_EQUAL(list.size(), 0);
}

TEST(a_fetch_reports_progress_and_can_be_cancelled)
{
    Store store = test::tasks();
    store.execute("WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
                  " INSERT INTO tasks SELECT i, 't' || i, 1 FROM n");
    Controller list(store, Request("tasks").sort("title"));
    CHECK_FAILS(list.fetch([](std::int64_t) { return false; }), FR_CANCELLED);
    try {
        list.fetch([](std::int64_t rows) -> bool { throw rows; });
        CHECK(false);
    } catch (std::int64_t rows) {
        CHECK(rows > 0);
    }
    bool is_done = false;
    list.fetch_async([&](const Error *error) { is_done = error == nullptr; });
    while (!is_done) {
        store.wait();
    }
    CHECK_EQUAL(list.size(), 1495);
    CHECK(!list.cancel_fetch());
}

TEST(a_queued_store_delivers_at_dispatch)
{
    StoreOptions options;
    options.flags = FR_STORE_QUEUED;
    Store store(":memory:", options);
    store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)");
    Controller list(store, Request("tasks"));
    list.fetch();
    Observation throws = list.observe([](const ChangeSet &) { throw 1; });
    store.execute("INSERT INTO tasks VALUES (1)");
    CHECK_EQUAL(list.size(), 0);
    try {
        store.dispatch();
        CHECK(false);
    } catch (int) {
    }
    CHECK_EQUAL(list.size(), 1);
    CHECK(store.dispatch(-1).is_complete);
    int called = 0;
    store.execute("INSERT INTO tasks VALUES (2)");
    throws.remove();
    store.call_after_round([&](const Error *error) { called += error == nullptr; });
    store.dispatch();
    CHECK_EQUAL(called, 1);
    std::string entity;
    store.set_trace([&](const fr_round_trace &trace) { entity = trace.lists[0].entity; });
    store.execute("INSERT INTO tasks VALUES (3)");
    store.dispatch();
    CHECK_EQUAL(entity, "tasks");
    store.end_trace();
}

TEST(a_list_that_fails_and_pauses)
{
    Store store = test::tasks();
    Controller list(store, Request("tasks").columns({"title"}));
    list.fetch();
    std::string failure;
    Observer observer;
    observer.did_fail = [&](const Error &error) { failure = error.status_name(); };
    int reloads = 0;
    observer.did_reload = [&] { reloads++; };
    Observation observation = list.observe(observer);
    store.execute("ALTER TABLE tasks RENAME COLUMN title TO name");
    CHECK_EQUAL(failure, "FR_SCHEMA");
    CHECK_EQUAL(list.failure()->status(), FR_SCHEMA);
    store.execute("ALTER TABLE tasks RENAME COLUMN name TO title");
    CHECK(!list.failure());
    list.pause();
    store.execute("DELETE FROM tasks");
    CHECK(list.is_paused() && list.size() == 4);
    list.resume(true);
    CHECK_EQUAL(reloads, 1);
    CHECK(list.empty());
    CHECK(list.counters().deliveries > 0);
}

TEST(a_request_is_replaced)
{
    Store store = test::tasks();
    Controller list(store, tasks_by_list());
    list.fetch();
    Request other = list.request();
    other.predicate("title > ?", {"B"});
    list.set_request(other);
    CHECK_EQUAL(titles(list), "1: Call\n2: Bake Paint\n");
    CHECK_EQUAL(std::string_view(other.info().entity), "tasks");
    CHECK_EQUAL(std::string_view(other.info().predicate), "title > ?");
    CHECK_EQUAL(other.info().sort_count, 1U);
    CHECK_EQUAL(list.section_key_path().value_or(""), "list_id");
    CHECK_FAILS(Controller(store, Request("tasks").sort("colour")), FR_SCHEMA);
    list.set_index_title_function(
        [](std::string_view name) { return std::optional<std::string>("<" + std::string(name)); });
    CHECK_EQUAL(list.index_titles()[0], "<1");
    CHECK_EQUAL(list.index_title_for_name("any").value_or(""), "<any");
    CHECK_EQUAL(list.identity_at(IndexPath{0, 0})[0].integer(), 1);
    Controller select(store, Request::select("SELECT id, title FROM tasks WHERE id < ?", {"id"}, {3}));
    select.fetch();
    CHECK_EQUAL(select.size(), 2);
}

static std::string to_text(const std::vector<Value> &identity)
{
    std::string text;
    for (const Value &value : identity) {
        text += std::to_string(static_cast<int>(value.type())) + ":"
                + (value.type() == ValueType::real ? std::to_string(value.real())
                   : value.is_null()               ? "-"
                   : value.type() == ValueType::blob
                       ? std::string(reinterpret_cast<const char *>(value.blob().begin()), value.blob().size())
                   : value.type() == ValueType::text ? std::string(value.text())
                                                     : std::to_string(value.integer()))
                + " ";
    }
    return text;
}

// Before: lists of more rows than the library returns at a time, whose identities are of one or two
// values, of one type or of several. Expected: a range has the identities that each row has.
TEST(identities_of_many_rows_are_read_together)
{
    Store store(":memory:");
    store.execute_script("CREATE TABLE plain (id INTEGER PRIMARY KEY);"
                         "CREATE TABLE typed (key PRIMARY KEY, section INT) WITHOUT ROWID;"
                         "CREATE TABLE pair (a REAL, b TEXT, UNIQUE (a, b));"
                         "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)"
                         "INSERT INTO plain SELECT i FROM n;"
                         "INSERT INTO typed SELECT iif(id % 3, CAST(id AS TEXT) || char(0) || 'x', id + 0.5), id % 7"
                         " FROM plain;"
                         "INSERT INTO typed VALUES (x'00ff', 1), ('', 2);"
                         "INSERT INTO pair SELECT id / 2.0, 'text ' || id FROM plain;"
                         "CREATE VIEW pairs AS SELECT nullif(a, 7) AS a, nullif(b, 'text 9') AS b FROM pair");
    Controller plain(store, Request("plain").sort("-id"));
    Controller typed(store, Request("typed").section("section"));
    Controller pairs(store, Request("pairs").identity({"a", "b"}));
    Collection all;
    all.append(plain);
    all.append(typed);
    all.append(pairs);
    CHECK_FAILS(all.identities(), FR_NOT_FETCHED);
    all.fetch();
    Identities found = all.identities();
    const Identities moved = std::move(found);
    CHECK_EQUAL(moved.size(), 2102U);
    for (std::size_t row = 0; row < moved.size(); row++) {
        const IndexPath path = all.index_path_at(static_cast<std::int64_t>(row));
        CHECK_EQUAL(to_text(moved[row]), to_text(all.identity_at(path)));
    }
    const Identities some = all.identities(600, 1300);
    CHECK(some.size() == 700 && to_text(some[699]) == to_text(moved[1299]));
    CHECK(all.identities(2102).empty() && all.identities(5, 5).empty() && all.identities(9, INT64_MIN).empty());
    CHECK_FAILS(all.identities(-1), FR_RANGE);
    CHECK_FAILS(all.identities(INT64_MIN), FR_RANGE);
}

// The values of each group of tasks.
static std::string group_values(const ListRef &groups)
{
    std::ostringstream text;
    for (const Object group : groups) {
        text << group["list_id.title"].text() << " " << group.get<int>("tasks") << " " << group.get<int>("early") << " "
             << group.get<int>("ids") << " " << group.get<double>("mean") << " " << group["first"].text() << " "
             << group["last"].text() << "\n";
    }
    return text.str();
}

TEST(a_request_groups_rows)
{
    Store store = test::tasks();
    Controller groups(store, Request("tasks")
                                 .group_by({"list_id.title"})
                                 .total("tasks", FR_TOTAL_COUNT)
                                 .total("early", FR_TOTAL_COUNT, "id < 3")
                                 .total("ids", FR_TOTAL_SUM, "id")
                                 .total("mean", FR_TOTAL_AVERAGE, "id")
                                 .total("first", FR_TOTAL_MIN, "title")
                                 .total("last", FR_TOTAL_MAX, "title")
                                 .having("tasks > ?", {1})
                                 .sort("last"));
    groups.fetch();
    CHECK_EQUAL(group_values(groups), "Work 2 2 3 1.5 Ask Call\nHome 2 0 7 3.5 Bake Paint\n");
    store.execute("UPDATE tasks SET list_id = 1 WHERE id = 3");
    CHECK_EQUAL(group_values(groups), "Work 3 2 6 2 Ask Paint\n");
    Request other = groups.request();
    CHECK_EQUAL(other.info().total_count, 6U);
    CHECK_EQUAL(std::string_view(other.info().totals[5].name), "last");
    groups.set_request(other.having("1"));
    CHECK_EQUAL(groups.size(), 2);
    CHECK_FAILS(groups.set_request(Request("tasks").group_by({"list_id"})), FR_MISUSE);
    CHECK_FAILS(Controller(store, Request("tasks").group_by({"list_id"}).total("n", FR_TOTAL_SUM)), FR_MISUSE);
}

TEST(a_section_map_shows_rows_as_sections)
{
    Store store = test::tasks();
    SectionMap map(store, Request("tasks").sort("title"), Request("lists").sort("position"), "list_id");
    map.fetch();
    CHECK_EQUAL(titles(map), "2: Bake Paint\n1: Ask Call\n");
    CHECK_EQUAL(map.section(0).object()->get<std::string>("title"), "Home");
    store.execute("UPDATE lists SET position = 9 WHERE id = 2");
    CHECK_EQUAL(titles(map), "1: Ask Call\n2: Bake Paint\n");
    store.execute("DELETE FROM tasks WHERE list_id = 2");
    map.set_empty_sections(FR_EMPTY_SECTIONS_HIDDEN);
    CHECK_EQUAL(titles(map), "1: Ask Call\n");
    CHECK_EQUAL(map.all_section_count(), 2);
    CHECK_EQUAL(map.all_section(1).index(), -1);
    CHECK(map.sections() == std::vector<std::int64_t>{0});

    SectionMap keys(store, Request("tasks").sort("title"), Values{2, 1}, "list_id");
    keys.fetch();
    keys.set_keys({1});
    CHECK_EQUAL(titles(keys), "1: Ask Call\n");
}

TEST(a_collection_shows_several_lists)
{
    Store store = test::tasks();
    Controller tasks(store, tasks_by_list()), lists(store, Request("lists").sort("title"));
    Placeholder none("No tasks");
    Collection all;
    all.append(tasks, none);
    all.append(lists);
    all.fetch();
    CHECK_EQUAL(titles(all), "1: Ask Call\n2: Bake Paint\n-: Home Work\n");
    CHECK_EQUAL(all.child_count(), 2);
    CHECK(all.index_of_child(lists) == 1 && all.child_of_section(2) == 1 && all.child(0)->handle() == tasks.handle());
    store.execute("DELETE FROM tasks");
    CHECK_EQUAL(titles(all), "No tasks:\n-: Home Work\n");
    none.set_name("Nothing");
    CHECK_EQUAL(titles(all), "Nothing:\n-: Home Work\n");
    all.replace(tasks, tasks);
    CHECK_EQUAL(titles(all), "-: Home Work\n");
    CHECK(!all.shows_empty_lists());
    all.set_shows_empty_lists(true);
    CHECK(all.shows_empty_lists());
    CHECK_EQUAL(titles(all), "-:\n-: Home Work\n");
    all.replace(tasks, tasks, none);
    CHECK_EQUAL(titles(all), "Nothing:\n-: Home Work\n");
    all.remove(0);
    CHECK_EQUAL(titles(all), "-: Home Work\n");
    CHECK(!all.index_of_child(tasks));
}

TEST(a_list_has_totals)
{
    Store store = test::tasks();
    Controller list(
        store, Request("tasks").section("list_id").total("tasks", FR_TOTAL_COUNT).total("ids", FR_TOTAL_SUM, "id"));
    list.fetch();
    std::string news;
    const Observation observation = list.observe([&](const ChangeSet &changes) {
        for (const fr_total_change &total : changes.totals()) {
            news += std::string(total.name) + " " + std::to_string(total.old_section) + " "
                    + std::to_string(total.new_value.integer) + ",";
        }
    });
    CHECK_EQUAL(list.totals().get<int>("ids"), 10);
    CHECK_EQUAL(list.section(0).totals().get<int>("ids"), 3);
    store.execute("DELETE FROM tasks WHERE id = 1");
    CHECK_EQUAL(news, "tasks -1 3,ids -1 9,tasks 0 1,ids 0 2,");

    Collection all;
    all.append(list);
    all.append(Controller(store, Request("tasks").total("tasks", FR_TOTAL_COUNT)));
    all.fetch();
    CHECK_EQUAL(all.totals().get<int>("tasks"), 6);

    Controller one(store, Request("tasks").limit(1).total("tasks", FR_TOTAL_COUNT).totals_of_all_rows());
    one.fetch();
    CHECK_EQUAL(one.totals().get<int>("tasks"), 3);
}

TEST(a_window_shows_the_rows_around_a_row)
{
    Store store = test::tasks();
    Controller list(store, tasks_by_list());
    list.fetch();
    Window window(list, 2, 1, 0);
    std::string news;
    const Observation observation = window.observe([&](const ChangeSet &changes) {
        const auto place = changes.window_place();
        news += std::to_string(changes.size()) + " at " + std::to_string(place->position) + ",";
    });
    CHECK_EQUAL(titles(window), "1: Call\n2: Bake\n");
    CHECK(window.position() == 1 && window.anchor() == IndexPath(1, 0) && window.before() == 1 && window.after() == 0);
    store.execute("DELETE FROM tasks WHERE title = 'Ask'");
    CHECK_EQUAL(window.position(), 0);
    window.move(1);
    CHECK_EQUAL(titles(window), "2: Bake Paint\n");
    window.resize(0, 0);
    CHECK_EQUAL(titles(window), "2: Paint\n");
    CHECK_EQUAL(news, "3 at 1,1 at 2,");
    CHECK_EQUAL(titles(Window(list, "2", 0, 0)), "2: Bake\n");
    CHECK_EQUAL(titles(Window(list, Values{3}, 0, 0)), "2: Paint\n");
    CHECK_EQUAL(titles(Window(list, IndexPath(0, 0), 0, 0)), "1: Call\n");
    CHECK_FAILS(Window(list, "9", 0, 0), FR_NOT_FOUND);
}
