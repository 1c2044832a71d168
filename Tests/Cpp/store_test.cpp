// Stores, statements, values, objects, errors.
#include "test.hpp"

#include <limits>
#include <type_traits>

using namespace fetchedresults;

static_assert(!std::is_copy_constructible_v<Store> && std::is_nothrow_move_constructible_v<Store>);
static_assert(!std::is_copy_constructible_v<Controller> && std::is_nothrow_move_constructible_v<Controller>);
static_assert(!std::is_copy_constructible_v<Observation> && std::is_copy_constructible_v<Object>);
static_assert(std::is_base_of_v<std::runtime_error, Error>);

TEST(an_error_carries_status_code_message_and_sql)
{
    Store store = test::tasks();
    try {
        store.execute("INSERT INTO lists (id) VALUES (?)", {1});
        CHECK(false);
    } catch (const Error &error) {
        CHECK_EQUAL(error.status(), FR_CONSTRAINT);
        CHECK_EQUAL(error.status_name(), "FR_CONSTRAINT");
        CHECK_EQUAL(error.sqlite_code(), 1555); // SQLITE_CONSTRAINT_PRIMARYKEY
        CHECK_EQUAL(error.sql().value_or(""), "INSERT INTO lists (id) VALUES (?)");
        CHECK(std::string(error.what()).find("lists.id") != std::string::npos);
    }
    CHECK_FAILS(Store("/nowhere/to/be.db"), FR_IO);
    CHECK_FAILS(store.execute("bogus"), FR_SQL);
    store.close();
    CHECK_FAILS(store.execute("SELECT 1"), FR_MISUSE);
}

TEST(values_keep_their_types)
{
    Store store(":memory:");
    const std::byte bytes[] = {std::byte{0}, std::byte{255}};
    const std::optional<std::string> nothing, something = "some";
    Statement statement = store.prepare("SELECT ?, ?, ?, ?, ?, ?, ?, ?");
    statement.bind({nullptr, 42, 0.5, "text", std::string_view("a\0b", 3), Blob(bytes, 2), nothing, something});
    CHECK(statement.step());
    CHECK(statement[0].is_null() && statement[6].is_null());
    CHECK_EQUAL(statement[1].integer(), 42);
    CHECK_EQUAL(statement[1].get<unsigned char>(), 42);
    CHECK_EQUAL(statement[1].real(), 42.0);
    CHECK_EQUAL(statement[2].get<double>(), 0.5);
    CHECK_EQUAL(statement[3].text(), "text");
    CHECK_EQUAL(statement[4].text(), std::string_view("a\0b", 3));
    CHECK(statement[5].get<std::vector<std::byte>>() == std::vector<std::byte>(bytes, bytes + 2));
    CHECK_EQUAL(statement[7].get<std::optional<std::string>>().value_or(""), "some");
    CHECK(!statement[0].get<std::optional<int>>());
    CHECK_FAILS(statement[3].integer(), FR_TYPE);
    CHECK_FAILS(statement[0].text(), FR_TYPE);
    CHECK(!statement.step());
    statement = store.prepare("SELECT :a, :b");
    statement.bind("a", std::numeric_limits<std::int64_t>::min()).bind(":b", -1);
    CHECK(statement.step());
    CHECK_EQUAL(statement[0].integer(), std::numeric_limits<std::int64_t>::min());
    CHECK_FAILS(statement[1].get<unsigned>(), FR_RANGE);
    CHECK_FAILS(statement[0].get<int>(), FR_RANGE);
}

TEST(rows_are_written_and_read_by_their_identity)
{
    Store store = test::tasks();
    const Object task = store.insert("tasks", {{"title", "Water"}, {"list_id", 2}});
    CHECK_EQUAL(task["title"].text(), "Water");
    CHECK_EQUAL(task.identity()[0].integer(), 5);
    CHECK_EQUAL(task.column_name(1), "title");
    CHECK_EQUAL(task[task.column_index("LIST_ID")].integer(), 2);
    CHECK(store.update("tasks", {5}, {{"title", nullptr}}));
    CHECK(!store.update("tasks", {6}, {{"title", "none"}}));
    CHECK(!store.object("tasks", {5})->get<std::optional<std::string>>("title"));
    CHECK(store.remove("tasks", {5}) && !store.remove("tasks", {5}) && !store.object("tasks", {5}));
    CHECK_EQUAL(task.get<std::string>("title"), "Water");
    CHECK_FAILS(task["colour"], FR_SCHEMA);
}

