/*
 * The other process: it runs what it receives, statement by statement, and answers with SQLite's
 * code.
 */
#include "world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t writer;
static FILE *commands, *answers;
static bool holds_lock;

void writer_main(const char *path)
{
    sqlite3 *db = NULL;
    char *line = NULL;
    size_t size = 0;
    if (sqlite3_open(path, &db) != SQLITE_OK) exit(2);
    while (getline(&line, &size, stdin) > 0) {
        int code = sqlite3_exec(db, line, NULL, NULL, NULL);
        if (code != SQLITE_OK && strstr(line, "hold") == NULL && sqlite3_get_autocommit(db) == 0) {
            sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
        }
        printf("%d %d\n", code, sqlite3_get_autocommit(db));
        fflush(stdout);
    }
    sqlite3_close(db);
    free(line);
    exit(0);
}

void writer_start(const char *program)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) abort();
    writer = fork();
    if (writer < 0) abort();
    if (writer == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execl(program, program, "--writer", world.path, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    commands = fdopen(to[1], "w");
    answers = fdopen(from[0], "r");
}

void writer_end(void)
{
    if (writer <= 0) return;
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    writer = 0;
}

int writer_run(const char *sql)
{
    int code = -1, is_ended = 1;
    note("other process: %s", sql);
    fprintf(commands, "%s\n", sql);
    fflush(commands);
    if (fscanf(answers, "%d %d", &code, &is_ended) != 2) fault("the other process has ended");
    holds_lock = is_ended == 0;
    if (code != SQLITE_OK) note("other process: code %d", code);
    if (code == SQLITE_CORRUPT || code == SQLITE_IOERR) fault("the other process got code %d: %s", code, sql);
    return code;
}

bool writer_holds_lock(void)
{
    return holds_lock;
}
