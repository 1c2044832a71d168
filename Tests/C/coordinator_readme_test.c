/* The sentences of FetchedResultsCoordinator's README, one by one, in C. */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE animals(id INTEGER PRIMARY KEY, kind, name);" \
    "INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya');"

static void stage(struct view_log *log, fr_view view, const fr_store_options *options)
{
    fr_request *request = request_of("animals", "kind", "name", NULL);
    memset(log, 0, sizeof *log);
    CHECK_OK(fr_store_open(&log->store, ":memory:", options));
    CHECK_OK(fr_store_execute_script(log->store, SCHEMA));
    CHECK_OK(fr_controller_new(&log->list, log->store, request));
    fr_request_free(request);
    CHECK_OK(fr_coordinator_new(&log->coordinator, log->list, &view, 0, log, NULL));
}

static void leave(struct view_log *log)
{
    fr_coordinator_free(log->coordinator);
    fr_list_free(log->list);
    CHECK_OK(fr_store_close(log->store));
    text_free(&log->text);
}

static void load(struct view_log *log)
{
    CHECK_OK(fr_coordinator_load_data(log->coordinator, true));
    CHECK_VIEW(log, "reload n3");
}

static fr_store_options queued(void)
{
    fr_store_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.flags = FR_STORE_QUEUED;
    return options;
}

static void observes_section_and_object_changes_and_applies_them_to_a_view(void)
{
    struct view_log log;
    stage(&log, logging_view(), NULL);
    load(&log);
    run(log.store, "BEGIN; INSERT INTO animals VALUES (4, 'cat', 'Tom'), (5, 'ape', 'Aab');"
                   "DELETE FROM animals WHERE id = 3; COMMIT");
    CHECK_VIEW(&log, "[ -s1 +s1 +0.0 ] n4");
    leave(&log);
}

static void load_data_performs_the_fetch_and_reloads_the_view(void)
{
    struct view_log log;
    bool is = true;
    stage(&log, logging_view(), NULL);
    CHECK_OK(fr_list_is_fetched(&is, log.list));
    CHECK(!is);
    CHECK_VIEW(&log, "");
    load(&log);
    CHECK_OK(fr_list_is_fetched(&is, log.list));
    CHECK(is);
    leave(&log);
}

/* A fetch by itself makes no callbacks; the next delivery updates the view. */
static void used_in_place_of_perform_fetch_which_should_not_be_called_directly(void)
{
    fr_store_options options = queued();
    struct view_log log;
    stage(&log, logging_view(), &options);
    load(&log);
    run(log.store, "DELETE FROM animals WHERE id = 1");
    CHECK_OK(fr_list_perform_fetch(log.list));
    CHECK_LIST(log.list, "ape: 2 | bee: 3");
    CHECK_VIEW(&log, "");
    run(log.store, "DELETE FROM animals WHERE id = 3");
    CHECK_OK(fr_store_dispatch(log.store));
    CHECK_VIEW(&log, "reload n1");
    leave(&log);
}

static void update_cell_is_optional_defaulting_to_null(void)
{
    struct view_log log;
    stage(&log, logging_view(), NULL);
    load(&log);
    run(log.store, "UPDATE animals SET name = 'Ada' WHERE id = 1");
    CHECK_VIEW(&log, "[ r0.0>0.0 ]");
    leave(&log);
}

static void update_cell_is_called_rather_than_asking_the_view_to_reload_that_row(void)
{
    struct view_log log;
    stage(&log, cell_updating_view(), NULL);
    load(&log);
    run(log.store, "UPDATE animals SET name = 'Ada' WHERE id = 1");
    CHECK_VIEW(&log, "c0.0(Ada)");
    leave(&log);
}

static void paused_stops_observing_changes_when_set_to_true(void)
{
    struct view_log log;
    stage(&log, cell_updating_view(), NULL);
    load(&log);
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    run(log.store, "UPDATE animals SET name = 'Ada' WHERE id = 1; DELETE FROM animals WHERE id = 3");
    CHECK_VIEW(&log, "");
    leave(&log);
}

static void pause_during_the_bulk_load_and_then_unpause_once_the_data_is_loaded(void)
{
    struct view_log log;
    fr_value values[] = {fr_text("ant"), fr_text("Z")};
    int count;
    stage(&log, logging_view(), NULL);
    load(&log);
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    for (count = 0; count < 1000; count++) {
        CHECK_OK(fr_store_execute(log.store, "INSERT INTO animals (kind, name) VALUES (?, ?)", values, 2));
    }
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_VIEW(&log, "reload n1003");
    leave(&log);
}

