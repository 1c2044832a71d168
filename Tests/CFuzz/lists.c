/* Making, freeing and observing lists. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static struct shown_list *shown_list_of(fr_list *list)
{
    int index;
    for (index = 0; index < LISTS; index++) {
        if (world.lists[index].list == list) return &world.lists[index];
    }
    return NULL;
}

static const char *name_of(fr_list *list)
{
    struct shown_list *shown = shown_list_of(list);
    return shown == NULL || shown->template == NULL ? "?" : shown->template->name;
}

/* Random calls inside a callback, which may also free what is being delivered. */
static void act(void)
{
    if (world.depth >= DEEPEST) return;
    world.depth++;
    while (world.budget > 0 && one_in(3)) {
        world.budget--;
        random_call();
    }
    world.depth--;
}

static void will_change(fr_list *list, void *user_data)
{
    (void)list;
    (void)user_data;
    act();
}

static void section_changed(fr_list *list, const fr_section_info *section, const fr_change *change,
                            fr_change_set *changes, void *user_data)
{
    (void)list;
    (void)section;
    (void)change;
    (void)changes;
    (void)user_data;
    act();
}

static void object_changed(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                           void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
    if (change->kind != FR_OBJECT) fault("object_changed got a record of a section");
    if (object != NULL && one_in(3)) {
        uint64_t place = below(OBJECTS);
        fr_object_unref(world.objects[place]);
        world.objects[place] = fr_object_ref(object);
    }
    act();
}

static void did_change(fr_list *list, void *user_data)
{
    (void)list;
    (void)user_data;
    act();
}

static void did_deliver(fr_list *list, fr_change_set *changes, void *user_data)
{
    bool is_reload = false;
    const fr_change *records = NULL;
    size_t count = 0;
    (void)user_data;
    world.deliveries++;
    if (fr_change_set_is_reload(&is_reload, changes) != FR_OK) fault("no change set in did_deliver");
    fr_change_set_records(&records, &count, changes);
    if ((count == 0) != is_reload) fault("an empty change set");
    note("delivery to %s: %zu records", name_of(list), count);
    if (one_in(4)) {
        uint64_t place = below(CHANGE_SETS);
        fr_change_set_unref(world.change_sets[place]);
        world.change_sets[place] = fr_change_set_ref(changes);
    }
    act();
}

static void did_fail(fr_list *list, const fr_error *error, void *user_data)
{
    struct shown_list *shown = shown_list_of(list);
    (void)user_data;
    note("did_fail: %s", error->message);
    /* The request of a callback, which is taken after the round, or a delivery. */
    if (shown != NULL && shown->is_requested) shown->template = NULL;
    if (error->status == FR_OK || error->status == FR_CORRUPT) fault("did_fail with %s", error->message);
    act();
}

static void did_reload(fr_list *list, void *user_data)
{
    (void)list;
    (void)user_data;
    act();
}

void lists_observe(struct shown_list *list)
{
    static const fr_observer whole = {sizeof(fr_observer), will_change, section_changed, object_changed,
                                      did_change,          did_deliver, did_fail,        did_reload};
    static const fr_observer few = {sizeof(fr_observer), NULL, NULL, object_changed, NULL, did_deliver, NULL, NULL};
    if (list->observer_count == 3) {
        DO(fr_list_remove_observer(list->list, list->observers[--list->observer_count]));
        return;
    }
    if (DO(fr_list_add_observer(&list->observers[list->observer_count], list->list, one_in(3) ? &few : &whole, NULL,
                                NULL))
        == FR_OK) {
        list->observer_count++;
    }
}

void lists_make(struct shown_list *list)
{
    const struct template *template = &templates[below((uint64_t)template_count)];
    fr_list *made;
    if (world.store == NULL) return;
    made = template->make(world.store, template);
    /* A callback may have made one there. */
    if (made == NULL || list->list != NULL) {
        fr_list_free(made);
        return;
    }
    list->list = made;
    list->template = template;
    list->is_requested = false;
    list->observer_count = 0;
    note("list %d is %s", (int)(list - world.lists), template->name);
    lists_observe(list);
}

void lists_free(struct shown_list *list)
{
    int index, child;
    fr_list *handle = list->list;
    note("list %d is freed", (int)(list - world.lists));
    for (index = 0; index < LISTS; index++) {
        for (child = 0; child < MOST_CHILDREN; child++) {
            /* It still shows the child, but the world can't ask that any more. */
            if (world.lists[index].children[child] == list) world.lists[index].template = NULL;
        }
    }
    memset(list, 0, sizeof *list);
    fr_list_free(handle);
    world.freed[4] = handle;
}

struct shown_list *random_list(void)
{
    struct shown_list *list = &world.lists[below(LISTS)];
    if (list->list == NULL && world.store != NULL) lists_make(list);
    if (list->list != NULL && list->template == NULL) {
        lists_free(list);
        lists_make(list);
    }
    return list->list == NULL ? NULL : list;
}
