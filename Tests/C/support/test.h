/*
 * Checks and the table of tests. A failed check prints file, line and both values; the test
 * continues.
 */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stdint.h>

#include <fetchedresults.h>

struct test {
    const char *name;
    void (*run)(void);
};

struct suite {
    const char *name;
    const struct test *tests; /* ends with a NULL name */
};

#define TESTS(suite) const struct test suite[]
#define TEST(function) {#function, function}
#define END_OF_TESTS {NULL, NULL}

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(actual, expected) check_int((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)
#define CHECK_REAL(actual, expected) check_real((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_TEXT(actual, expected) check_text((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_STATUS(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_STATUS(call, FR_OK)

/* As CHECK, and returns from the test when it fails: for conditions that later lines rely on. */
#define REQUIRE(condition) \
    do { \
        if (!CHECK(condition)) { \
            return; \
        } \
    } while (0)

bool check_true(bool condition, const char *text, const char *file, int line);
bool check_int(int64_t actual, int64_t expected, const char *text, const char *file, int line);
bool check_real(double actual, double expected, const char *text, const char *file, int line);
bool check_text(const char *actual, const char *expected, const char *text, const char *file, int line);

/*
 * Besides the status, checks that the thread's last error is the one of this call: filled or empty.
 */
bool check_status(fr_status actual, fr_status expected, const char *text, const char *file, int line);

/* Counts a failure that prints its own explanation. */
void fail(const char *file, int line, const char *format, ...);

/* Checks that failed in the test that is running. */
int failures(void);

#endif
