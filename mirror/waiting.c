/* Signals and sockets. The pipe has a byte after a signal, and no one reads it. */
#include "waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

static volatile sig_atomic_t ended_by;
static int ends[2] = {-1, -1};

static void handle(int number)
{
    int error = errno;
    ended_by = number;
    if (write(ends[1], "", 1) < 0) {
        errno = error; /* a full pipe wakes as well */
    }
    errno = error;
}

bool signals_catch(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) {
        return failed(FAILURE_MEMORY, "no pipe can be made: %s", strerror(errno));
    }
    action.sa_handler = handle;
    action.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(ending[i], &action, NULL);
        }
    }
    /* A write to a socket that the server closed is an error that libpq returns. */
    signal(SIGPIPE, SIG_IGN);
    return true;
}

bool signals_end(void)
{
    if (ended_by != 0) {
        failed(FAILURE_ENDED, "ended by a signal");
    }
    return ended_by != 0;
}

void wait_for_sockets(int one, int other, int milliseconds)
{
    /*
     * poll leaves out what is negative. A failure of it is an interruption, after which callers
     * look again.
     */
    struct pollfd sockets[] = {{one, POLLIN, 0}, {other, POLLIN, 0}, {ends[0], POLLIN, 0}};
    poll(sockets, 3, milliseconds);
}

double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}
