/*
 * c-tests [--jobs N] [--batch N] [--warm] [WORD ...]: runs the tests whose "suite.test" contains a
 * word, or all. Each runs in a process of its own, so that a crash is one failed test, and so is an
 * error that valgrind reports.
 *
 * With --jobs, N processes run at the same time. With --batch, N tests share a process, which saves
 * most of the time that valgrind needs for each; if it fails, its tests run again, each alone, and
 * tests that fail only together count as one more failure. With --warm the last test runs once
 * beforehand in the parent: all the others inherit the code that valgrind translated for it, which
 * makes them several times as fast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "suites.h"
#include "test.h"

enum { SECONDS_PER_TEST = 600, MOST_JOBS = 64 };

/* A test with its name, "suite.test". */
struct choice {
    const struct test *test;
    char name[200];
};

/* A process that runs tests one after the other. */
struct job {
    pid_t child;
    size_t first, count; /* of the chosen tests */
};

static struct choice *chosen;
static size_t chosen_count;
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

static pid_t start(size_t first, size_t count)
{
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        size_t index;
        for (index = first; index < first + count && failures() == 0; index++) {
            alarm(SECONDS_PER_TEST);
            chosen[index].test->run();
            check_handles();
            remove_files();
        }
        exit(failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    return child;
}

/* Whether a process that has ended was successful. */
static bool is_good(int status)
{
    if (WIFSIGNALED(status)) {
        printf("  ended by signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static void report(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok  " : "FAIL", name);
    *(good ? &passed : &failed) += 1;
}

static void report_each_alone(const struct job *job)
{
    size_t index;
    int failed_before = failed;
    printf("  tests that failed together, each alone:\n");
    for (index = job->first; index < job->first + job->count; index++) {
        int status = 0;
        pid_t child = start(index, 1);
        report(waitpid(child, &status, 0) == child && is_good(status), chosen[index].name);
    }
    if (failed == failed_before) {
        report(false, "these tests together");
    }
}

/* Waits until one of the processes has ended, and reports the results of its tests. */
static void finish_one(void)
{
    int status = 0, place = 0;
    size_t index;
    pid_t child = wait(&status);
    struct job job;
    bool good;
    while (place < running && jobs[place].child != child) {
        place++;
    }
    if (place == running) {
        perror("wait");
        exit(2);
    }
    job = jobs[place];
    jobs[place] = jobs[--running];
    good = is_good(status);
    if (!good && job.count > 1) {
        report_each_alone(&job);
        return;
    }
    for (index = job.first; index < job.first + job.count; index++) {
        report(good, chosen[index].name);
    }
}

static bool wanted(const char *name, char **words)
{
    char **word;
    for (word = words; *word != NULL; word++) {
        if (strstr(name, *word) != NULL) {
            return true;
        }
    }
    return *words == NULL;
}

static void choose(char **words)
{
    const struct suite *suite;
    const struct test *test;
    size_t capacity = 0;
    for (suite = suites; suite->name != NULL; suite++) {
        for (test = suite->tests; test->name != NULL; test++) {
            struct choice *choice;
            if (chosen_count == capacity) {
                capacity = capacity * 2 + 64;
                chosen = realloc(chosen, capacity * sizeof *chosen);
                if (chosen == NULL) {
                    perror("realloc");
                    exit(2);
                }
            }
            choice = &chosen[chosen_count];
            choice->test = test;
            snprintf(choice->name, sizeof choice->name, "%s.%s", suite->name, test->name);
            if (wanted(choice->name, words)) {
                chosen_count++;
            }
        }
    }
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

/* Takes an option and its number, from 1 to `most`, from the arguments; 1 without it. */
static int number(char ***words, const char *option, int most)
{
    int value = 1;
    if ((*words)[0] != NULL && strcmp((*words)[0], option) == 0 && (*words)[1] != NULL) {
        value = atoi((*words)[1]);
        *words += 2;
    }
    return value < 1 ? 1 : value > most ? most : value;
}

int main(int count, char **arguments)
{
    char **words = arguments + 1;
    int most_jobs = number(&words, "--jobs", MOST_JOBS);
    size_t batch = (size_t)number(&words, "--batch", 1000);
    size_t first;
    (void)count;
    if (*words != NULL && strcmp(*words, "--warm") == 0) {
        words++;
        run_last_test();
    }
    choose(words);
    for (first = 0; first < chosen_count; first += batch) {
        if (running == most_jobs) {
            finish_one();
        }
        jobs[running].first = first;
        jobs[running].count = chosen_count - first < batch ? chosen_count - first : batch;
        jobs[running].child = start(first, jobs[running].count);
        running++;
    }
    while (running > 0) {
        finish_one();
    }
    free(chosen);
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
