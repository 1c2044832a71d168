/* A program of a user's own: makes the database that the test shows to frwatch. */
#include <fetchedresults.h>
#include <stdio.h>

int main(void)
{
    fr_store *store = NULL;
    if (fr_store_open(&store, "shop.db", NULL) != FR_OK
        || fr_store_execute_script(store, "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE, kind TEXT,"
                                          " price REAL); INSERT INTO items VALUES"
                                          " (1, 'apple', 'fruit', 0.5), (2, 'pear', 'fruit', 0.75),"
                                          " (3, 'leek', 'vegetable', 1), (4, 'salt', NULL, 2)")
               != FR_OK) {
        fprintf(stderr, "shop: %s\n", fr_error_message());
        return 1;
    }
    printf("version %s\n", fr_version());
    return fr_store_close(store) == FR_OK ? 0 : 1;
}
