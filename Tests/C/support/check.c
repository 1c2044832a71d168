#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int failure_count;

int failures(void)
{
    return failure_count;
}

void fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    failure_count += 1;
    printf("  %s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
}

bool check_true(bool condition, const char *text, const char *file, int line)
{
    if (!condition) {
        fail(file, line, "not true: %s", text);
    }
    return condition;
}

bool check_int(int64_t actual, int64_t expected, const char *text, const char *file, int line)
{
    if (actual != expected) {
        fail(file, line, "%s\n    is       %lld\n    expected %lld", text, (long long)actual, (long long)expected);
    }
    return actual == expected;
}

bool check_real(double actual, double expected, const char *text, const char *file, int line)
{
    if (actual != expected) {
        fail(file, line, "%s\n    is       %.17g\n    expected %.17g", text, actual, expected);
    }
    return actual == expected;
}

static const char *shown(const char *text)
{
    return text == NULL ? "(NULL)" : text;
}

bool check_text(const char *actual, const char *expected, const char *text, const char *file, int line)
{
    bool equal = actual == expected || (actual != NULL && expected != NULL && strcmp(actual, expected) == 0);
    if (!equal) {
        fail(file, line, "%s\n    is       %s\n    expected %s", text, shown(actual), shown(expected));
    }
    return equal;
}

/* Checks what the error functions return after a call that returned `status`. */
static const char *contradiction_of_last_error(fr_status status)
{
    const char *message = fr_error_message();
    if (fr_error_status() != status) {
        return "fr_error_status() describes another call";
    }
    if (message == NULL) {
        return "fr_error_message() is NULL";
    }
    if (status == FR_OK && (message[0] != '\0' || fr_error_sqlite_code() != 0 || fr_error_sql() != NULL)) {
        return "a stale error after FR_OK";
    }
    if (status != FR_OK && message[0] == '\0') {
        return "no message";
    }
    return NULL;
}

bool check_status(fr_status actual, fr_status expected, const char *text, const char *file, int line)
{
    const char *contradiction;
    if (actual != expected) {
        fail(file, line, "%s\n    is       %s: %s\n    expected %s", text, fr_status_name(actual), fr_error_message(),
             fr_status_name(expected));
        return false;
    }
    contradiction = contradiction_of_last_error(actual);
    if (contradiction != NULL) {
        fail(file, line, "%s\n    returned %s, but left %s (status %d, message \"%s\")", text, fr_status_name(actual),
             contradiction, (int)fr_error_status(), shown(fr_error_message()));
        return false;
    }
    return true;
}
