/*
 * c-tests [--warm] [WORD ...]: runs the tests whose "suite.test" contains a word, or all. Each runs in a process of
 * its own, so that a crash is one failed test, and so is what valgrind finds. With --warm the last test runs once
 * beforehand in the parent: valgrind hands the code that it translated for it down to all the others, which is
 * several times as fast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"
#include "test.h"

enum { SECONDS_PER_TEST = 120 };

static bool run_in_child(const struct test *test, const char *name)
{
    int status = 0;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(SECONDS_PER_TEST);
        test->run();
        exit(failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror(name);
        return false;
    }
    if (WIFSIGNALED(status)) {
        printf("  ended by signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool wanted(const char *name, char **words)
{
    char **word;
    for (word = words; *word != NULL; word++) {
        if (strstr(name, *word) != NULL) {
            return true;
        }
    }
    return false;
}

static void run_last_test(void)
{
    const struct suite *suite = suites;
    const struct test *test;
    while (suite[1].name != NULL) {
        suite++;
    }
    for (test = suite->tests; test[1].name != NULL; test++) {
    }
    test->run();
}

int main(int count, char **arguments)
{
    bool warm = count > 1 && strcmp(arguments[1], "--warm") == 0;
    char **words = arguments + 1 + warm;
    const struct suite *suite;
    const struct test *test;
    char name[200];
    int passed = 0, failed = 0;
    if (warm) {
        run_last_test();
    }
    for (suite = suites; suite->name != NULL; suite++) {
        for (test = suite->tests; test->name != NULL; test++) {
            snprintf(name, sizeof name, "%s.%s", suite->name, test->name);
            if (*words == NULL || wanted(name, words)) {
                bool good = run_in_child(test, name);
                printf("%s %s\n", good ? "ok  " : "FAIL", name);
                *(good ? &passed : &failed) += 1;
            }
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
