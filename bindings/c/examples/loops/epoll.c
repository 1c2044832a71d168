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

static int check(int result, const char *call)
{
    if (result < 0) {
        perror(call);
        exit(EXIT_FAILURE);
    }
    return result;
}

/* Level-triggered, as epoll is unless asked otherwise: the descriptor stays readable while something waits. */
static void watch(int queue, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    check(epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

int main(int argc, char **argv)
{
    tasks watched = tasks_open(argc > 1 ? argv[1] : "tasks.db");
    int queue = check(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
    bool ends = false;
    watch(queue, watched.descriptor);
    watch(queue, STDIN_FILENO);
    while (!ends) {
        struct epoll_event event;
        int count = epoll_wait(queue, &event, 1, -1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        check(count, "epoll_wait");
        if (event.data.fd == watched.descriptor) {
            tasks_dispatch(&watched);
        } else {
            ends = true;
        }
    }
    close(queue);
    tasks_close(&watched);
    return 0;
}
