/* The owners of the cached lists' files: links, pipes, and directories that others can write to. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"

#define LIST "items.list"

static fr_store *opened(const char *directory)
{
    fr_store_options options;
    fr_store *store = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.cache_directory = file_path(directory);
    CHECK_OK(fr_store_open(&store, file_path("database"), &options));
    run(store, "CREATE TABLE IF NOT EXISTS items(id INTEGER PRIMARY KEY)");
    return store;
}

/* Fetches the items. Returns whether their list was read from the cache. */
static bool is_cached(fr_store *store)
{
    fr_request *request = request_of("items", NULL, NULL, NULL);
    fr_list *list = NULL;
    fr_counters counters;
    counters.struct_size = sizeof counters;
    counters.cached_fetches = 0;
    CHECK_OK(fr_request_set_cache_name(request, "items"));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_OK(fr_controller_counters(&counters, list));
    fr_list_free(list);
    return counters.cached_fetches == 1;
}

/* The database's own directory in a cache directory. */
static const char *folder_in(const char *directory)
{
    static char path[600];
    DIR *entries = opendir(file_path(directory));
    struct dirent *entry;
    path[0] = 0;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strncmp(entry->d_name, "database-", 9) == 0) {
            snprintf(path, sizeof path, "%s/%s", file_path(directory), entry->d_name);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    CHECK(path[0] != 0);
    return path;
}

static const char *in(const char *folder, const char *name)
{
    static char paths[2][900];
    static int next;
    next = 1 - next;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("of the user's own", file);
    fclose(file);
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static void folder_that_is_a_link_is_not_used(void)
{
    fr_store *store = opened("linked");
    const char *folder, *other = file_path("others");
    CHECK(!is_cached(store) && is_cached(store));
    folder = folder_in("linked");
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(!is_there(folder));
    CHECK_INT(mkdir(other, 0700), 0);
    write_file(in(other, "notes.txt"));
    write_file(in(other, LIST));
    CHECK_INT(symlink(other, folder), 0);

    CHECK_STATUS(fr_store_delete_all_caches(store), FR_IO);
    CHECK_STATUS(fr_store_delete_cache(store, "items"), FR_IO);
    CHECK_STATUS(fr_database_delete_all_caches(file_path("database"), file_path("linked")), FR_IO);
    CHECK_STATUS(fr_database_delete_cache(file_path("database"), file_path("linked"), "items"), FR_IO);
    other = file_path("others");
    CHECK(!is_cached(store) && !is_cached(store));
    CHECK(is_there(in(other, "notes.txt")) && is_there(in(other, LIST)));
    CHECK_STATUS(fr_store_close(store), FR_IO);
    CHECK(strstr(fr_error_message(), "the list \"items\" could not be cached: can't open ") != NULL);
    store = opened("linked");

    CHECK_INT(unlink(folder), 0);
    unlink(in(other, "notes.txt"));
    unlink(in(other, LIST));
    rmdir(other);
    CHECK(!is_cached(store) && is_cached(store));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK_OK(fr_store_close(store));
}

static void link_is_not_followed(void)
{
    fr_store *store = opened("file");
    const char *folder, *notes = file_path("notes.list");
    CHECK(!is_cached(store));
    folder = folder_in("file");
    CHECK_INT(rename(in(folder, LIST), notes), 0);
    CHECK_INT(symlink(notes, in(folder, LIST)), 0);
    CHECK_OK(fr_store_delete_cache(store, "items"));
    CHECK(is_there(in(folder, LIST)));
    CHECK(!is_cached(store));
    CHECK(is_there(notes));
    CHECK(is_cached(store));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(is_there(notes));
    CHECK_OK(fr_store_close(store));
}

static void pipe_is_not_waited_for(void)
{
    fr_store *store = opened("pipe");
    const char *folder;
    CHECK(!is_cached(store));
    folder = folder_in("pipe");
    CHECK_OK(fr_store_delete_cache(store, "items"));
    CHECK_INT(mkfifo(in(folder, LIST), 0600), 0);
    /* A program that waits for it ends here. */
    alarm(60);
    CHECK_OK(fr_store_delete_cache(store, "items"));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(is_there(in(folder, LIST)));
    CHECK(!is_cached(store) && is_cached(store));
    alarm(0);
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(!is_there(folder));
    CHECK_OK(fr_store_close(store));
}

static void directory_that_others_can_write_to_is_not_used(void)
{
    static const mode_t modes[] = {0777, 0770, 0702};
    fr_store *store = opened("shared");
    const char *folder, *directory = file_path("shared");
    size_t i;
    int which;
    CHECK(!is_cached(store) && is_cached(store));
    folder = folder_in("shared");
    for (i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        for (which = 0; which < 2; which++) {
            const char *path = which == 0 ? folder : directory;
            CHECK_INT(chmod(path, modes[i]), 0);
            CHECK(!is_cached(store));
            CHECK_STATUS(fr_store_delete_cache(store, "items"), FR_IO);
            CHECK(strstr(fr_error_message(), "other users can write") != NULL);
            CHECK_STATUS(fr_store_delete_all_caches(store), FR_IO);
            CHECK_INT(chmod(path, 0700), 0);
            CHECK(is_cached(store));
        }
    }
    /* The mode of /tmp. */
    CHECK_INT(chmod(directory, 01777), 0);
    CHECK(is_cached(store));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(!is_there(folder));
    CHECK_OK(fr_store_close(store));
}

static void files_of_other_programs_stay(void)
{
    fr_store *store = opened("mixed");
    const char *folder, *own = "items.list.0123456789abcdef", *others = "items.list.backup";
    CHECK(!is_cached(store));
    folder = folder_in("mixed");
    write_file(in(folder, "notes.txt"));
    write_file(in(folder, others));
    write_file(in(folder, own));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(is_there(in(folder, "notes.txt")) && is_there(in(folder, others)));
    CHECK(!is_there(in(folder, own)) && !is_there(in(folder, LIST)));
    unlink(in(folder, "notes.txt"));
    unlink(in(folder, others));
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK(!is_there(folder));
    CHECK_OK(fr_store_close(store));
}

TESTS(cache_folder_tests) = {
    TEST(folder_that_is_a_link_is_not_used),
    TEST(link_is_not_followed),
    TEST(pipe_is_not_waited_for),
    TEST(directory_that_others_can_write_to_is_not_used),
    TEST(files_of_other_programs_stay),
    END_OF_TESTS,
};
