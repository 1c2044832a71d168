/* The folder for the files of a test. It is removed when the test ends, or its process. */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[] = "/tmp/fetchedresults-test.XXXXXX";

/*
 * The process that the folder belongs to; a child inherits the name, and makes a folder of its own.
 */
static pid_t owner;

void remove_files(void)
{
    DIR *entries;
    struct dirent *entry;
    char path[512];
    if (owner != getpid()) {
        return;
    }
    entries = opendir(folder);
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            remove(path);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    rmdir(folder);
    owner = 0;
}

const char *file_path(const char *name)
{
    static char paths[4][256];
    static int next;
    if (owner != getpid()) {
        static bool is_registered;
        owner = getpid();
        memset(folder + sizeof folder - 7, 'X', 6);
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(2);
        }
        if (!is_registered) {
            is_registered = atexit(remove_files) == 0;
        }
    }
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}
