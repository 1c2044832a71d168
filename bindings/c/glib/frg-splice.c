#include "frg-splice.h"

guint frg_count_before(const GArray *array, frg_is_before is_before, gint64 bound)
{
    guint low = 0, high = array->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (is_before(array, middle, bound)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static frg_leaving *leaving_at(const GArray *leaving, guint index)
{
    return &g_array_index(leaving, frg_leaving, index);
}

static void clear_leaving(gpointer leaving)
{
    g_clear_object(&((frg_leaving *)leaving)->item);
}

static guint number_at(const GArray *numbers, guint index)
{
    return g_array_index(numbers, guint, index);
}

static gboolean leaves_before(const GArray *leaving, guint index, gint64 position)
{
    return leaving_at(leaving, index)->position < position;
}

static gboolean is_below(const GArray *numbers, guint index, gint64 bound)
{
    return number_at(numbers, index) < bound;
}

static gboolean comes_before_rank(const GArray *coming, guint index, gint64 rank)
{
    return number_at(coming, index) - index <= rank;
}

guint frg_position_of_rank(const GArray *coming, guint rank)
{
    return rank + frg_count_before(coming, comes_before_rank, rank);
}

/* Whether an item that moves comes back where it was, among those that stay. */
static gboolean keeps_its_rank(const frg_leaving *leaving, guint index, const GArray *coming)
{
    if (leaving->target == FRG_NOWHERE) {
        return FALSE;
    }
    return leaving->position - index == leaving->target - frg_count_before(coming, is_below, leaving->target);
}

frg_transition *frg_transition_new(GArray *leaving, GArray *coming)
{
    frg_transition *transition = g_new0(frg_transition, 1);
    guint index;
    if (leaving->len > 0) {
        transition->position = leaving_at(leaving, 0)->position;
        transition->end_before = leaving_at(leaving, leaving->len - 1)->position + 1;
    }
    if (coming->len > 0) {
        guint first = number_at(coming, 0);
        transition->position = leaving->len > 0 ? MIN(transition->position, first) : first;
        transition->end_after = number_at(coming, coming->len - 1) + 1;
    }
    transition->first.leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    transition->first.coming = g_array_new(FALSE, FALSE, sizeof(guint));
    transition->rest.leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    transition->rest.coming = coming;
    g_array_set_clear_func(transition->first.leaving, clear_leaving);
    g_array_set_clear_func(transition->rest.leaving, clear_leaving);
    for (index = 0; index < leaving->len; index++) {
        frg_leaving one = g_array_index(leaving, frg_leaving, index);
        transition->has_moves |= one.target != FRG_NOWHERE;
        transition->has_leavers |= one.moves && one.target == FRG_NOWHERE;
        if (one.moves && !keeps_its_rank(&one, index, coming)) {
            g_array_append_val(transition->first.leaving, one);
        } else {
            one.position -= transition->first.leaving->len;
            g_array_append_val(transition->rest.leaving, one);
        }
    }
    g_array_unref(leaving);
    return transition;
}

void frg_transition_free(frg_transition *transition)
{
    g_array_unref(transition->first.leaving);
    g_array_unref(transition->first.coming);
    g_array_unref(transition->rest.leaving);
    g_array_unref(transition->rest.coming);
    g_free(transition);
}

static void widen_by_leaving(const GArray *leaving, guint taken_out, guint *first, guint *last)
{
    if (leaving->len > 0) {
        *first = MIN(*first, leaving_at(leaving, 0)->position);
        *last = MAX(*last, leaving_at(leaving, leaving->len - 1)->position + taken_out);
    }
}

void frg_transition_range(const frg_transition *transition, guint *first, guint *last)
{
    const GArray *early = transition->first.leaving, *late = transition->rest.leaving;
    const GArray *coming = transition->rest.coming;
    *first = coming->len > 0 ? number_at(coming, 0) : G_MAXUINT;
    *last = coming->len > 0 ? number_at(coming, coming->len - 1) : 0;
    widen_by_leaving(early, 0, first, last);
    widen_by_leaving(late, early->len, first, last);
    if (early->len + late->len != coming->len) {
        *last = G_MAXUINT;
    }
}

static guint next_leaving_rank(const frg_splice *splice)
{
    guint index = splice->left;
    return index < splice->leaving->len ? leaving_at(splice->leaving, index)->position - index : G_MAXUINT;
}

static guint next_coming_rank(const frg_splice *splice)
{
    guint index = splice->come;
    return index < splice->coming->len ? number_at(splice->coming, index) - index : G_MAXUINT;
}

gboolean frg_splice_next(frg_splice *splice, guint *position, guint *removed, guint *added)
{
    guint left = splice->left, come = splice->come;
    guint rank = MIN(next_leaving_rank(splice), next_coming_rank(splice));
    if (rank == G_MAXUINT) {
        return FALSE;
    }
    while (next_leaving_rank(splice) == rank) {
        splice->left++;
    }
    while (next_coming_rank(splice) == rank) {
        splice->come++;
    }
    splice->rank = rank;
    *position = rank + come;
    *removed = splice->left - left;
    *added = splice->come - come;
    return TRUE;
}

static void finish(frg_splice *splice)
{
    guint position, removed, added;
    while (frg_splice_next(splice, &position, &removed, &added)) {
    }
}

void frg_transition_finish(frg_transition *transition)
{
    finish(&transition->first);
    finish(&transition->rest);
}

gboolean frg_transition_is_longer(const frg_transition *transition, guint limit)
{
    frg_splice first = transition->first, rest = transition->rest;
    guint count = 0, position, removed, added;
    while (count <= limit
           && (frg_splice_next(&first, &position, &removed, &added)
               || frg_splice_next(&rest, &position, &removed, &added))) {
        count++;
    }
    return count > limit;
}

static frg_leaving *find_in_round(const frg_splice *splice, guint position, guint *after)
{
    guint before, index;
    if (position < splice->rank + splice->come) {
        *after = position;
        return NULL;
    }
    before = position - splice->come + splice->left;
    index = frg_count_before(splice->leaving, leaves_before, before);
    if (index < splice->leaving->len && leaving_at(splice->leaving, index)->position == before) {
        return leaving_at(splice->leaving, index);
    }
    *after = frg_position_of_rank(splice->coming, before - index);
    return NULL;
}

frg_leaving *frg_transition_find(const frg_transition *transition, guint position, guint *after)
{
    frg_leaving *leaving = find_in_round(&transition->first, position, &position);
    return leaving != NULL ? leaving : find_in_round(&transition->rest, position, after);
}
