/*
 * Several threads on one file, each with a store of its own: it writes, and follows what the others write.
 *
 *     cc threads.c $(pkg-config --cflags --libs fetchedresults) -lpthread -o threads
 *     ./threads notes.db
 *
 * A store is used by one thread at a time, so the threads share nothing but the file. Each waits in a loop of its own,
 * which the commits of the others wake.
 */
#include <fetchedresults.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, NOTES = 10 };

typedef struct worker {
    const char *path;
    int number;
    int told; /* how many notes the change sets have reported */
    pthread_t thread;
} worker;

/* A thread must not call exit while others run. */
static void check(fr_status status)
{
    if (status != FR_OK) {
        fprintf(stderr, "%s\n", fr_error_message());
        abort();
    }
}

static void note_inserted(fr_list *list, fr_object *note, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)list, (void)note, (void)changes;
    ((worker *)user_data)->told += change->type == FR_INSERT;
}

static fr_list *fetch_notes(fr_store *store, worker *self)
{
    const fr_observer observer = {.struct_size = sizeof observer, .object_changed = note_inserted};
    fr_request *request;
    fr_list *list;
    int64_t count;
    check(fr_request_new(&request, "notes"));
    check(fr_controller_new(&list, store, request));
    fr_request_free(request);
    check(fr_list_perform_fetch(list));
    check(fr_list_count(&count, list));
    self->told = (int)count;
    check(fr_list_add_observer(NULL, list, &observer, self, NULL));
    return list;
}

/* Writes its notes, one after another, and follows those of the others until it has all. */
static void *work(void *argument)
{
    worker *self = argument;
    int written = 0;
    fr_store *store;
    fr_list *list;
    struct pollfd loop = {.events = POLLIN};
    check(fr_store_open(&store, self->path, NULL));
    list = fetch_notes(store, self);
    check(fr_store_file_descriptor(&loop.fd, store));
    while (self->told < THREADS * NOTES) {
        if (written < NOTES) {
            fr_value author = fr_integer(self->number);
            check(fr_store_execute(store, "INSERT INTO notes (author) VALUES (?)", &author, 1));
            written++;
        } else {
            /* Until the others have written. */
            poll(&loop, 1, -1);
        }
        check(fr_store_dispatch(store));
    }
    fr_list_free(list);
    check(fr_store_close(store));
    return NULL;
}

static void make_table(const char *path)
{
    fr_store *store;
    check(fr_store_open(&store, path, NULL));
    check(fr_store_execute_script(store, "DROP TABLE IF EXISTS notes;"
                                         "CREATE TABLE notes (id INTEGER PRIMARY KEY, author INTEGER)"));
    check(fr_store_close(store));
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    const char *path = argc > 1 ? argv[1] : "notes.db";
    make_table(path);
    for (int number = 0; number < THREADS; number++) {
        workers[number] = (worker){.path = path, .number = number};
        if (pthread_create(&workers[number].thread, NULL, work, &workers[number]) != 0) {
            perror("pthread_create");
            return 1;
        }
    }
    for (int number = 0; number < THREADS; number++) {
        pthread_join(workers[number].thread, NULL);
        printf("thread %d has %d notes\n", number, workers[number].told);
    }
    return 0;
}