TEST(a_null_key_is_not_the_key_that_equals_its_rowid)
{
    Store store(":memory:");
    store.execute_script("CREATE TABLE t (k INT PRIMARY KEY, v);"
                         "INSERT INTO t (rowid, k, v) VALUES (1, 2, 'a'), (2, NULL, 'b')");
    Controller rows(store, Request("t").sort("v"));
    rows.fetch();
    const Object null = rows[1];
    CHECK_EQUAL(null.identity().size(), 2U);
    CHECK(null.identity()[0].is_null());
    CHECK_EQUAL(null.identity()[1].integer(), 2);
    CHECK((rows.index_path_of(null) == IndexPath{0, 1}));
    CHECK((rows.index_path_of(Values(null.identity())) == IndexPath{0, 1}));
    CHECK((rows.index_path_of(Values{2}) == IndexPath{0, 0}));
    CHECK(store.update("t", Values(null.identity()), {{"v", "c"}}));
    CHECK_EQUAL(store.object("t", {2})->get<std::string>("v"), "a");
    CHECK_EQUAL(store.object("t", {nullptr, 2})->get<std::string>("v"), "c");
    CHECK(store.remove("t", {2}) && !store.remove("t", {2}) && store.remove("t", {nullptr, 2}));
}

TEST(a_transaction_commits_or_rolls_back)
{
    Store store = test::tasks();
    store.transaction([&] { store.execute("DELETE FROM tasks WHERE id = ?", {1}); });
    CHECK(!store.in_transaction());
    try {
        store.transaction([&] {
            store.execute_named("DELETE FROM tasks WHERE id = :id", {{"id", 2}});
            throw std::string("no");
        });
        CHECK(false);
    } catch (const std::string &thrown) {
        CHECK_EQUAL(thrown, "no");
    }
    CHECK(!store.in_transaction() && !store.object("tasks", {1}) && store.object("tasks", {2}));
    store.execute("PRAGMA defer_foreign_keys = ON");
    CHECK_FAILS(store.transaction([&] { store.execute("DELETE FROM lists"); }), FR_CONSTRAINT);
    CHECK(!store.in_transaction() && store.object("lists", {1}));
}

TEST(a_collation_is_a_lambda)
{
    Store store = test::tasks();
    store.add_collation("LENGTH", [](std::string_view a, std::string_view b) {
        return static_cast<int>(a.size()) - static_cast<int>(b.size());
    });
    Controller list(store, Request("tasks").sort("title", FR_DESCENDING, "LENGTH").limit(1));
    list.fetch();
    CHECK_EQUAL(list[0].get<std::string>("title"), "Paint");
    store.add_collation("THROWS", [](std::string_view, std::string_view) -> int { throw 7; });
    try {
        store.execute("SELECT title FROM tasks ORDER BY title COLLATE THROWS");
        CHECK(false);
    } catch (int thrown) {
        CHECK_EQUAL(thrown, 7);
    }
    // No order stands in for the exception.
    store.execute_script("CREATE TABLE words (name TEXT COLLATE THROWS UNIQUE); INSERT INTO words VALUES ('b')");
    try {
        store.execute("INSERT INTO words VALUES ('a')");
        CHECK(false);
    } catch (int thrown) {
        CHECK_EQUAL(thrown, 7);
    }
    Statement count = store.prepare("SELECT count(*) FROM words");
    CHECK(count.step() && count[0].integer() == 1);
}

TEST(a_function_of_sql_is_a_lambda)
{
    Store store = test::tasks();
    int prefix = 7;
    store.add_function(
        "labelled",
        [prefix](const Arguments &arguments) {
            return std::to_string(prefix) + arguments[0].get<std::string>() + std::to_string(arguments.size());
        },
        1, FR_FUNCTION_DETERMINISTIC);
    Controller list(store, Request("tasks").predicate("labelled(title) < '7B'").sort("title"));
    list.fetch();
    CHECK_EQUAL(list.size(), 1);
    store.update("tasks", {3}, {{"title", "Add"}});
    CHECK_EQUAL(list.size(), 2);
    CHECK_FAILS(store.execute("SELECT labelled(1, 2)"), FR_SQL);

    // Of each type, with any number of arguments.
    store.add_function("first",
                       [](const Arguments &arguments) { return arguments.empty() ? Value("nothing") : arguments[0]; });
    store.add_function("bytes", [](const Arguments &) { return std::vector<std::byte>{std::byte{0}, std::byte{255}}; });
    store.add_function("none", [](const Arguments &) { return std::optional<std::string>(); });
    store.add_function("half", [](const Arguments &arguments) { return arguments[0].real() / 2; });
    Statement row = store.prepare("SELECT first(), first('a' || char(0), 1), first(x'00'), first(5), bytes(), none(),"
                                  " half(3)");
    CHECK(row.step());
    CHECK_EQUAL(row[0].text(), "nothing");
    CHECK_EQUAL(row[1].text(), std::string_view("a\0", 2));
    CHECK_EQUAL(row[2].blob().size(), 1U);
    CHECK_EQUAL(row[3].integer(), 5);
    CHECK(row[4].get<std::vector<std::byte>>() == (std::vector<std::byte>{std::byte{0}, std::byte{255}}));
    CHECK(row[5].is_null());
    CHECK_EQUAL(row[6].real(), 1.5);
    CHECK_FAILS(store.add_function("wrong", [](const Arguments &) { return 1; }, -2), FR_RANGE);
}

