/*
 * Structures of other versions of the headers: smaller ones, of programs that were compiled before
 * members were added, and larger ones. Each is at the end of a page, with no memory behind it, so
 * that reading beyond it ends the test.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fetchedresults/views.h>

#include "maps.h"
#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

/* The first versions of the structures. */
struct first_store_options {
    size_t struct_size;
    uint32_t flags;
    int32_t busy_timeout_ms;
    const char *journal_mode;
};

struct first_observer {
    size_t struct_size;
    void (*will_change)(fr_list *controller, void *user_data);
    void (*section_changed)(fr_list *controller, const fr_section_info *section, const fr_change *change,
                            fr_change_set *changes, void *user_data);
    void (*object_changed)(fr_list *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                           void *user_data);
    void (*did_change)(fr_list *controller, void *user_data);
    void (*changes)(fr_list *controller, fr_change_set *changes, void *user_data);
    void (*error)(fr_list *controller, const fr_error *error, void *user_data);
};

struct first_counters {
    size_t struct_size;
    int64_t rows_read, statements_run, nodes_visited, bytes_held, deliveries, cached_fetches;
};

/* A page with a structure at its end, and one behind it that can't be read. */
struct room {
    char *pages;
    size_t page;
};

static void *at_the_end(struct room *room, const void *bytes, size_t size)
{
    int file = open("/dev/zero", O_RDWR);
    room->page = (size_t)sysconf(_SC_PAGESIZE);
    room->pages = mmap(NULL, 2 * room->page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    CHECK(close(file) == 0);
    CHECK(mprotect(room->pages + room->page, room->page, PROT_NONE) == 0);
    return memcpy(room->pages + room->page - size, bytes, size);
}

static void give_back(struct room *room)
{
    CHECK(munmap(room->pages, 2 * room->page) == 0);
}

/* The number of bytes that a later version of each structure adds. */
#define MORE 24

/* A structure of a later version, whose last byte is `last`. */
static void *later(struct room *room, const void *bytes, size_t size, char last)
{
    char larger[1024];
    void *place;
    size_t struct_size = size + MORE;
    memset(larger, 0, sizeof larger);
    memcpy(larger, bytes, size);
    memcpy(larger, &struct_size, sizeof struct_size);
    larger[struct_size - 1] = last;
    place = at_the_end(room, larger, struct_size);
    return place;
}

static void count_call(fr_list *controller, void *user_data)
{
    (void)controller;
    *(int *)user_data += 1;
}

static void count_cell(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    (void)coordinator;
    (void)count;
    *(int *)user_data += 1;
}

static void first_options_open_a_store(void)
{
    struct first_store_options first = {sizeof first, FR_STORE_QUEUED, 10, NULL};
    struct room room;
    fr_store *store = NULL;
    fr_list *list;
    int64_t count = 0;
    CHECK_INT(sizeof first, 24);
    CHECK_OK(fr_store_open(&store, ":memory:", at_the_end(&room, &first, sizeof first)));
    give_back(&room);
    run(store, SCHEMA);
    list = list_of(store, "t", NULL, NULL, NULL);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 2);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void first_observer_gets_changes_and_no_reloads(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct first_observer first;
    struct room room;
    int calls = 0;
    memset(&first, 0, sizeof first);
    first.struct_size = sizeof first;
    first.did_change = count_call;
    CHECK_INT(sizeof first, 56);
    CHECK_OK(fr_list_add_observer(NULL, list, at_the_end(&room, &first, sizeof first), &calls, NULL));
    give_back(&room);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_INT(calls, 1);
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_controller_resume(list, true));
    CHECK_INT(calls, 2);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void counters_are_written_as_far_as_they_go(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct first_counters first = {sizeof first, -1, -1, -1, -1, -1, -1}, *filled;
    fr_counters whole, *larger;
    struct room room;
    const char *beyond;
    filled = at_the_end(&room, &first, sizeof first);
    CHECK_OK(fr_controller_counters((fr_counters *)filled, list));
    CHECK_INT(filled->struct_size, sizeof first);
    CHECK_INT(filled->deliveries, 0);
    CHECK_INT(filled->cached_fetches, 0);
    CHECK(filled->rows_read >= 2);
    give_back(&room);
    memset(&whole, 0x55, sizeof whole);
    larger = later(&room, &whole, sizeof whole, 0x55);
    CHECK_OK(fr_controller_counters(larger, list));
    CHECK_INT(larger->struct_size, sizeof whole + MORE);
    CHECK_INT(larger->rereads[FR_REREAD_FETCH], 1);
    CHECK_INT(larger->rereads[FR_REREAD_PAUSE], 0);
    beyond = (const char *)(larger + 1);
    for (int index = 0; index < MORE; index++) CHECK_INT(beyond[index], 0);
    give_back(&room);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void fewer_reasons_can_be_requested(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct {
        struct first_counters first;
        int64_t rereads[2];
    } some = {{sizeof some, 0, 0, 0, 0, 0, 0}, {-1, -1}}, *filled;
    struct room room;
    filled = at_the_end(&room, &some, sizeof some);
    CHECK_OK(fr_controller_counters((fr_counters *)filled, list));
    CHECK_INT(filled->rereads[FR_REREAD_FETCH], 1);
    CHECK_INT(filled->rereads[FR_REREAD_REQUEST], 0);
    give_back(&room);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/*
 * All structures that a program passes, in their size of today, or of a later version whose last
 * byte is `last`.
 */
struct given {
    fr_store *store;
    fr_list *list;
    fr_request *items, *sections;
    int calls;
};

static struct given given_things(void)
{
    struct given given;
    memset(&given, 0, sizeof given);
    given.store = store_with(LISTS_AND_TASKS);
    given.list = list_of(given.store, "tasks", NULL, NULL, NULL);
    given.items = request_of("tasks", NULL, NULL, NULL);
    given.sections = request_of("lists", NULL, NULL, NULL);
    return given;
}

static void free_given(struct given *given)
{
    fr_request_free(given->items);
    fr_request_free(given->sections);
    fr_list_free(given->list);
    CHECK_OK(fr_store_close(given->store));
}

static fr_status open_store(struct given *given, const void *options)
{
    fr_store *store = NULL;
    fr_status status = fr_store_open(&store, ":memory:", options);
    (void)given;
    if (store != NULL) CHECK_OK(fr_store_close(store));
    return status;
}

static fr_status add_observer(struct given *given, const void *observer)
{
    return fr_list_add_observer(NULL, given->list, observer, &given->calls, NULL);
}

static fr_status make_map(struct given *given, const void *options)
{
    fr_list *map = NULL;
    fr_status status = fr_section_map_new(&map, given->store, given->items, given->sections, "list_id", options);
    if (map != NULL) fr_list_free(map);
    return status;
}

static fr_status make_coordinator(struct given *given, const void *view)
{
    fr_coordinator *coordinator = NULL;
    fr_status status = fr_coordinator_new(&coordinator, given->list, view, 0, &given->calls, NULL);
    if (coordinator != NULL) {
        CHECK_OK(fr_coordinator_load_data(coordinator, true));
        CHECK_INT(given->calls, 1);
        given->calls = 0;
        fr_coordinator_free(coordinator);
    }
    return status;
}

static fr_status make_data_source(struct given *given, const void *cells)
{
    fr_data_source *source = NULL;
    fr_status status = fr_data_source_new(&source, given->list, cells, NULL, NULL);
    if (source != NULL) fr_data_source_free(source);
    return status;
}

static fr_status make_entity_list(struct given *given, const void *entity)
{
    fr_entity_list *list = NULL;
    fr_status status = fr_entity_list_new(&list, entity, NULL, NULL, NULL, NULL);
    (void)given;
    if (list != NULL) fr_entity_list_free(list);
    return status;
}

static fr_status do_nothing(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    (void)result, (void)arguments, (void)count, (void)user_data;
    return FR_OK;
}

static fr_status add_function(struct given *given, const void *function)
{
    return fr_store_add_function(given->store, "nothing", function, NULL, NULL);
}

/* Calls `use` with each structure, which `place` puts at the end of a page. */
#define EACH_STRUCTURE(place_and_use) \
    do { \
        fr_store_options options; \
        fr_observer observer; \
        fr_section_map_options map; \
        fr_view view; \
        fr_cells cells; \
        fr_entity entity; \
        fr_function function; \
        memset(&options, 0, sizeof options); \
        memset(&observer, 0, sizeof observer); \
        memset(&map, 0, sizeof map); \
        memset(&view, 0, sizeof view); \
        memset(&cells, 0, sizeof cells); \
        memset(&entity, 0, sizeof entity); \
        memset(&function, 0, sizeof function); \
        view.count_changed = count_cell; \
        entity.entity = "tasks"; \
        function.call = do_nothing; \
        place_and_use(open_store, options); \
        place_and_use(add_observer, observer); \
        place_and_use(make_map, map); \
        place_and_use(make_coordinator, view); \
        place_and_use(make_data_source, cells); \
        place_and_use(make_entity_list, entity); \
        place_and_use(add_function, function); \
    } while (0)

static void structures_of_today_are_not_read_beyond_their_end(void)
{
    struct given given = given_things();
    struct room room;
#define TODAY(use, structure) \
    structure.struct_size = sizeof structure; \
    CHECK_OK(use(&given, at_the_end(&room, &structure, sizeof structure))); \
    give_back(&room)
    EACH_STRUCTURE(TODAY);
    free_given(&given);
}

static void later_versions_work_if_they_request_nothing_unknown(void)
{
    struct given given = given_things();
    struct room room;
#define LATER(use, structure) \
    CHECK_OK(use(&given, later(&room, &structure, sizeof structure, 0))); \
    give_back(&room)
    EACH_STRUCTURE(LATER);
    free_given(&given);
}

static void later_versions_that_request_something_unknown_are_refused(void)
{
    struct given given = given_things();
    struct room room;
#define UNKNOWN(use, structure) \
    CHECK_STATUS(use(&given, later(&room, &structure, sizeof structure, 1)), FR_RANGE); \
    CHECK(strstr(fr_error_message(), "does not have") != NULL); \
    give_back(&room)
    EACH_STRUCTURE(UNKNOWN);
    free_given(&given);
}

static void sizes_that_no_version_has_are_refused(void)
{
    struct given given = given_things();
    fr_counters counters;
    /* Only as many bytes as the size are read of them. */
    static const size_t wrong[] = {0, 1, sizeof(size_t), 4104, SIZE_MAX, SIZE_MAX - 7};
    struct room room;
    size_t index;
#define WRONG(use, structure) \
    (void)structure; \
    CHECK_STATUS(use(&given, at_the_end(&room, &wrong[index], sizeof wrong[index])), FR_RANGE); \
    CHECK(strstr(fr_error_message(), "struct_size") != NULL); \
    give_back(&room)
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        EACH_STRUCTURE(WRONG);
        counters.struct_size = wrong[index];
        CHECK_STATUS(fr_controller_counters(&counters, given.list), FR_RANGE);
    }
#define CUT(use, structure) \
    structure.struct_size = sizeof structure - 4; \
    CHECK_STATUS(use(&given, &structure), FR_RANGE)
    EACH_STRUCTURE(CUT);
    free_given(&given);
}

TESTS(struct_size_tests) = {
    TEST(first_options_open_a_store),
    TEST(first_observer_gets_changes_and_no_reloads),
    TEST(counters_are_written_as_far_as_they_go),
    TEST(fewer_reasons_can_be_requested),
    TEST(structures_of_today_are_not_read_beyond_their_end),
    TEST(later_versions_work_if_they_request_nothing_unknown),
    TEST(later_versions_that_request_something_unknown_are_refused),
    TEST(sizes_that_no_version_has_are_refused),
    END_OF_TESTS,
};
