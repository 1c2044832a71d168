// Runs all tests of the C++ wrapper, or those whose names contain one of the words. No test may
// leave a handle.
#include "test.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>

namespace test {

static Test *first;
static int faults;

Test::Test(const char *name_, void (*function_)()) : name(name_), function(function_), next(first)
{
    first = this;
}

void fault(const char *file, int line, const std::string &what)
{
    std::cout << "  " << file << ':' << line << ": " << what << '\n';
    faults++;
}

fetchedresults::Store tasks()
{
    fetchedresults::Store store(":memory:");
    store.execute_script("CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position REAL);"
                         "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, list_id INTEGER REFERENCES lists);"
                         "INSERT INTO lists VALUES (1, 'Work', 2), (2, 'Home', 1);"
                         "INSERT INTO tasks VALUES (1, 'Call', 1), (2, 'Ask', 1), (3, 'Paint', 2), (4, 'Bake', 2);");
    return store;
}

std::string described(const fetchedresults::Change &change)
{
    static const char *const words[] = {"", "insert", "delete", "move", "update"};
    std::ostringstream text;
    text << words[change.raw().type] << (change.is_section() ? " section" : "");
    for (const auto &path : {change.old_path(), change.new_path()}) {
        if (path) {
            text << ' ' << path->section;
            if (!change.is_section()) {
                text << ',' << path->row;
            }
        }
    }
    return text.str();
}

static bool run(const Test &test)
{
    faults = 0;
    try {
        test.function();
    } catch (const std::exception &exception) {
        fault(test.name, 0, std::string("throws ") + exception.what());
    }
    std::int64_t handles = 0;
    fr_live_handles(&handles, FR_HANDLE_ANY);
    if (handles != 0) {
        fault(test.name, 0, "leaves " + shown(handles) + " handles");
    }
    std::cout << (faults == 0 ? "ok   " : "FAIL ") << test.name << std::endl;
    return faults == 0;
}

} // namespace test

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    for (const test::Test *test = test::first; test != nullptr; test = test->next) {
        const auto is_named = [test](const char *word) { return std::strstr(test->name, word) != nullptr; };
        if (argc < 2 || std::any_of(argv + 1, argv + argc, is_named)) {
            (test::run(*test) ? passed : failed)++;
        }
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return passed > 0 && failed == 0 ? 0 : 1;
}
