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
#include <unistd.h>

#include "tasks.h"

int main(int argc, char **argv)
{
    tasks watched = tasks_open(argc > 1 ? argv[1] : "tasks.db");
    struct pollfd sources[] = {{.fd = watched.descriptor, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    int result = 0;
    while (sources[1].revents == 0) {
        if (poll(sources, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            perror("poll");
            result = 1;
            break;
        }
        if (sources[0].revents != 0) {
            tasks_dispatch(&watched);
        }
    }
    tasks_close(&watched);
    return result;
}
