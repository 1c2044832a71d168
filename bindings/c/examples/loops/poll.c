/*
 * Tasks in a file, watched with poll: what other processes commit to it is printed.
 *
 *     cc poll.c tasks.c $(pkg-config --cflags --libs fetchedresults) -o poll
 *     ./poll tasks.db
 *     sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tasks.h"

int main(int argc, char **argv)
{
    tasks watched;
    struct pollfd sources[] = {{.events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    bool is_fine = tasks_open(&watched, argc > 1 ? argv[1] : "tasks.db");
    if (!is_fine) {
        return EXIT_FAILURE;
    }
    sources[0].fd = watched.descriptor;
    while (is_fine && sources[1].revents == 0) {
        if (poll(sources, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            perror("poll");
            is_fine = false;
        } else if (sources[0].revents != 0) {
            is_fine = tasks_dispatch(&watched);
        }
    }
    return tasks_close(&watched) && is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
