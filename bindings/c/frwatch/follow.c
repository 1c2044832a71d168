/* Following a list: what wakes the program, and what it does then. */
#include "follow.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "signals.h"
#include "text.h"

/* How long to wait before a locked database is tried again. */
enum { BUSY_MS = 200 };

struct follower {
    struct watch *watch;
    struct text text;
    struct commands commands;
    struct input input;
    bool has_failed; /* a statement has */
};

static void print_list(struct follower *follower)
{
    const struct options *options = follower->watch->options;
    if (options->quiet) {
        return;
    }
    if (options->mode != MODE_JSON) {
        text_list(&follower->text, follower->watch);
    } else if (options->since < 0 || !json_since(follower->watch, stdout)) {
        json_list(follower->watch, stdout);
    }
    fflush(stdout);
}

static void delivered(struct watch *watch, fr_change_set *changes, void *user_data)
{
    struct follower *follower = user_data;
    if (watch->options->mode == MODE_JSON && !watch->options->quiet) {
        json_changes(watch, changes, stdout);
    } else if (!watch->options->quiet) {
        text_changes(&follower->text, watch, changes);
    }
    fflush(stdout);
    if (watch->options->command != NULL) {
        commands_add(&follower->commands, watch, changes);
    }
}

static void failed(struct watch *watch, const fr_error *error, void *user_data)
{
    (void)user_data;
    message_of_failure(error);
    if (watch->options->mode == MODE_JSON && !watch->options->quiet) {
        json_failure(error, stdout);
        fflush(stdout);
    }
}

/* Executes statements, whose changes are printed before it returns. */
static void execute(struct follower *follower, const char *sql)
{
    const struct options *options = follower->watch->options;
    if (options->mode == MODE_TEXT && !options->quiet) {
        text_statement(sql);
        fflush(stdout);
    }
    if (!watch_execute(follower->watch, sql)) {
        follower->has_failed = true;
    }
    commands_run(&follower->commands, follower->watch);
}

static void execute_input(struct follower *follower)
{
    char *statement;
    input_read(&follower->input, STDIN_FILENO);
    while (signals_ending() == 0 && (statement = input_next(&follower->input)) != NULL) {
        execute(follower, statement);
        free(statement);
    }
}

/*
 * Whether standard output can still be written. A reader that has gone ends the program as it ends
 * any other.
 */
static bool output_is_fine(short events)
{
    if ((events & (POLLERR | POLLNVAL)) != 0) {
        signals_end_by(SIGPIPE);
        return false;
    }
    return !ferror(stdout);
}

/* False when it is over: the input has ended, a signal came, or the list can't be followed. */
static bool wait_once(struct follower *follower, int32_t descriptor, bool *is_lost, bool *is_busy)
{
    const struct options *options = follower->watch->options;
    struct pollfd events[] = {{descriptor, POLLIN, 0},
                              {signals_descriptor(), POLLIN, 0},
                              {STDOUT_FILENO, 0, 0},
                              {options->reads_statements ? STDIN_FILENO : -1, POLLIN, 0}};
    if (*is_busy) {
        events[0].fd = -1;
    }
    if (poll(events, sizeof events / sizeof *events, *is_busy ? BUSY_MS : -1) < 0) {
        if (errno != EINTR) {
            message("poll: %s", strerror(errno));
            *is_lost = true;
        }
        return errno == EINTR && signals_ending() == 0;
    }
    if (signals_take().suspended) {
        signals_stop();
    }
    if (signals_ending() != 0 || !output_is_fine(events[2].revents)) {
        return false;
    }
    if (events[0].revents != 0 || *is_busy) {
        if (!watch_dispatch(follower->watch, is_busy)) {
            *is_lost = true;
            return false;
        }
        commands_run(&follower->commands, follower->watch);
    }
    if (events[3].revents != 0) {
        execute_input(follower);
    }
    return !follower->input.has_ended && signals_ending() == 0 && !ferror(stdout);
}

/* Whoever follows a log finds out what SQLite itself can do to it. */
static void name_reset_bug(const struct watch *watch)
{
    const char *version = fr_sqlite_with_reset_bug();
    if (version != NULL && watch->has_log) {
        message("SQLite %s can lose commits if programs checkpoint at the same time "
                "(https://www.sqlite.org/wal.html#walresetbug); 3.51.3 can't",
                version);
    }
}

static bool go_on(struct follower *follower, int32_t descriptor)
{
    bool is_lost = false, is_busy = false;
    while (wait_once(follower, descriptor, &is_lost, &is_busy)) {
    }
    return !is_lost;
}

static bool begin(struct follower *follower)
{
    const struct reporter reporter = {delivered, failed, follower};
    const struct options *options = follower->watch->options;
    print_list(follower);
    if (!watch_report(follower->watch, reporter)) {
        return false;
    }
    for (size_t i = 0; i < options->statements.count && signals_ending() == 0; i++) {
        execute(follower, options->statements.items[i]);
    }
    return true;
}

int follow(struct watch *watch)
{
    struct follower follower = {.watch = watch};
    bool goes_on = !watch->options->once || watch->options->reads_statements;
    int32_t descriptor = -1;
    bool is_whole = signals_catch();
    if (is_whole && goes_on) {
        /*
         * Before the list is printed: whoever reads that may rename the file, which is to be
         * noticed.
         */
        name_reset_bug(watch);
        is_whole = watch_descriptor(watch, &descriptor);
    }
    is_whole = is_whole && begin(&follower);
    if (is_whole && goes_on && signals_ending() == 0) {
        is_whole = go_on(&follower, descriptor);
    }
    input_free(&follower.input);
    commands_free(&follower.commands);
    if (signals_ending() == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        message("standard output: write error");
        is_whole = false;
    }
    if (!is_whole) {
        return EXIT_UNUSABLE;
    }
    return follower.has_failed || follower.commands.has_failed ? EXIT_FAILED : EXIT_SUCCESS;
}
