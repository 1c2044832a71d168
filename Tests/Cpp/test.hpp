// What the tests of the C++ wrapper share.
#ifndef TEST_HPP
#define TEST_HPP

#include <fetchedresults.hpp>

#include <sstream>
#include <string>

namespace test {

// A test registers itself by its name.
struct Test {
    Test(const char *name, void (*function)());
    const char *name;
    void (*function)();
    Test *next;
};

// Notes a fault of the test that runs.
void fault(const char *file, int line, const std::string &what);

// A store with four tasks.
fetchedresults::Store tasks();

// The change as a word and its places: "insert 0,1", "move 0,1 1,0", "delete section 2".
std::string described(const fetchedresults::Change &change);

template <typename Type> std::string shown(const Type &value)
{
    std::ostringstream stream;
    stream << value;
    return stream.str();
}

template <typename Actual, typename Expected>
void check_equal(const char *file, int line, const char *what, const Actual &actual, const Expected &expected)
{
    if (!(actual == expected)) {
        fault(file, line, std::string(what) + " is " + shown(actual) + " and not " + shown(expected));
    }
}

} // namespace test

#define TEST(name) \
    static void name(); \
    static const test::Test name##_registered(#name, name); \
    static void name()

#define CHECK(condition) ((condition) ? void() : test::fault(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(actual, expected) test::check_equal(__FILE__, __LINE__, #actual, actual, expected)
// The expression throws an Error with a status.
#define CHECK_FAILS(expression, status_) \
    do { \
        try { \
            expression; \
            test::fault(__FILE__, __LINE__, #expression " does not fail"); \
        } catch (const fetchedresults::Error &error) { \
            CHECK_EQUAL(error.status(), status_); \
        } \
    } while (false)

#endif
