/*
 * Signals. They may come to a thread of the library: only the pipe wakes the program for certain.
 */
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

static volatile sig_atomic_t was_resized, was_suspended, ended_by;
static int ends[2];

static void handle(int number)
{
    int error = errno;
    if (number == SIGWINCH) {
        was_resized = 1;
    } else if (number == SIGTSTP) {
        was_suspended = 1;
    } else {
        ended_by = number;
    }
    if (write(ends[1], "", 1) < 0) {
        errno = error; /* a full pipe wakes as well */
    }
    errno = error;
}

/* A write that blocks ends with the signal. */
static void catch_ending(int number)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
    sigaction(number, &action, NULL);
}

bool signals_catch(void)
{
    static const int restarting[] = {SIGWINCH, SIGTSTP}, ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) {
        message("pipe: %s", strerror(errno));
        return false;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof restarting / sizeof *restarting; i++) {
        sigaction(restarting[i], &action, NULL);
    }
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction before;
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            catch_ending(ending[i]);
        }
    }
    return true;
}

int signals_descriptor(void)
{
    return ends[0];
}

struct signals signals_take(void)
{
    struct signals taken;
    char bytes[64];
    while (read(ends[0], bytes, sizeof bytes) > 0) {
    }
    taken.resized = was_resized;
    taken.suspended = was_suspended;
    was_resized = was_suspended = 0;
    return taken;
}

int signals_ending(void)
{
    return ended_by;
}

bool signals_take_interrupt(void)
{
    if (ended_by != SIGINT) {
        return false;
    }
    ended_by = 0;
    catch_ending(SIGINT);
    return true;
}

void signals_stop(void)
{
    raise(SIGSTOP);
}

void signals_end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}
