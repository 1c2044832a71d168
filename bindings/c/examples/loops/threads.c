/*
 * Several threads on one file, each with a store of its own: it writes, and follows what the others
 * write.
 *
 *     cc threads.c $(pkg-config --cflags --libs fetchedresults) -lpthread -o threads
 *     ./threads notes.db
 *
 * A store is used by one thread at a time, so the threads share nothing but the file. Each waits in
 * a loop of its own, which the commits of the others wake.
 */
#include <errno.h>
#include <fetchedresults.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, NOTES = 10 };

typedef struct worker {
    const char *path;
    int number;
    int reported; /* how many notes the change sets have reported */
    bool has_failed;
    pthread_t thread;
    fr_store *store;
    fr_list *list;
} worker;

/* A pipe that is never read: a byte in it ends all threads. */
static int stop[2];

/* The error is that of the calling thread. */
static bool succeeded(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "%s: %s\n", fr_status_name(status), fr_error_message());
    }
    return status == FR_OK;
}

static void note_inserted(fr_list *list, fr_object *note, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)list, (void)note, (void)changes;
    ((worker *)user_data)->reported += change->type == FR_INSERT;
}

static fr_status fetch_notes(worker *self)
{
    const fr_observer observer = {.struct_size = sizeof observer, .object_changed = note_inserted};
    fr_request *request;
    int64_t count = 0;
    fr_status status = fr_request_new(&request, "notes");
    if (status == FR_OK) {
        status = fr_controller_new(&self->list, self->store, request);
        fr_request_free(request);
    }
    if (status == FR_OK) {
        status = fr_list_perform_fetch(self->list);
    }
    if (status == FR_OK) {
        status = fr_list_count(&count, self->list);
        self->reported = (int)count;
    }
    return status == FR_OK ? fr_list_add_observer(NULL, self->list, &observer, self, NULL) : status;
}

/* Writes its notes, one after another, and follows those of the others until it has all. */
static fr_status follow(worker *self)
{
    int written = 0;
    struct pollfd loop[] = {{.events = POLLIN}, {.fd = stop[0], .events = POLLIN}};
    fr_status status = fr_store_file_descriptor(&loop[0].fd, self->store);
    while (status == FR_OK && self->reported < THREADS * NOTES && loop[1].revents == 0) {
        if (written < NOTES) {
            fr_value author = fr_integer(self->number);
            status = fr_store_execute(self->store, "INSERT INTO notes (author) VALUES (?)", &author, 1);
            written++;
        } else {
            /* Until the others have written. */
            poll(loop, 2, -1);
        }
        if (status == FR_OK) {
            status = fr_store_dispatch(self->store);
        }
    }
    return status;
}

static void *work(void *argument)
{
    worker *self = argument;
    self->has_failed = !succeeded(fr_store_open(&self->store, self->path, NULL)) || !succeeded(fetch_notes(self))
                       || !succeeded(follow(self));
    fr_list_free(self->list);
    self->has_failed = !succeeded(fr_store_close(self->store)) || self->has_failed;
    if (self->has_failed && write(stop[1], "", 1) < 0) {
        perror("write");
    }
    return NULL;
}

static bool make_table(const char *path)
{
    fr_store *store = NULL;
    bool is_made = succeeded(fr_store_open(&store, path, NULL))
                   && succeeded(fr_store_execute_script(store,
                                                        "DROP TABLE IF EXISTS notes;"
                                                        "CREATE TABLE notes (id INTEGER PRIMARY KEY, author INTEGER)"));
    return succeeded(fr_store_close(store)) && is_made;
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    const char *path = argc > 1 ? argv[1] : "notes.db";
    int started = 0;
    bool has_failed = false;
    if (pipe(stop) != 0) {
        perror("pipe");
        return EXIT_FAILURE;
    }
    if (!make_table(path)) {
        return EXIT_FAILURE;
    }
    for (; started < THREADS && !has_failed; started += !has_failed) {
        workers[started] = (worker){.path = path, .number = started};
        errno = pthread_create(&workers[started].thread, NULL, work, &workers[started]);
        has_failed = errno != 0;
    }
    if (has_failed) {
        perror("pthread_create");
        if (write(stop[1], "", 1) < 0) {
            perror("write");
        }
    }
    for (int number = 0; number < started; number++) {
        pthread_join(workers[number].thread, NULL);
        has_failed = has_failed || workers[number].has_failed;
        printf("thread %d has %d notes\n", number, workers[number].reported);
    }
    return has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