static void paused_false_reloads_the_data_of_the_list_and_updates_the_view(void)
{
    fr_store_options options = queued();
    struct view_log log;
    int64_t count = 0;
    stage(&log, logging_view(), &options);
    load(&log);
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    run(log.store, "DELETE FROM animals WHERE kind = 'ape'");
    CHECK_OK(fr_list_count(&count, log.list));
    CHECK_INT(count, 3);
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_LIST(log.list, "bee: 3");
    CHECK_VIEW(&log, "reload n1");
    leave(&log);
}

static void count_records(fr_list *list, fr_change_set *changes, void *user_data)
{
    const fr_change *records = NULL;
    size_t count = 0;
    (void)list;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    *(size_t *)user_data += count;
}

/* No delegate is replaced: other observers exist as well, and a pause does not affect them. */
static void the_list_is_not_modified(void)
{
    fr_observer observer;
    struct view_log log;
    uint64_t id = 0;
    size_t records = 0;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = count_records;
    stage(&log, logging_view(), NULL);
    load(&log);
    CHECK_OK(fr_list_add_observer(&id, log.list, &observer, &records, NULL));
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    run(log.store, "DELETE FROM animals WHERE id = 1");
    CHECK_INT(records, 1);
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_VIEW(&log, "reload n2");
    CHECK_OK(fr_list_remove_observer(log.list, id));
    run(log.store, "DELETE FROM animals WHERE id = 2");
    CHECK_INT(records, 1);
    CHECK_VIEW(&log, "[ -s0 ] n1");
    leave(&log);
}

/* Data sources. */

struct cell {
    char identifier[32];
    char text[32];
};

struct screen {
    struct cell cells[4];
    int used;
    bool has_several; /* prototype cells */
    fr_data_source *source;
};

static const char *reuse_identifier(fr_object *object, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)path;
    if (!screen->has_several) {
        return "animalCell";
    }
    return strcmp(object_text(object, "kind"), "ape") == 0 ? "apeCell" : "otherCell";
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    struct cell *cell = &screen->cells[screen->used++ % 4];
    (void)path;
    strcpy(cell->identifier, identifier);
    return cell;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)path;
    (void)user_data;
    strcpy(((struct cell *)cell)->text, object_text(object, "name"));
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    return path.section == 0 && path.row == 0 ? &screen->cells[0] : NULL;
}

static const char *supplementary_identifier(const char *kind, fr_index_path path, void *user_data)
{
    (void)path;
    (void)user_data;
    return strcmp(kind, "header") == 0 ? "headerView" : NULL;
}

static void *dequeue_supplementary(const char *kind, const char *identifier, fr_index_path path, void *user_data)
{
    (void)kind;
    return dequeue(identifier, path, user_data);
}

static void configure_supplementary(void *view, const char *kind, fr_index_path path, void *user_data)
{
    (void)path;
    (void)user_data;
    strcpy(((struct cell *)view)->text, kind);
}

static void open_screen(struct view_log *log, struct screen *screen)
{
    fr_cells cells;
    stage(log, logging_view(), NULL);
    load(log);
    memset(screen, 0, sizeof *screen);
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.reuse_identifier = reuse_identifier;
    cells.dequeue = dequeue;
    cells.configure = configure;
    cells.visible_cell = visible_cell;
    cells.supplementary_identifier = supplementary_identifier;
    cells.dequeue_supplementary = dequeue_supplementary;
    cells.configure_supplementary = configure_supplementary;
    CHECK_OK(fr_data_source_new(&screen->source, log->list, &cells, screen, NULL));
}

static void close_screen(struct view_log *log, struct screen *screen)
{
    fr_data_source_free(screen->source);
    leave(log);
}

static struct cell *cell_at(struct screen *screen, int64_t section, int64_t row)
{
    void *cell = NULL;
    CHECK_OK(fr_data_source_cell(&cell, screen->source, path_at(section, row)));
    return cell;
}

static void data_sources_query_the_list(void)
{
    struct view_log log;
    struct screen screen;
    int64_t count = 0;
    open_screen(&log, &screen);
    run(log.store, "INSERT INTO animals VALUES (4, 'cat', 'Tom'), (5, 'bee', 'Zoe')");
    CHECK_OK(fr_data_source_section_count(&count, screen.source));
    CHECK_INT(count, 3);
    CHECK_OK(fr_data_source_row_count(&count, screen.source, 1));
    CHECK_INT(count, 2);
    close_screen(&log, &screen);
}

static void a_hardcoded_identifier_or_the_one_that_applies_to_the_row(void)
{
    struct view_log log;
    struct screen screen;
    open_screen(&log, &screen);
    CHECK_TEXT(cell_at(&screen, 0, 0)->identifier, "animalCell");
    CHECK_TEXT(cell_at(&screen, 1, 0)->identifier, "animalCell");
    screen.has_several = true;
    CHECK_TEXT(cell_at(&screen, 0, 0)->identifier, "apeCell");
    CHECK_TEXT(cell_at(&screen, 1, 0)->identifier, "otherCell");
    close_screen(&log, &screen);
}

