#include "suites.h"

#include <stddef.h>

/* clang-format off */
#define EACH_SUITE(suite) \
    suite(base) \
    suite(live_handle) \
    suite(last_error) \
    suite(foreign) \
    suite(other_user) \
    suite(fork) \
    suite(watching) \
    /* Leaves its process without notices. */ \
    suite(without_notices) \
    suite(memory) \
    suite(disk) \
    suite(layout) \
    suite(list_memory) \
    suite(struct_size) \
    suite(value) \
    suite(number) \
    suite(store_open) \
    suite(replaced_file) \
    suite(store_execute) \
    suite(store_transaction) \
    suite(store_object) \
    suite(store_collation) \
    suite(store_fallible_collation) \
    suite(store_function) \
    suite(store_adopt) \
    suite(encrypted_file) \
    suite(plain_writes) \
    suite(checkpoint) \
    suite(statement) \
    suite(object) \
    suite(request) \
    suite(cache) \
    suite(history) \
    suite(undo) \
    suite(controller) \
    suite(section) \
    suite(totals) \
    suite(fetch) \
    suite(dispatch) \
    suite(group) \
    suite(select) \
    suite(change_set) \
    suite(observer) \
    suite(origin) \
    suite(callback) \
    suite(error) \
    suite(explain) \
    suite(after_round) \
    suite(trace) \
    suite(setting) \
    suite(replay) \
    suite(spelling) \
    suite(rows) \
    suite(section_map) \
    suite(section_map_record) \
    suite(section_map_error) \
    suite(collection) \
    suite(collection_children) \
    suite(placeholder) \
    suite(collection_error) \
    suite(window) \
    suite(coordinator) \
    suite(coordinator_callback) \
    suite(data_source) \
    suite(cell_callback) \
    suite(entity_list) \
    suite(entity_list_callback) \
    suite(readme) \
    suite(misuse_handle) \
    suite(misuse_argument) \
    suite(view_misuse) \
    suite(corpus)/* clang-format on */

#define DECLARE(suite) extern const struct test suite##_tests[];
EACH_SUITE(DECLARE)

#define ENTRY(suite) {#suite, suite##_tests},
const struct suite suites[] = {EACH_SUITE(ENTRY){NULL, NULL}};
