/* The sentences of TMSCoreDataEntityViewProtocols' README, one by one, in C. */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', age INT);" \
    "INSERT INTO people (name, age) VALUES ('Bea', 30), ('Ann', 20), ('Cid', 40);"

struct stage {
    struct view_log log;
    fr_entity_list *list;
    fr_data_source *source;
    fr_cell *cell;
    char identifier[32];
};

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct stage *stage = user_data;
    (void)path;
    strcpy(stage->identifier, identifier);
    return stage->cell;
}

static fr_entity people(void)
{
    static const fr_sort by_name = {"name", FR_ASCENDING, NULL};
    fr_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "people";
    entity.sorts = &by_name;
    entity.sort_count = 1;
    return entity;
}

/* The user data is a view_log to the view and the stage around it to the cells. */
static void open_stage(struct stage *stage, const fr_entity *entity)
{
    static const char *const columns[] = {"age", "name"};
    fr_view view = logging_view();
    fr_cells cells;
    memset(stage, 0, sizeof *stage);
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue;
    stage->log.store = store_with(SCHEMA);
    CHECK_OK(fr_cell_new(&stage->cell, columns, 2, NULL, NULL, NULL));
    CHECK_OK(fr_entity_list_new(&stage->list, entity, &view, &cells, stage, NULL));
    CHECK_OK(fr_entity_list_set_store(stage->list, stage->log.store));
    CHECK_OK(fr_entity_list_list(&stage->log.list, stage->list));
    CHECK_OK(fr_entity_list_data_source(&stage->source, stage->list));
}

static void close_stage(struct stage *stage)
{
    fr_entity_list_free(stage->list);
    fr_cell_free(stage->cell);
    CHECK_OK(fr_store_close(stage->log.store));
    text_free(&stage->log.text);
}

static void the_base_creates_the_fetch_request_and_begins_execution_of_it(void)
{
    fr_entity entity = people();
    struct stage stage;
    open_stage(&stage, &entity);
    CHECK_LIST(stage.log.list, "2 1 3");
    CHECK_VIEW(&stage.log, "reload n3");
    close_stage(&stage);
}