static void cells_are_dequeued_by_the_identifier_and_configured_with_the_rows_object(void)
{
    struct view_log log;
    struct screen screen;
    open_screen(&log, &screen);
    CHECK(cell_at(&screen, 0, 1) == &screen.cells[0]);
    CHECK_TEXT(screen.cells[0].text, "Bobo");
    close_screen(&log, &screen);
}

static const char *header_of(struct screen *screen, int64_t section)
{
    const char *title = NULL;
    CHECK_OK(fr_data_source_section_title(&title, screen->source, section));
    return title == NULL ? "none" : title;
}

static void system_headers_table_index_and_default_section_title(void)
{
    struct view_log log;
    struct screen screen;
    const char *title = NULL;
    int64_t count = -1;
    open_screen(&log, &screen);
    /* False, false, none. */
    CHECK_TEXT(header_of(&screen, 0), "none");
    CHECK_OK(fr_data_source_index_title_count(&count, screen.source));
    CHECK_INT(count, 0);
    CHECK_OK(fr_data_source_set_default_section_title(screen.source, "Animals"));
    CHECK_TEXT(header_of(&screen, 1), "Animals");
    CHECK_OK(fr_data_source_set_system_headers(screen.source, true));
    CHECK_TEXT(header_of(&screen, 1), "bee");
    /* The capitalized first letter of each section name. */
    CHECK_OK(fr_data_source_set_table_index(screen.source, true));
    CHECK_OK(fr_data_source_index_title_count(&count, screen.source));
    CHECK_INT(count, 2);
    CHECK_OK(fr_data_source_index_title(&title, screen.source, 1));
    CHECK_TEXT(title, "B");
    close_screen(&log, &screen);
}

static void supplementary_views_are_dequeued_by_the_identifier_of_their_kind_and_configured(void)
{
    struct view_log log;
    struct screen screen;
    void *view = NULL;
    open_screen(&log, &screen);
    CHECK_OK(fr_data_source_supplementary(&view, screen.source, "header", path_at(0, 0)));
    CHECK(view == &screen.cells[0]);
    CHECK_TEXT(screen.cells[0].identifier, "headerView");
    CHECK_TEXT(screen.cells[0].text, "header");
    close_screen(&log, &screen);
}

static void update_visible(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    struct view_log *log = user_data;
    (void)coordinator;
    CHECK_OK(fr_data_source_update_visible_cell(((struct screen *)log->other)->source, path, object));
}

static void update_visible_cell_as_update_cell_reconfigures_a_cell_rather_than_reloading_it(void)
{
    fr_view view = logging_view();
    struct view_log log;
    struct screen screen;
    open_screen(&log, &screen);
    fr_coordinator_free(log.coordinator);
    view.update_cell = update_visible;
    log.other = &screen;
    CHECK_OK(fr_coordinator_new(&log.coordinator, log.list, &view, 0, &log, NULL));
    load(&log);
    cell_at(&screen, 0, 0);
    run(log.store, "UPDATE animals SET name = name || '!'");
    CHECK_TEXT(screen.cells[0].text, "Abu!");
    CHECK_VIEW(&log, "");
    close_screen(&log, &screen);
}

TESTS(coordinator_readme_tests) = {
    TEST(observes_section_and_object_changes_and_applies_them_to_a_view),
    TEST(load_data_performs_the_fetch_and_reloads_the_view),
    TEST(used_in_place_of_perform_fetch_which_should_not_be_called_directly),
    TEST(update_cell_is_optional_defaulting_to_null),
    TEST(update_cell_is_called_rather_than_asking_the_view_to_reload_that_row),
    TEST(paused_stops_observing_changes_when_set_to_true),
    TEST(pause_during_the_bulk_load_and_then_unpause_once_the_data_is_loaded),
    TEST(paused_false_reloads_the_data_of_the_list_and_updates_the_view),
    TEST(the_list_is_not_modified),
    TEST(data_sources_query_the_list),
    TEST(a_hardcoded_identifier_or_the_one_that_applies_to_the_row),
    TEST(cells_are_dequeued_by_the_identifier_and_configured_with_the_rows_object),
    TEST(system_headers_table_index_and_default_section_title),
    TEST(supplementary_views_are_dequeued_by_the_identifier_of_their_kind_and_configured),
    TEST(update_visible_cell_as_update_cell_reconfigures_a_cell_rather_than_reloading_it),
    END_OF_TESTS,
};
