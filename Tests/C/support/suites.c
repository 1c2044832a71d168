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
    suite(halfway) \
    suite(object) \
    suite(request) \
    suite(cache) \
    suite(cache_folder) \
    suite(cache_lock) \
    suite(history) \
    suite(controller_read) \
    suite(controller_order) \
    suite(controller_section) \
    suite(controller_request) \
    suite(delivery_row) \
    suite(delivery_section) \
    suite(delivery_transaction) \
    suite(delivery_capture) \
    suite(delivery_related) \
    suite(pause) \
    suite(fetch) \
    suite(dispatch) \
    suite(select) \
    suite(change_set) \
    suite(observer) \
    suite(callback) \
    suite(error) \
    suite(after_round) \
    suite(setting) \
    suite(replay) \
    suite(spelling) \
    suite(rows) \
    suite(section_map) \
    suite(section_map_key) \
    suite(section_map_section) \
    suite(section_map_change) \
    suite(section_map_record) \
    suite(section_map_old_value) \
    suite(section_map_order) \
    suite(section_map_option) \
    suite(section_map_error) \
    suite(collection) \
    suite(collection_change) \
    suite(collection_children) \
    suite(placeholder) \
    suite(collection_error) \
    suite(collection_callback) \
    suite(section_map_conflict) \
    suite(collection_place) \
    suite(coordinator) \
    suite(coordinator_callback) \
    suite(data_source) \
    suite(cell_callback) \
    suite(entity_list) \
    suite(entity_list_callback) \
    suite(collection_readme) \
    suite(section_map_readme) \
    suite(coordinator_readme) \
    suite(entity_list_readme) \
    suite(misuse_handle) \
    suite(misuse_argument) \
    suite(view_misuse) \
    suite(corpus)/* clang-format on */

#define DECLARE(suite) extern const struct test suite##_tests[];
EACH_SUITE(DECLARE)

#define ENTRY(suite) {#suite, suite##_tests},
const struct suite suites[] = {EACH_SUITE(ENTRY){NULL, NULL}};
