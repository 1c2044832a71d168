/* The folder for the files of a test: one per process, removed at its end. */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/fetchedresults-test.XXXXXX";

static void remove_folder(void)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    char path[512];
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
}

const char *file_path(const char *name)
{
    static char paths[4][256];
    static int next;
    static int made;
    if (!made) {
        made = 1;
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(2);
        }
        atexit(remove_folder);
    }
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}
