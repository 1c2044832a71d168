/* What a list says of how it is read. */
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA "CREATE TABLE lists(id INTEGER PRIMARY KEY, title); CREATE TABLE t(id INTEGER PRIMARY KEY, v);"

static fr_explanation explained(fr_list *list)
{
    fr_explanation explanation;
    memset(&explanation, 0, sizeof explanation);
    explanation.struct_size = sizeof explanation;
    CHECK_OK(fr_controller_explain(&explanation, list));
    return explanation;
}

/* A list that SQLite has to sort, until the index that helps exists. */
static void the_advice_helps(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, "v", NULL);
    fr_explanation explanation = explained(list);
    REQUIRE(CHECK(explanation.text != NULL));
    CHECK(strncmp(explanation.sql, "SELECT ", 7) == 0);
    CHECK(strstr(explanation.plan, "\nUSE TEMP B-TREE FOR ORDER BY") != NULL);
    CHECK_TEXT(explanation.advice, "CREATE INDEX `main`.`t_by_v` ON `t` (`v`)");
    CHECK(explanation.is_sorted);
    CHECK(explanation.is_incremental);
    CHECK_INT(explanation.whole_reads, 1 << FR_REREAD_MANY);
    CHECK(strstr(explanation.text, explanation.sql) == explanation.text);
    CHECK(strstr(explanation.text, explanation.advice) != NULL);
    run(store, explanation.advice);
    fr_list_free(list);
    list = list_of(store, "t", NULL, "v", NULL);
    explanation = explained(list);
    CHECK_TEXT(explanation.advice, "");
    CHECK(!explanation.is_sorted);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void of_a_subquery(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, "v IN (SELECT title FROM lists)");
    CHECK_INT(explained(list).whole_reads, 1 << FR_REREAD_RELATED | 1 << FR_REREAD_MANY);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void errors(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_list *collection = NULL;
    fr_explanation explanation;
    memset(&explanation, 0, sizeof explanation);
    CHECK_STATUS(fr_controller_explain(&explanation, list), FR_RANGE);
    explanation.struct_size = sizeof explanation;
    CHECK_STATUS(fr_controller_explain(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_controller_explain(&explanation, NULL), FR_MISUSE);
    CHECK_OK(fr_collection_new(&collection));
    CHECK_STATUS(fr_controller_explain(&explanation, collection), FR_MISUSE);
    run(store, "DROP TABLE t");
    CHECK_STATUS(fr_controller_explain(&explanation, list), FR_SQL);
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_controller_explain(&explanation, list), FR_CLOSED);
    fr_list_free(collection);
    fr_list_free(list);
}

TESTS(explain_tests) = {
    TEST(the_advice_helps),
    TEST(of_a_subquery),
    TEST(errors),
    END_OF_TESTS,
};
