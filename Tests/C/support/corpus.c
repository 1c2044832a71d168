#include "corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { MOST_LINES = 4000, MOST_FILES = 100 };

/* The lines of one scenario. */
struct scenario {
    json_t *lines[MOST_LINES];
    int places[MOST_LINES]; /* in the file */
    size_t count;
};

/* What the library is asked to compare by */

static int compare_bytes(unsigned char a, unsigned char b)
{
    return (a > b) - (a < b);
}

/* Compares from the last byte to the first. */
static int32_t compare_reversed(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    int order = 0;
    (void)user_data;
    while (a_length > 0 && b_length > 0 && order == 0) {
        order = compare_bytes((unsigned char)a[--a_length], (unsigned char)b[--b_length]);
    }
    return order != 0 ? order : (a_length > 0) - (b_length > 0);
}

static unsigned char folded(char byte)
{
    return (unsigned char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

/* Compares without the case of ASCII letters. */
static int32_t compare_folded(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    size_t index;
    int order = 0;
    (void)user_data;
    for (index = 0; index < a_length && index < b_length && order == 0; index++) {
        order = compare_bytes(folded(a[index]), folded(b[index]));
    }
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* A scenario */

static fr_store *open_store(const char *path, uint32_t flags)
{
    fr_store_options options;
    fr_store *store = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.flags = flags;
    CHECK_OK(fr_store_open(&store, path, &options));
    CHECK_OK(fr_store_add_collation(store, "REVERSED", compare_reversed, NULL, NULL));
    CHECK_OK(fr_store_add_collation(store, "FOLDED", compare_folded, NULL, NULL));
    return store;
}

static void remove_database(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    size_t index;
    for (index = 0; index < sizeof suffixes / sizeof *suffixes; index++) {
        struct text name = {NULL, 0, 0};
        text_add(&name, "%s%s", path, suffixes[index]);
        remove(text_get(&name));
        text_free(&name);
    }
}

static void begin(struct corpus *corpus, json_t *first, const char *path)
{
    bool has_file = json_object_get(first, "file") != NULL;
    corpus->name = json_string_value(json_object_get(first, "scenario"));
    remove_database(path);
    corpus->store = open_store(has_file ? path : ":memory:",
                               json_object_get(first, "queued") != NULL ? FR_STORE_QUEUED : 0);
    corpus->other = has_file ? open_store(path, 0) : NULL;
}

/* Collections were made last, and release their children. */
static void end(struct corpus *corpus, const char *path)
{
    int number;
    for (number = CORPUS_LISTS - 1; number >= 0; number--) {
        corpus_free_list(corpus, number);
    }
    while (corpus->placeholder_count > 0) {
        fr_placeholder_free(corpus->placeholders[--corpus->placeholder_count]);
    }
    CHECK_OK(fr_store_close(corpus->store));
    if (corpus->other != NULL) {
        CHECK_OK(fr_store_close(corpus->other));
    }
    corpus_rows_free(&corpus->rows);
    remove_database(path);
}

static void report_fetched(struct corpus *corpus, int number)
{
    corpus->lists[number].was_fetched = false;
    if (corpus->hooks->fetched != NULL) {
        corpus->hooks->fetched(corpus, number);
    }
}

static void check_fetched(struct corpus *corpus, json_t *line)
{
    int number = (int)json_integer_value(json_object_get(line, "list"));
    corpus->lists[number].picture = json_object_get(line, "shows");
    corpus->lists[number].totals = json_object_get(line, "totals");
    corpus_check_shown(corpus, number);
    report_fetched(corpus, number);
}

static json_t *expectation_of(json_t *expectations, int number)
{
    size_t index;
    json_t *each;
    json_array_foreach(expectations, index, each)
    {
        if (json_integer_value(json_object_get(each, "list")) == number) {
            return each;
        }
    }
    return NULL;
}

static bool has_number(json_t *array, int number)
{
    size_t index;
    json_t *each;
    json_array_foreach(array, index, each)
    {
        if (json_integer_value(each) == number) {
            return true;
        }
    }
    return false;
}

/*
 * Compares all lists; those that are not named have delivered nothing and show what they showed
 * before. Rows of lists that are paused or can't be read may be deleted.
 */
static void settle(struct corpus *corpus, json_t *line)
{
    json_t *expectations = json_object_get(line, "then"), *stale = json_object_get(line, "stale");
    int number;
    for (number = 0; number < CORPUS_LISTS; number++) {
        struct corpus_list *list = &corpus->lists[number];
        json_t *expected = expectation_of(expectations, number);
        if (list->list == NULL) {
            continue;
        }
        corpus_check_reported(corpus, number, expected);
        if (json_object_get(expected, "shows") != NULL) {
            list->picture = json_object_get(expected, "shows");
            list->totals = json_object_get(expected, "totals");
        }
        list->is_stale = has_number(stale, number);
        if (list->is_stale) {
            corpus_look(corpus, number);
        } else if (list->picture != NULL) {
            corpus_check_shown(corpus, number);
        }
    }
    for (number = 0; number < CORPUS_LISTS; number++) {
        if (corpus->lists[number].was_fetched && corpus->lists[number].picture != NULL) {
            report_fetched(corpus, number);
        }
    }
    if (corpus->hooks->settled != NULL) {
        corpus->hooks->settled(corpus);
    }
}

static void take_line(struct corpus *corpus, json_t *line)
{
    json_t *rows = json_object_get(line, "rows"), *look = json_object_get(line, "look");
    if (rows != NULL) {
        corpus_rows_add(&corpus->rows, rows);
    } else if (json_object_get(line, "then") != NULL) {
        settle(corpus, line);
    } else if (json_object_get(line, "shows") != NULL) {
        check_fetched(corpus, line);
    } else if (look != NULL) {
        corpus_look(corpus, (int)json_integer_value(look));
    } else {
        CHECK_INT(corpus_do(corpus, line), json_integer_value(json_object_get(line, "fails")));
    }
}

/* Replays up to the first line at which something is wrong. */
static void replay(const struct scenario *scenario, const char *file, const char *path,
                   const struct corpus_hooks *hooks, void *user_data)
{
    struct corpus corpus;
    int before = failures();
    size_t index;
    memset(&corpus, 0, sizeof corpus);
    corpus.hooks = hooks;
    corpus.user_data = user_data;
    begin(&corpus, scenario->lines[0], path);
    for (index = 1; index < scenario->count && failures() == before; index++) {
        take_line(&corpus, scenario->lines[index]);
    }
    if (failures() != before) {
        fail(file, scenario->places[index - 1], "FR_SEED=%s", corpus.name);
    }
    end(&corpus, path);
}

/* Files */

static bool is_wanted(const struct scenario *scenario)
{
    const char *only = getenv("FR_SEED"), *many = getenv("FR_SEEDS");
    const char *seed = json_string_value(json_object_get(scenario->lines[0], "scenario"));
    if (only != NULL) {
        return strcmp(only, seed) == 0;
    }
    return many == NULL || atoi(seed) <= atoi(many);
}

/* Replays a scenario that is complete, and makes room for another one. */
static int finish(struct scenario *scenario, const char *file, const char *path, const struct corpus_hooks *hooks,
                  void *user_data)
{
    bool wanted = scenario->count > 0 && is_wanted(scenario);
    if (wanted) {
        replay(scenario, file, path, hooks, user_data);
    }
    while (scenario->count > 0) {
        json_decref(scenario->lines[--scenario->count]);
    }
    return wanted;
}

static int replay_file(const char *name, const char *path, const struct corpus_hooks *hooks, void *user_data)
{
    static struct scenario scenario;
    FILE *file = fopen(name, "r");
    int line, count = 0;
    if (!CHECK(file != NULL)) {
        return 0;
    }
    for (line = 1;; line++) {
        json_t *json = json_loadf(file, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, NULL);
        if (json == NULL) {
            CHECK(feof(file));
            break;
        }
        if (json_object_get(json, "scenario") != NULL) {
            count += finish(&scenario, name, path, hooks, user_data);
        }
        if (!CHECK(scenario.count < MOST_LINES)) {
            json_decref(json);
            break;
        }
        scenario.places[scenario.count] = line;
        scenario.lines[scenario.count++] = json;
    }
    count += finish(&scenario, name, path, hooks, user_data);
    fclose(file);
    return count;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int corpus_replay(const char *path, const struct corpus_hooks *hooks, void *user_data)
{
    char *names[MOST_FILES];
    int count = 0, index, scenarios = 0;
    DIR *folder = opendir(CORPUS_FOLDER);
    struct dirent *entry;
    if (!CHECK(folder != NULL)) {
        return 0;
    }
    while ((entry = readdir(folder)) != NULL && count < MOST_FILES) {
        if (strstr(entry->d_name, ".jsonl") != NULL) {
            struct text name = {NULL, 0, 0};
            text_add(&name, "%s/%s", CORPUS_FOLDER, entry->d_name);
            names[count++] = text_copy(text_get(&name));
            text_free(&name);
        }
    }
    closedir(folder);
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (index = 0; index < count; index++) {
        scenarios += replay_file(names[index], path, hooks, user_data);
        free(names[index]);
    }
    return scenarios;
}
