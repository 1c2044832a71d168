/* Totals of lists and of their sections, and what a delivery changed in them. */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "text.h"

#define SCHEMA \
    "CREATE TABLE mails(id INTEGER PRIMARY KEY, folder TEXT, seen, size);" \
    "INSERT INTO mails VALUES (1, 'in', 0, 10), (2, 'in', 1, 20), (3, 'out', 1, 5);"

static fr_list *mails(fr_store *store)
{
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    fr_list *list = NULL;
    CHECK_OK(fr_request_set_section(request, "folder", FR_ASCENDING, NULL));
    CHECK_OK(fr_request_add_total(request, "unread", FR_TOTAL_COUNT, "seen = 0"));
    CHECK_OK(fr_request_add_total(request, "size", FR_TOTAL_SUM, "size"));
    CHECK_OK(fr_request_add_total(request, "largest", FR_TOTAL_MAX, "size"));
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_list_perform_fetch(list));
    fr_request_free(request);
    return list;
}

static void check_totals(fr_list *list, int64_t section, int64_t unread, int64_t size, int64_t largest)
{
    fr_object *totals = NULL;
    fr_value value;
    REQUIRE(CHECK_OK(fr_list_totals(&totals, list, section)));
    CHECK_OK(fr_object_value_named(&value, totals, "unread"));
    CHECK_INT(value.integer, unread);
    CHECK_OK(fr_object_value_named(&value, totals, "size"));
    CHECK_INT(value.integer, size);
    CHECK_OK(fr_object_value_named(&value, totals, "largest"));
    CHECK_INT(value.integer, largest);
    fr_object_unref(totals);
}

static void belong_to_the_list_and_its_sections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = mails(store);
    fr_object *totals = NULL;
    int64_t count;
    check_totals(list, -1, 1, 35, 20);
    check_totals(list, 0, 1, 30, 20);
    check_totals(list, 1, 0, 5, 5);
    CHECK_OK(fr_store_execute(store, "DELETE FROM mails WHERE id = 2", NULL, 0));
    check_totals(list, -1, 1, 15, 10);
    CHECK_STATUS(fr_list_totals(&totals, list, 2), FR_RANGE);
    CHECK_STATUS(fr_list_totals(&totals, list, -2), FR_RANGE);
    CHECK_STATUS(fr_list_totals(NULL, list, 0), FR_MISUSE);
    CHECK(totals == NULL);
    fr_list_free(list);
    list = list_of(store, "mails", NULL, NULL, NULL);
    CHECK_OK(fr_list_totals(&totals, list, -1));
    CHECK_OK(fr_object_column_count(&count, totals));
    CHECK_INT(count, 0);
    fr_object_unref(totals);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static char changed[512];

