/*
 * Tasks in a file, watched in a loop of libuv: what other processes commit to it is printed.
 *
 *     cc libuv.c tasks.c $(pkg-config --cflags --libs fetchedresults libuv) -o libuv
 *     ./libuv tasks.db
 *     sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "tasks.h"

struct app {
    tasks watched;
    uv_loop_t loop;
    uv_poll_t commits, input;
    bool has_failed;
};

/* Whether a call of libuv succeeded. If not, the loop ends. */
static bool succeeded(struct app *app, int result)
{
    if (result < 0) {
        fprintf(stderr, "%s\n", uv_strerror(result));
        app->has_failed = true;
        uv_stop(&app->loop);
    }
    return result >= 0;
}

static void on_commit(uv_poll_t *commits, int status, int events)
{
    struct app *app = commits->data;
    (void)events;
    if (succeeded(app, status) && !tasks_dispatch(&app->watched)) {
        app->has_failed = true;
        uv_stop(commits->loop);
    }
}

static void on_input(uv_poll_t *input, int status, int events)
{
    (void)status, (void)events;
    uv_stop(input->loop);
}

static void run(struct app *app)
{
    if (!succeeded(app, uv_poll_init(&app->loop, &app->commits, app->watched.descriptor))) {
        return;
    }
    app->commits.data = app;
    if (succeeded(app, uv_poll_init(&app->loop, &app->input, STDIN_FILENO))) {
        if (succeeded(app, uv_poll_start(&app->commits, UV_READABLE, on_commit))
            && succeeded(app, uv_poll_start(&app->input, UV_READABLE, on_input))) {
            uv_run(&app->loop, UV_RUN_DEFAULT);
        }
        uv_close((uv_handle_t *)&app->input, NULL);
    }
    /* The handles leave the loop before the store closes its descriptor. */
    uv_close((uv_handle_t *)&app->commits, NULL);
    uv_run(&app->loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv)
{
    struct app app = {.has_failed = false};
    int result = uv_loop_init(&app.loop);
    if (result < 0) {
        fprintf(stderr, "%s\n", uv_strerror(result));
        return EXIT_FAILURE;
    }
    if (tasks_open(&app.watched, argc > 1 ? argv[1] : "tasks.db")) {
        run(&app);
        app.has_failed = !tasks_close(&app.watched) || app.has_failed;
    } else {
        app.has_failed = true;
    }
    uv_loop_close(&app.loop);
    return app.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
