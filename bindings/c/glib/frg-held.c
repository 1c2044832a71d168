#include "frg-held.h"

typedef struct held_item {
    guint place;
    gboolean is_sure;
    GObject *item;
    GSequenceIter *self;
} held_item;

static void item_gone(gpointer user_data, GObject *item)
{
    held_item *one = user_data;
    (void)item;
    one->item = NULL;
    g_sequence_remove(one->self);
}

static void free_one(gpointer user_data)
{
    held_item *one = user_data;
    if (one->item != NULL) {
        g_object_weak_unref(one->item, item_gone, one);
    }
    g_free(one);
}

static gint compare(gconstpointer one, gconstpointer other, gpointer unused)
{
    guint a = ((const held_item *)one)->place, b = ((const held_item *)other)->place;
    (void)unused;
    return a < b ? -1 : a > b;
}

static held_item *find(GSequence *held, guint place)
{
    held_item wanted = {.place = place};
    GSequenceIter *found = g_sequence_lookup(held, &wanted, compare, NULL);
    return found != NULL ? g_sequence_get(found) : NULL;
}

GSequence *frg_held_new(void)
{
    return g_sequence_new(free_one);
}

gpointer frg_held_find(GSequence *held, guint place, gboolean *is_sure)
{
    const held_item *one = find(held, place);
    if (one != NULL && is_sure != NULL) {
        *is_sure = one->is_sure;
    }
    return one != NULL ? one->item : NULL;
}

void frg_held_put(GSequence *held, guint place, gpointer item, gboolean is_sure)
{
    held_item *old = find(held, place), *one = g_new(held_item, 1);
    if (old != NULL) {
        g_sequence_remove(old->self);
    }
    *one = (held_item){place, is_sure, item, NULL};
    one->self = g_sequence_insert_sorted(held, one, compare, NULL);
    g_object_weak_ref(item, item_gone, one);
}

static void add_item(gpointer one, gpointer items)
{
    g_ptr_array_add(items, g_object_ref(((const held_item *)one)->item));
}

GPtrArray *frg_held_dup(GSequence *held)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
    g_sequence_foreach(held, add_item, items);
    return items;
}

guint frg_held_place(GSequence *held, gpointer item)
{
    GSequenceIter *iterator = g_sequence_get_begin_iter(held);
    for (; !g_sequence_iter_is_end(iterator); iterator = g_sequence_iter_next(iterator)) {
        const held_item *one = g_sequence_get(iterator);
        if (one->item == item) {
            return one->place;
        }
    }
    return FRG_NOWHERE;
}

void frg_held_clear(GSequence *held)
{
    g_sequence_remove_range(g_sequence_get_begin_iter(held), g_sequence_get_end_iter(held));
}

/* The first item at a place or behind it, or the end. */
static GSequenceIter *item_from(GSequence *held, guint place)
{
    held_item before = {.place = place - 1};
    return place == 0 ? g_sequence_get_begin_iter(held) : g_sequence_search(held, &before, compare, NULL);
}

void frg_held_doubt(GSequence *held, guint place, guint count, frg_held_function function, gpointer user_data)
{
    GSequenceIter *iterator = item_from(held, place);
    for (; !g_sequence_iter_is_end(iterator); iterator = g_sequence_iter_next(iterator)) {
        held_item *one = g_sequence_get(iterator);
        if (one->place - place >= count) {
            break;
        }
        one->is_sure = FALSE;
        function(user_data, one->place, one->item);
    }
}

static void put_arrival(gpointer leaver, gpointer held)
{
    const frg_leaver *one = leaver;
    if (one->item != NULL && one->target != FRG_NOWHERE) {
        frg_held_put(held, one->target, one->item, TRUE);
    }
}

/* Items that stay keep their order, so they can be given their new places one by one. */
void frg_held_follow(GSequence *held, frg_transition *transition)
{
    guint first, last;
    GSequenceIter *iterator, *next;
    frg_transition_range(transition, &first, &last);
    for (iterator = item_from(held, first); !g_sequence_iter_is_end(iterator); iterator = next) {
        held_item *one = g_sequence_get(iterator);
        frg_leaver *leaver;
        if (one->place > last) {
            break;
        }
        leaver = frg_transition_find(transition, one->place, &one->place);
        next = g_sequence_iter_next(iterator);
        if (leaver != NULL) {
            leaver->item = g_object_ref(one->item);
            g_sequence_remove(iterator);
        }
    }
    g_sequence_foreach(transition->leavers, put_arrival, held);
}