static void note(fr_list *list, fr_change_set *changes, void *user_data)
{
    const fr_total_change *totals = NULL;
    const fr_change *records = NULL;
    size_t count = 1, record_count = 0;
    (void)list, (void)user_data;
    CHECK_STATUS(fr_change_set_totals(NULL, &count, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_totals(&totals, NULL, changes), FR_MISUSE);
    REQUIRE(CHECK_OK(fr_change_set_totals(&totals, &count, changes)));
    CHECK((totals == NULL) == (count == 0));
    CHECK_OK(fr_change_set_records(&records, &record_count, changes));
    snprintf(changed, sizeof changed, "%zu records:", record_count);
    for (size_t index = 0; index < count; index++) {
        const fr_total_change *total = &totals[index];
        size_t length = strlen(changed);
        snprintf(changed + length, sizeof changed - length, " %s %d>%d %d>%d", total->name, (int)total->old_section,
                 (int)total->new_section, (int)total->old_value.integer, (int)total->new_value.integer);
    }
}

static void report_what_a_delivery_changed(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = mails(store);
    fr_observer observer = {sizeof observer, .did_deliver = note};
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET seen = 1 WHERE id = 1", NULL, 0));
    CHECK_TEXT(changed, "2 records: unread -1>-1 1>0 unread 0>0 1>0");
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET folder = 'drafts' WHERE id = 3", NULL, 0));
    CHECK_TEXT(changed, "3 records:");
    CHECK_OK(fr_store_execute(store, "INSERT INTO mails VALUES (4, 'in', 0, 7)", NULL, 0));
    CHECK_TEXT(changed, "2 records: unread -1>-1 0>1 size -1>-1 35>42 unread 1>1 0>1 size 1>1 30>37");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* The columns of the records of sections that changed: "name=old " for each. */
static void note_columns(fr_list *list, fr_change_set *changes, void *user_data)
{
    const fr_change *records = NULL;
    size_t count = 0, length = 0;
    (void)list, (void)user_data;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    changed[0] = '\0';
    for (size_t index = 0; index < count && records[index].kind == FR_SECTION; index++) {
        const char *name = NULL;
        int64_t column = 0;
        for (; fr_change_set_column_name(&name, changes, index, column) == FR_OK; column++) {
            bool has_changed = false;
            fr_value old = fr_null();
            CHECK_OK(fr_change_set_column_changed(&has_changed, changes, index, column));
            CHECK_INT((records[index].changed_columns >> column) & 1, has_changed);
            fr_status status = fr_change_set_old_value(&old, changes, index, column);
            CHECK_INT(status, has_changed || column == 0 ? FR_OK : FR_NOT_FOUND);
            if (has_changed) {
                length += (size_t)snprintf(changed + length, sizeof changed - length, "%d %s=%d ",
                                           (int)records[index].new_path.section, name, (int)old.integer);
            }
        }
        CHECK_INT(column, 4);
        CHECK_STATUS(fr_change_set_column_changed(&(bool){false}, changes, index, column), FR_RANGE);
        CHECK_STATUS(fr_change_set_old_value(&(fr_value){0}, changes, index, column), FR_RANGE);
        CHECK_STATUS(fr_change_set_column_name(&name, changes, index, -1), FR_RANGE);
    }
}

static void are_columns_of_the_records_of_sections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = mails(store), *collection = NULL;
    fr_observer observer = {sizeof observer, .did_deliver = note_columns};
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET size = 30, seen = 1 WHERE id = 1", NULL, 0));
    CHECK_TEXT(changed, "0 unread=1 0 size=30 0 largest=20 ");
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET size = 7 WHERE id = 3 OR id = 2", NULL, 0));
    CHECK_TEXT(changed, "0 size=50 1 size=5 1 largest=5 ");
    /* The same in a collection, and after the change set's list was freed. */
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_list_add_observer(NULL, collection, &observer, NULL, NULL));
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET seen = 0 WHERE id = 2", NULL, 0));
    CHECK_TEXT(changed, "0 unread=0 ");
    fr_list_free(collection);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void of_a_collection_are_of_all_lists(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = mails(store), *same = mails(store), *collection = NULL, *window = NULL;
    fr_observer observer = {sizeof observer, .did_deliver = note};
    fr_object *totals = NULL;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_OK(fr_collection_insert(collection, -1, same, NULL));
    CHECK_STATUS(fr_list_totals(&totals, collection, -1), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(collection));
    check_totals(collection, -1, 2, 70, 20);
    check_totals(collection, 3, 0, 5, 5);
    CHECK_STATUS(fr_list_totals(&totals, collection, 4), FR_RANGE);
    CHECK_OK(fr_list_add_observer(NULL, collection, &observer, NULL, NULL));
    CHECK_OK(fr_store_execute(store, "UPDATE mails SET size = 6 WHERE id = 3", NULL, 0));
    CHECK_TEXT(changed, "4 records: size -1>-1 70>72 size 1>1 5>6 largest 1>1 5>6 size 3>3 5>6 largest 3>3 5>6");
    CHECK_OK(fr_window_open(&window, list, 2, 0, 0));
    check_totals(window, -1, 1, 36, 20);
    check_totals(window, 0, 0, 6, 6);
    fr_list_free(window);
    fr_list_free(collection);
    fr_list_free(same);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void of_a_limited_list_can_be_of_all_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("mails", NULL, "id", NULL);
    fr_request_info info = {.struct_size = sizeof info};
    fr_list *list = NULL;
    CHECK_OK(fr_request_add_total(request, "unread", FR_TOTAL_COUNT, "seen = 0"));
    CHECK_OK(fr_request_add_total(request, "size", FR_TOTAL_SUM, "size"));
    CHECK_OK(fr_request_add_total(request, "largest", FR_TOTAL_MAX, "size"));
    CHECK_OK(fr_request_set_limit(request, 1, 0));
    CHECK_OK(fr_request_describe(&info, request));
    CHECK(!info.totals_of_all_rows);
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_list_perform_fetch(list));
    check_totals(list, -1, 1, 10, 10);
    CHECK_STATUS(fr_request_set_totals_of_all_rows(NULL, true), FR_MISUSE);
    CHECK_OK(fr_request_set_totals_of_all_rows(request, true));
    CHECK_OK(fr_request_describe(&info, request));
    CHECK(info.totals_of_all_rows);
    CHECK_OK(fr_controller_set_request(list, request));
    check_totals(list, -1, 1, 35, 20);
    CHECK_OK(fr_store_execute(store, "DELETE FROM mails WHERE id = 2", NULL, 0));
    check_totals(list, -1, 1, 15, 10);
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

TESTS(totals_tests) = {
    TEST(of_a_limited_list_can_be_of_all_rows),   TEST(of_a_collection_are_of_all_lists),
    TEST(belong_to_the_list_and_its_sections),    TEST(report_what_a_delivery_changed),
    TEST(are_columns_of_the_records_of_sections), END_OF_TESTS,
};
