#define _GNU_SOURCE
#include "written.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static struct text *noted;
static char prefix[256];

void note_written(struct text *calls, const char *path)
{
    noted = calls;
    snprintf(prefix, sizeof prefix, "%s", path == NULL ? "" : path);
}

/* What follows the prefix in a path; NULL for a file that is not noted. */
static const char *suffix_of(const char *path)
{
    size_t length = strlen(prefix);
    if (noted == NULL || strncmp(path, prefix, length) != 0 || strcmp(path + length, "-shm") == 0) {
        return NULL;
    }
    return path + length;
}

/* Whether it was noted. */
static bool note(const char *path, const char *call, long long offset, size_t count, const unsigned char *bytes)
{
    const char *suffix = suffix_of(path);
    unsigned long long hash = 14695981039346656037ULL;
    size_t index;
    if (suffix == NULL) {
        return false;
    }
    for (index = 0; bytes != NULL && index < count; index++) {
        hash = (hash ^ bytes[index]) * 1099511628211ULL;
    }
    text_add(noted, "file%s %s %lld %zu %llx\n", suffix, call, offset, count, bytes == NULL ? 0 : hash);
    return true;
}

static bool note_file(int file, const char *call, long long offset, size_t count, const void *bytes)
{
    char link[64], path[256];
    ssize_t length;
    if (noted == NULL) {
        return false;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return note(path, call, offset, count, bytes);
}

/* A function of the C library. ISO C has no conversion from an object's address to a function's. */
#define LIBRARY(result, name, ...) \
    static result (*library)(__VA_ARGS__); \
    if (library == NULL) { \
        *(void **)&library = dlsym(RTLD_NEXT, name); \
    }

ssize_t write(int file, const void *bytes, size_t count)
{
    LIBRARY(ssize_t, "write", int, const void *, size_t)
    if (noted != NULL) {
        note_file(file, "write", lseek(file, 0, SEEK_CUR), count, bytes);
    }
    return library(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    LIBRARY(ssize_t, "pwrite", int, const void *, size_t, off_t)
    note_file(file, "write", offset, count, bytes);
    return library(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
    LIBRARY(ssize_t, "pwrite64", int, const void *, size_t, off64_t)
    note_file(file, "write", offset, count, bytes);
    return library(file, bytes, count, offset);
}

int ftruncate(int file, off_t size)
{
    LIBRARY(int, "ftruncate", int, off_t)
    note_file(file, "truncate", size, 0, NULL);
    return library(file, size);
}

int ftruncate64(int file, off64_t size)
{
    LIBRARY(int, "ftruncate64", int, off64_t)
    note_file(file, "truncate", size, 0, NULL);
    return library(file, size);
}

int fsync(int file)
{
    LIBRARY(int, "fsync", int)
    return note_file(file, "sync", 0, 0, NULL) ? 0 : library(file);
}

int fdatasync(int file)
{
    LIBRARY(int, "fdatasync", int)
    return note_file(file, "sync", 0, 0, NULL) ? 0 : library(file);
}

int unlink(const char *path)
{
    LIBRARY(int, "unlink", const char *)
    note(path, "remove", 0, 0, NULL);
    return library(path);
}
