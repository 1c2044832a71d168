/*
 * Loads the library, has a call fail in a thread, and closes the library before the thread ends:
 * more often than a process can have thread keys.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef int32_t (*function)(void *);

static void *library;
static pthread_barrier_t failed, closed;

static void *fail(void *user_data)
{
    function fails = NULL;
    *(void **)&fails = dlsym(library, "fr_store_commit");
    *(int32_t *)user_data = fails == NULL ? -1 : fails(NULL);
    pthread_barrier_wait(&failed);
    pthread_barrier_wait(&closed);
    return NULL;
}

int main(void)
{
    int round;
    pthread_barrier_init(&failed, NULL, 2);
    pthread_barrier_init(&closed, NULL, 2);
    for (round = 0; round < 2000; round++) {
        pthread_t thread;
        int32_t status = 0;
        library = dlopen("libfetchedresults.so.0", RTLD_NOW);
        if (library == NULL || pthread_create(&thread, NULL, fail, &status) != 0) {
            fprintf(stderr, "unload: round %d\n", round);
            return 1;
        }
        pthread_barrier_wait(&failed);
        dlclose(library);
        pthread_barrier_wait(&closed);
        pthread_join(thread, NULL);
        if (status != 2) {
            fprintf(stderr, "unload: round %d: status %d\n", round, (int)status);
            return 1;
        }
    }
    printf("%d rounds\n", round);
    return 0;
}
