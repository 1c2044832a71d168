/* What can happen to the children of a collection. */
#include "test-random.h"
#include "test-support.h"

enum { CHILDREN = 6, KEPT = 8 };

/* A child whose handle was kept; it may have been taken out since. */
typedef struct child {
    fr_list *list;
    int kind;
    gboolean is_paused;
} child;

struct children {
    fr_list *collection;
    fr_store *const *stores;
    GArray *kept; /* of child */
};

static void free_child(gpointer element)
{
    child *one = element;
    if (one->is_paused) {
        check(fr_controller_resume(one->list, false));
    }
    fr_list_free(one->list);
}

children *children_new(fr_list *collection, fr_store *const *stores)
{
    children *all = g_new(children, 1);
    *all = (children){collection, stores, g_array_new(FALSE, FALSE, sizeof(child))};
    g_array_set_clear_func(all->kept, free_child);
    return all;
}

void children_free(children *children)
{
    g_array_unref(children->kept);
    g_free(children);
}

gboolean children_are_paused(const children *children)
{
    guint index;
    for (index = 0; index < children->kept->len; index++) {
        if (g_array_index(children->kept, child, index).is_paused) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A list of either store, or a collection of some. */
static child random_child(const children *children, int depth)
{
    child made = {NULL, random_below(depth < 3 ? LISTS : COLLECTED), FALSE};
    int count = random_below(3);
    if (made.kind != COLLECTED) {
        made.list = random_list(children->stores[random_below(2)], made.kind);
        return made;
    }
    check(fr_collection_new(&made.list));
    while (count-- > 0) {
        child inner = random_child(children, depth + 1);
        check(fr_collection_insert(made.list, -1, inner.list, NULL));
        fr_list_free(inner.list);
    }
    return made;
}

static fr_placeholder *random_placeholder(void)
{
    static const char *const names[] = {NULL, "nothing", "none"};
    fr_placeholder *placeholder = NULL;
    check(fr_placeholder_new(&placeholder, names[random_below(3)], NULL));
    return placeholder;
}

/* Half of the handles are given up at once; the list lives on in its collection. */
static void put_list(children *children, fr_list *collection, int64_t index, gboolean replaces)
{
    fr_placeholder *empty = random_below(2) == 0 ? random_placeholder() : NULL;
    child made = random_child(children, 1);
    check((replaces ? fr_collection_replace : fr_collection_insert)(collection, index, made.list, empty));
    if (random_below(2) == 0) {
        fr_list_free(made.list);
    } else {
        g_array_append_val(children->kept, made);
    }
    if (children->kept->len > KEPT) {
        g_array_remove_index(children->kept, (guint)random_below(KEPT));
    }
    fr_placeholder_free(empty);
}

static void put_placeholder(fr_list *collection, int64_t index, gboolean replaces)
{
    fr_placeholder *placeholder = random_placeholder();
    check((replaces ? fr_collection_replace_with_placeholder : fr_collection_insert_placeholder)(collection, index,
                                                                                                 placeholder));
    check(fr_placeholder_set_name(placeholder, random_below(2) == 0 ? "renamed" : NULL));
    fr_placeholder_free(placeholder);
}

static void change_children(children *children, fr_list *collection)
{
    int64_t count = 0;
    int places;
    gboolean replaces;
    check(fr_collection_child_count(&count, collection));
    if (count > 0 && random_below(count < CHILDREN ? 4 : 2) == 0) {
        g_test_message("child goes");
        check(fr_collection_remove(collection, random_below((int)count)));
        return;
    }
    replaces = count > 0 && random_below(3) == 0;
    places = replaces ? (int)count : (int)count + 1;
    g_test_message("child %s", replaces ? "is replaced" : "comes");
    if (random_below(5) == 0) {
        put_placeholder(collection, random_below(places), replaces);
    } else {
        put_list(children, collection, random_below(places), replaces);
    }
}

static void disturb_child(children *children, child *one, gboolean may_pause)
{
    g_test_message("child of kind %d%s", one->kind, one->is_paused ? " (paused)" : "");
    if (one->kind == COLLECTED) {
        change_children(children, one->list);
    } else if (one->is_paused) {
        check(fr_controller_resume(one->list, random_below(3) == 0));
        one->is_paused = FALSE;
    } else if (may_pause && random_below(3) == 0) {
        check(fr_controller_pause(one->list));
        one->is_paused = TRUE;
    } else if (random_below(6) == 0) {
        check(fr_list_perform_fetch(one->list));
    } else {
        disturb_list(one->list, one->kind);
    }
}

void children_disturb(children *children, gboolean may_pause)
{
    if (children->kept->len > 0 && random_below(2) == 0) {
        guint index = (guint)random_below((int)children->kept->len);
        disturb_child(children, &g_array_index(children->kept, child, index), may_pause);
    } else {
        change_children(children, children->collection);
    }
}