static void the_base_supplies_entities_in_other_situations(void)
{
    fr_entity entity = people();
    struct stage stage;
    fr_data_source *picker = NULL;
    int64_t rows = 0;
    open_stage(&stage, &entity);
    CHECK_OK(fr_data_source_new_picker(&picker, stage.log.list, true, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_row_count(&rows, picker, 0));
    CHECK_INT(rows, 4);
    fr_data_source_free(picker);
    close_stage(&stage);
}

static void tables_and_collection_views_are_supplied_with_the_entities(void)
{
    fr_entity entity = people();
    struct stage stage;
    const char *text = NULL;
    void *cell = NULL;
    int64_t count = 0;
    open_stage(&stage, &entity);
    CHECK_OK(fr_data_source_section_count(&count, stage.source));
    CHECK_INT(count, 1);
    CHECK_OK(fr_data_source_row_count(&count, stage.source, 0));
    CHECK_INT(count, 3);
    CHECK_OK(fr_data_source_cell(&cell, stage.source, path_at(0, 2)));
    CHECK(cell == stage.cell);
    CHECK_OK(fr_cell_text(&text, stage.cell, 1));
    CHECK_TEXT(text, "Cid");
    close_stage(&stage);
}

static void the_entity_name_says_what_to_fetch_and_what_add_item_adds(void)
{
    fr_entity entity = people();
    struct stage stage;
    fr_object *item = NULL;
    const char *name = NULL;
    open_stage(&stage, &entity);
    CHECK_OK(fr_entity_list_add_item(&item, stage.list, NULL, NULL, 0));
    CHECK_OK(fr_object_entity(&name, item));
    CHECK_TEXT(name, "people");
    CHECK_TEXT(object_text(item, "name"), "nobody");
    fr_object_unref(item);
    CHECK_LIST(stage.log.list, "2 1 3 4");
    close_stage(&stage);
}

static void the_sort_descriptors_sort_the_results(void)
{
    static const fr_sort oldest = {"age", FR_DESCENDING, NULL};
    fr_entity entity = people();
    struct stage stage;
    entity.sorts = &oldest;
    open_stage(&stage, &entity);
    CHECK_LIST(stage.log.list, "3 1 2");
    close_stage(&stage);
}

/* The number of rows that are read when one of 60 is accessed. */
static int64_t rows_read(int64_t batch_size)
{
    fr_entity entity = people();
    struct stage stage;
    fr_counters before, after;
    fr_object *item = NULL;
    entity.batch_size = batch_size;
    open_stage(&stage, &entity);
    run(stage.log.store, "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 66)"
                         "INSERT INTO people (id) SELECT i FROM n");
    CHECK_OK(fr_entity_list_set_store(stage.list, stage.log.store));
    CHECK_OK(fr_entity_list_list(&stage.log.list, stage.list));
    memset(&before, 0, sizeof before);
    before.struct_size = sizeof before;
    after = before;
    CHECK_OK(fr_controller_counters(&before, stage.log.list));
    CHECK_OK(fr_list_object_at(&item, stage.log.list, path_at(0, 0)));
    CHECK_OK(fr_controller_counters(&after, stage.log.list));
    fr_object_unref(item);
    close_stage(&stage);
    return after.rows_read - before.rows_read;
}

static void by_default_the_batch_size_is_20(void)
{
    CHECK_INT(rows_read(0), 20);
    CHECK_INT(rows_read(2), 2);
}

static void the_default_reuse_identifier_is_managed_object_cell(void)
{
    fr_entity entity = people();
    int named;
    for (named = 0; named < 2; named++) {
        struct stage stage;
        void *cell = NULL;
        entity.reuse_identifier = named ? "personCell" : NULL;
        open_stage(&stage, &entity);
        CHECK_OK(fr_data_source_cell(&cell, stage.source, path_at(0, 0)));
        CHECK_TEXT(stage.identifier, named ? "personCell" : "managedObjectCell");
        close_stage(&stage);
    }
}

static void changes_are_done_in_one_batch_with_the_correct_indexes(void)
{
    fr_entity entity = people();
    struct stage stage;
    open_stage(&stage, &entity);
    CHECK_VIEW(&stage.log, "reload n3");
    run(stage.log.store, "BEGIN; DELETE FROM people WHERE name = 'Ann';"
                         "INSERT INTO people (name) VALUES ('Abe'), ('Bob'), ('Zoe');"
                         "UPDATE people SET name = 'Yan' WHERE name = 'Bea';"
                         "UPDATE people SET age = 41 WHERE name = 'Cid'; COMMIT");
    CHECK_VIEW(&stage.log, "[ -0.0 +0.0 +0.1 +0.4 0.1>0.3 r0.2>0.2 ] n5");
    close_stage(&stage);
}

static void default_cells_take_an_entity_and_show_the_attributes_wanted_in_their_order(void)
{
    fr_entity entity = people();
    struct stage stage;
    const char *text = NULL;
    void *cell = NULL;
    open_stage(&stage, &entity);
    CHECK_OK(fr_data_source_cell(&cell, stage.source, path_at(0, 0)));
    CHECK_OK(fr_cell_text(&text, stage.cell, 0));
    CHECK_TEXT(text, "20");
    CHECK_OK(fr_cell_text(&text, stage.cell, 1));
    CHECK_TEXT(text, "Ann");
    close_stage(&stage);
}

TESTS(entity_list_readme_tests) = {
    TEST(the_base_creates_the_fetch_request_and_begins_execution_of_it),
    TEST(the_base_supplies_entities_in_other_situations),
    TEST(tables_and_collection_views_are_supplied_with_the_entities),
    TEST(the_entity_name_says_what_to_fetch_and_what_add_item_adds),
    TEST(the_sort_descriptors_sort_the_results),
    TEST(by_default_the_batch_size_is_20),
    TEST(the_default_reuse_identifier_is_managed_object_cell),
    TEST(changes_are_done_in_one_batch_with_the_correct_indexes),
    TEST(default_cells_take_an_entity_and_show_the_attributes_wanted_in_their_order),
    END_OF_TESTS,
};
