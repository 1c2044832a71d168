#include "kept.h"

#include <string.h>

#include "test.h"

static void keep(fr_list *controller, fr_change_set *changes, void *user_data)
{
    fr_change_set **kept = user_data;
    (void)controller;
    fr_change_set_unref(*kept);
    *kept = fr_change_set_ref(changes);
}

void keep_changes(fr_list *list, fr_change_set **kept)
{
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = keep;
    *kept = NULL;
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, kept, NULL));
}
