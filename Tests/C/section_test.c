/* The sections of lists in C: lent strings, and index titles that the program makes. */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "text.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, s, n TEXT COLLATE NOCASE);"

/*
 * A list that does not change returns the same string again, and not another one that Unicode
 * treats as equivalent.
 */
static void strings_are_lent_once(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, 'a'), (2, 'e\xcc\x81'), (3, '\xc3\xa9')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    for (int64_t index = 0; index < 3; index++) {
        fr_section_info first, again;
        const char *title, *same_title;
        CHECK_OK(fr_list_section(&first, list, index));
        CHECK_OK(fr_list_section(&again, list, index));
        CHECK(first.name == again.name && first.index_title == again.index_title);
        CHECK(first.value.data == again.value.data);
        CHECK_INT(first.name_length, index == 0 ? 1 : index == 1 ? 3 : 2);
        if (index == 2) continue;
        CHECK_OK(fr_list_index_title(&title, list, index));
        CHECK_OK(fr_list_index_title(&same_title, list, index));
        CHECK(title == same_title);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void name_may_hold_a_nul(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, CAST(x'610062' AS TEXT))");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    fr_section_info section;
    REQUIRE(CHECK_OK(fr_list_section(&section, list, 0)));
    REQUIRE(CHECK_INT(section.name_length, 3));
    CHECK(memcmp(section.name, "a\0b", 4) == 0);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* The index titles, each followed by the number of its first section. */
static const char *titles_of(fr_list *list)
{
    static struct text text;
    int64_t count = 0, index;
    text_free(&text);
    CHECK_OK(fr_list_index_title_count(&count, list));
    for (index = 0; index < count; index++) {
        const char *title = NULL;
        int64_t section = -1;
        if (CHECK_OK(fr_list_index_title(&title, list, index))
            && CHECK_OK(fr_list_section_for_index_title(&section, list, title, index))) {
            text_add(&text, "%s%s%lld", index == 0 ? "" : " ", title, (long long)section);
        }
    }
    return text_get(&text);
}

struct titles {
    int calls;
    int destroyed;
    int64_t answer;
};

static int64_t last_letter(char *title, int64_t capacity, const char *name, void *user_data)
{
    struct titles *titles = user_data;
    size_t length = strlen(name);
    titles->calls += 1;
    CHECK(capacity >= 256);
    if (titles->answer != 1) {
        return titles->answer;
    }
    title[0] = length == 0 ? '-' : name[length - 1];
    return 1;
}

static void destroy_titles(void *user_data)
{
    ((struct titles *)user_data)->destroyed += 1;
}

static void program_makes_index_titles(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, 'ax'), (2, 'by'), (3, 'cx')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    struct titles first = {0, 0, 1}, second = {0, 0, -1}, none = {0, 0, 0};
    fr_section_info section;
    const char *title = NULL;
    CHECK_OK(fr_controller_set_index_title_function(list, last_letter, &first, destroy_titles));
    CHECK_TEXT(titles_of(list), "x0 y1");
    CHECK_OK(fr_list_section(&section, list, 2));
    CHECK_TEXT(section.index_title, "x");
    CHECK_OK(fr_controller_index_title_for_name(&title, list, "any name: z"));
    CHECK_TEXT(title, "z");
    CHECK_STATUS(fr_controller_index_title_for_name(NULL, list, ""), FR_MISUSE);
    CHECK_STATUS(fr_controller_index_title_for_name(&title, list, NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_index_title_for_name(&title, NULL, ""), FR_MISUSE);
    CHECK(first.calls > 0);
    CHECK_OK(fr_controller_set_index_title_function(list, last_letter, &second, destroy_titles));
    CHECK_INT(first.destroyed, 1);
    CHECK_TEXT(titles_of(list), "A0 B1 C2");
    CHECK_OK(fr_controller_set_index_title_function(list, last_letter, &none, destroy_titles));
    CHECK_TEXT(titles_of(list), "");
    CHECK_OK(fr_controller_set_index_title_function(list, NULL, NULL, NULL));
    CHECK_INT(none.destroyed, 1);
    CHECK_TEXT(titles_of(list), "A0 B1 C2");
    CHECK_OK(fr_controller_set_index_title_function(list, last_letter, &first, destroy_titles));
    fr_list_free(list);
    CHECK_INT(first.destroyed, 2);
    CHECK_INT(second.destroyed, 1);
    CHECK_STATUS(fr_controller_set_index_title_function(NULL, last_letter, &first, destroy_titles), FR_MISUSE);
    CHECK_INT(first.destroyed, 3);
    CHECK_OK(fr_store_close(store));
}

/* A wrong result of a callback must neither crash nor be shown. */
static int64_t careless(char *title, int64_t capacity, const char *name, void *user_data)
{
    (void)name;
    memset(title, 0xff, (size_t)capacity);
    return *(int64_t *)user_data;
}

static void careless_index_titles_do_no_harm(void)
{
    static const int64_t answers[] = {INT64_MAX, INT64_MIN, 257, 256, 1};
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, 'ax')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    size_t index;
    for (index = 0; index < sizeof answers / sizeof *answers; index++) {
        int64_t answer = answers[index], count = -1;
        fr_section_info section;
        CHECK_OK(fr_controller_set_index_title_function(list, careless, &answer, NULL));
        CHECK_OK(fr_list_index_title_count(&count, list));
        CHECK_OK(fr_list_section(&section, list, 0));
        CHECK(count == 0 || count == 1);
        CHECK_OK(fr_controller_set_index_title_function(list, NULL, NULL, NULL));
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/*
 * A title of `length` times "x"; `claims`, if it is not 0, is the length that the function returns.
 */
struct long_title {
    int64_t length;
    int64_t claims;
    int64_t capacities[4];
    int calls;
};

static int64_t write_long_title(char *title, int64_t capacity, const char *name, void *user_data)
{
    struct long_title *wanted = user_data;
    (void)name;
    if (wanted->calls < 4) {
        wanted->capacities[wanted->calls] = capacity;
    }
    wanted->calls += 1;
    memset(title, 'x', (size_t)(wanted->length < capacity ? wanted->length : capacity));
    return wanted->claims == 0 ? wanted->length : wanted->claims;
}

/* The length of the only title, which `wanted` returns; -1 if it is the default, "A". */
static int64_t length_of_title(fr_list *list, struct long_title *wanted)
{
    const char *title = NULL;
    int64_t length = -2;
    CHECK_OK(fr_controller_set_index_title_function(list, write_long_title, wanted, NULL));
    if (CHECK_OK(fr_list_index_title(&title, list, 0))) {
        length = strcmp(title, "A") == 0 ? -1 : (int64_t)strspn(title, "x");
        CHECK(length < 0 || title[length] == '\0');
    }
    return length;
}

static void index_title_that_does_not_fit_is_requested_again(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, 'ax')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    static const int64_t lengths[] = {1, 255, 256, 257, 1000, 65535, 65536};
    struct long_title wanted;
    size_t index;
    for (index = 0; index < sizeof lengths / sizeof *lengths; index++) {
        memset(&wanted, 0, sizeof wanted);
        wanted.length = lengths[index];
        CHECK_INT(length_of_title(list, &wanted), lengths[index]);
        CHECK_INT(wanted.capacities[0], 256);
        CHECK_INT(wanted.calls, lengths[index] > 256 ? 2 : 1);
        CHECK_INT(wanted.capacities[1], lengths[index] > 256 ? lengths[index] : 0);
    }
    memset(&wanted, 0, sizeof wanted);
    wanted.length = 65537;
    CHECK_INT(length_of_title(list, &wanted), -1);
    CHECK_INT(wanted.calls, 1);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Text that a function claims to have written, but has not, is neither read nor shown. */
static int64_t claim_more_each_time(char *title, int64_t capacity, const char *name, void *user_data)
{
    (void)name;
    (void)user_data;
    title[0] = 'y';
    return capacity + 1;
}

static void index_title_that_never_fits_is_the_default(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO t(id, s) VALUES (1, 'ax')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    static const int64_t claims[] = {INT64_MAX, 65537, INT64_MIN, -1};
    size_t index;
    CHECK_OK(fr_controller_set_index_title_function(list, claim_more_each_time, NULL, NULL));
    CHECK_TEXT(titles_of(list), "A0");
    for (index = 0; index < sizeof claims / sizeof *claims; index++) {
        struct long_title wanted = {1, 0, {0}, 0};
        wanted.claims = claims[index];
        CHECK_INT(length_of_title(list, &wanted), -1);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(section_tests) = {
    TEST(strings_are_lent_once),
    TEST(name_may_hold_a_nul),
    TEST(program_makes_index_titles),
    TEST(careless_index_titles_do_no_harm),
    TEST(index_title_that_does_not_fit_is_requested_again),
    TEST(index_title_that_never_fits_is_the_default),
    END_OF_TESTS,
};
