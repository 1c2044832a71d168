#define _GNU_SOURCE
#include "log_locks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The bytes of the locks, counted from the first one, and the number of all. */
enum { FIRST_BYTE = 120, CHECKPOINT = 1, READ_MARK_1 = 4, LOCKS = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct checkpoints *counted;
static char index_path[300];
/* F_UNLCK, F_RDLCK or F_WRLCK. SQLite takes a lock once for all connections of a process. */
static int locks[LOCKS];

void count_checkpoints(struct checkpoints *counts, const char *path)
{
    int lock;
    pthread_mutex_lock(&mutex);
    counted = counts;
    snprintf(index_path, sizeof index_path, "%s-shm", path == NULL ? "" : path);
    for (lock = 0; lock < LOCKS; lock++) locks[lock] = F_UNLCK;
    pthread_mutex_unlock(&mutex);
}

static bool is_index(int file)
{
    char link[64], path[300];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return strcmp(path, index_path) == 0;
}

static void note_granted(const struct flock *request)
{
    int lock, first = (int)request->l_start - FIRST_BYTE;
    bool has_mark = false;
    for (lock = READ_MARK_1; lock < LOCKS; lock++) has_mark = has_mark || locks[lock] == F_RDLCK;
    /* Whoever repairs the index takes this lock together with the next one. */
    if (first == CHECKPOINT && request->l_len == 1 && request->l_type == F_WRLCK) {
        *(has_mark ? &counted->held : &counted->unheld) += 1;
    }
    for (lock = first; lock < first + request->l_len && lock < LOCKS; lock++) {
        if (lock >= 0) locks[lock] = request->l_type;
    }
}

static int call(int (*library)(int, int, ...), int file, int command, void *argument)
{
    int result = library(file, command, argument);
    if (command == F_SETLK && result == 0 && counted != NULL) {
        pthread_mutex_lock(&mutex);
        if (counted != NULL && is_index(file)) note_granted(argument);
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

/* ISO C has no conversion from an object's address to a function's. */
#define FORWARD(name) \
    static int (*library)(int, int, ...); \
    va_list arguments; \
    void *argument; \
    va_start(arguments, command); \
    argument = va_arg(arguments, void *); \
    va_end(arguments); \
    if (library == NULL) *(void **)&library = dlsym(RTLD_NEXT, name); \
    return call(library, file, command, argument);

int fcntl(int file, int command, ...)
{
    FORWARD("fcntl")
}

int fcntl64(int file, int command, ...)
{
    FORWARD("fcntl64")
}
