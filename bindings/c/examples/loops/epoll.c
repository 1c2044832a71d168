/*
 * Tasks in a file, watched with epoll: what other processes commit to it is printed.
 *
 *     cc epoll.c tasks.c $(pkg-config --cflags --libs fetchedresults) -o epoll
 *     ./epoll tasks.db
 *     sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "tasks.h"

static bool succeeded(int result, const char *call)
{
    if (result < 0) {
        perror(call);
    }
    return result >= 0;
}

/*
 * Level-triggered, as epoll is unless asked otherwise: the descriptor stays readable while
 * something waits.
 */
static bool watch(int queue, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return succeeded(epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

/* Whether it came to its end. */
static bool follow(const tasks *watched, int queue)
{
    while (true) {
        struct epoll_event event;
        int count = epoll_wait(queue, &event, 1, -1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (!succeeded(count, "epoll_wait")) {
            return false;
        }
        if (event.data.fd == STDIN_FILENO) {
            return true;
        }
        if (!tasks_dispatch(watched)) {
            return false;
        }
    }
}

int main(int argc, char **argv)
{
    tasks watched;
    int queue;
    bool is_fine;
    if (!tasks_open(&watched, argc > 1 ? argv[1] : "tasks.db")) {
        return EXIT_FAILURE;
    }
    queue = epoll_create1(EPOLL_CLOEXEC);
    is_fine = succeeded(queue, "epoll_create1") && watch(queue, watched.descriptor) && watch(queue, STDIN_FILENO)
              && follow(&watched, queue);
    if (queue >= 0) {
        close(queue);
    }
    return tasks_close(&watched) && is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
