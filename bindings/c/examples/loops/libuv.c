/*
 * Tasks in a file, watched in a loop of libuv: what other processes commit to it is printed.
 *
 *     cc libuv.c tasks.c $(pkg-config --cflags --libs fetchedresults libuv) -o libuv
 *     ./libuv tasks.db
 *     sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "tasks.h"

static void check(int result)
{
    if (result < 0) {
        fprintf(stderr, "%s\n", uv_strerror(result));
        exit(EXIT_FAILURE);
    }
}

static void on_commit(uv_poll_t *commits, int status, int events)
{
    (void)events;
    check(status);
    tasks_dispatch(commits->data);
}

static void on_input(uv_poll_t *input, int status, int events)
{
    (void)status, (void)events;
    uv_stop(input->loop);
}

int main(int argc, char **argv)
{
    tasks watched = tasks_open(argc > 1 ? argv[1] : "tasks.db");
    uv_loop_t loop;
    uv_poll_t commits = {.data = &watched}, input;
    check(uv_loop_init(&loop));
    check(uv_poll_init(&loop, &commits, watched.descriptor));
    check(uv_poll_init(&loop, &input, STDIN_FILENO));
    check(uv_poll_start(&commits, UV_READABLE, on_commit));
    check(uv_poll_start(&input, UV_READABLE, on_input));
    uv_run(&loop, UV_RUN_DEFAULT);

    /* The handles leave the loop before the store closes its descriptor. */
    uv_close((uv_handle_t *)&commits, NULL);
    uv_close((uv_handle_t *)&input, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    check(uv_loop_close(&loop));
    tasks_close(&watched);
    return 0;
}