// Before: a function that throws. Change: statements that call it. Expected: the call throws what
// was thrown, and nothing is written; a list that can't be read throws it, too.
TEST(an_exception_of_a_function_is_the_error_of_the_statement)
{
    Store store = test::tasks();
    store.add_function("throws", [](const Arguments &arguments) -> int {
        if (arguments[0].integer() == 3) {
            throw std::out_of_range("no three");
        }
        return 0;
    });
    try {
        store.execute("UPDATE tasks SET list_id = NULL WHERE throws(id) = 0");
        CHECK(false);
    } catch (const std::out_of_range &thrown) {
        CHECK_EQUAL(std::string(thrown.what()), "no three");
    }
    CHECK_EQUAL(store.object("tasks", {1})->get<int>("list_id"), 1);
    Controller list(store, Request("tasks").predicate("throws(id) = 0"));
    try {
        list.fetch();
        CHECK(false);
    } catch (const std::out_of_range &) {
    }
    // Without a call of the wrapper, the statement fails with the message.
    CHECK_EQUAL(fr_store_execute(store.handle(), "SELECT throws(3)", nullptr, 0), FR_ERROR);
    CHECK(std::string(fr_error_message()).find("no three") != std::string::npos);
    try {
        store.execute("SELECT 1");
        CHECK(false);
    } catch (const std::out_of_range &) {
    }
    CHECK_FAILS(store.execute("SELECT throws('text')"), FR_TYPE);
    store.execute("SELECT throws(4)");
}

TEST(steps_are_undone_and_redone)
{
    Store store = test::tasks();
    const auto count = [&] {
        Statement statement = store.prepare("SELECT count(*) FROM tasks");
        return statement.step() ? statement[0].integer() : -1;
    };
    const std::int64_t before = count();
    CHECK(!store.undo_name() && !store.redo_name());
    store.step("Delete", [&] { store.execute("DELETE FROM tasks WHERE id = ?", {1}); });
    store.step("Delete", [&] { store.execute("DELETE FROM tasks WHERE id = ?", {2}); }, true);
    CHECK_FAILS(store.step("Fail", [&] { store.execute("DELETE FROM nothing"); }), FR_SQL);
    CHECK_EQUAL(store.undo_name().value_or(""), "Delete");
    store.undo();
    CHECK_EQUAL(count(), before);
    CHECK_EQUAL(store.redo_name().value_or(""), "Delete");
    store.redo();
    CHECK_EQUAL(count(), before - 2);
    store.execute("INSERT INTO tasks (id, title) VALUES (1, 'Again')");
    CHECK_FAILS(store.undo(), FR_GONE);
    store.set_undo_limit(10, 1 << 20);
    store.discard_steps();
    CHECK_FAILS(store.undo(), FR_NOT_FOUND);
}

TEST(a_history_says_what_was_touched)
{
    Store store = test::tasks();
    store.start_history("tasks");
    CHECK(store.has_history("tasks"));
    const std::int64_t before = store.history_generation();
    store.execute("UPDATE tasks SET title = 'Ask Ada' WHERE id = 2");
    Statement touched = store.touched_rows("tasks", before);
    CHECK(touched.step() && touched[0].integer() == 2 && !touched.step());
    store.stop_history("tasks");
}

TEST(caches_are_deleted_without_an_open_store)
{
    // Nothing is cached there, which is not an error.
    Store::delete_cache("/nowhere/tasks.db", "all", "/nowhere");
    Store::delete_all_caches("/nowhere/tasks.db", "/nowhere");
    Store::delete_all_caches("/nowhere/tasks.db");
    CHECK_FAILS(Store::delete_cache("tasks.db", "\xff"), FR_INVALID_UTF8);
}
