/*
 * c-tests [--jobs N] [--warm] [WORD ...]: runs the tests whose "suite.test" contains a word, or
 * all; N of them in parallel. Each runs in a process of its own, so that a crash is one failed
 * test, and so is an error that valgrind reports. With --warm the last test runs once beforehand in
 * the parent: all the others inherit the code that valgrind translated for it, which makes them
 * several times as fast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"
#include "test.h"

enum { SECONDS_PER_TEST = 600 };

enum { MOST_JOBS = 64 };

/* A running test. */
struct job {
    pid_t child;
    char name[200];
};

static struct job jobs[MOST_JOBS];
static int running, passed, failed;

/* A test has to free everything that it made. */
static void check_handles(void)
{
    static const char *const kinds[] = {"handle",      "store",       "statement",  "object",
                                        "request",     "controller",  "change set", "placeholder",
                                        "coordinator", "data source", "cell",       "entity list"};
    int32_t kind;
    for (kind = FR_HANDLE_STORE; kind <= FR_HANDLE_ENTITY_LIST; kind++) {
        int64_t count = -1;
        if (fr_live_handles(&count, kind) != FR_OK || count != 0) {
            fail(__FILE__, __LINE__, "handles that were not freed: %s, %lld", kinds[kind], (long long)count);
        }
    }
}

static void start(const struct test *test, const char *name)
{
    struct job *job = &jobs[running];
    fflush(stdout);
    snprintf(job->name, sizeof job->name, "%s", name);
    job->child = fork();
    if (job->child == 0) {
        alarm(SECONDS_PER_TEST);
        test->run();
        check_handles();
        exit(failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    if (job->child < 0) {
        perror(name);
        failed++;
    } else {
        running++;
    }
}

/* Waits until one of the running tests has ended, and reports its result. */
static void finish_one(void)
{
    int status = 0, index = 0;
    pid_t child = wait(&status);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    while (index < running && jobs[index].child != child) {
        index++;
    }
    if (index == running) {
        perror("wait");
        exit(2);
    }
    if (WIFSIGNALED(status)) {
        printf("  ended by signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    printf("%s %s\n", good ? "ok  " : "FAIL", jobs[index].name);
    *(good ? &passed : &failed) += 1;
    jobs[index] = jobs[--running];
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
    char **words = arguments + 1;
    const struct suite *suite;
    const struct test *test;
    char name[200];
    int most = 1;
    if (count > 2 && strcmp(words[0], "--jobs") == 0) {
        most = atoi(words[1]);
        most = most < 1 ? 1 : most > MOST_JOBS ? MOST_JOBS : most;
        words += 2;
    }
    if (*words != NULL && strcmp(*words, "--warm") == 0) {
        words++;
        run_last_test();
    }
    for (suite = suites; suite->name != NULL; suite++) {
        for (test = suite->tests; test->name != NULL; test++) {
            snprintf(name, sizeof name, "%s.%s", suite->name, test->name);
            if (*words != NULL && !wanted(name, words)) {
                continue;
            }
            if (running == most) {
                finish_one();
            }
            start(test, name);
        }
    }
    while (running > 0) {
        finish_one();
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
