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

static frg_run *run_at(const GArray *runs, guint index)
{
    return (frg_run *)(void *)(runs->data + (gsize)index * g_array_get_element_size((GArray *)runs));
}

static guint end_of(const frg_run *run)
{
    return run->position + run->count;
}

void frg_number_runs(GArray *runs)
{
    guint index, before = 0;
    for (index = 0; index < runs->len; index++) {
        run_at(runs, index)->before = before;
        before += run_at(runs, index)->count;
    }
}

guint frg_items_before(const GArray *runs, guint index)
{
    const frg_run *last = index > 0 ? run_at(runs, index - 1) : NULL;
    return last != NULL ? last->before + last->count : 0;
}

guint frg_count_items(const GArray *runs)
{
    return frg_items_before(runs, runs->len);
}

/* Before which rank a run is. G_MAXUINT behind the last one. */
static guint rank_of(const GArray *runs, guint index)
{
    return index < runs->len ? run_at(runs, index)->position - run_at(runs, index)->before : G_MAXUINT;
}

static gboolean begins_before(const GArray *runs, guint index, gint64 position)
{
    return run_at(runs, index)->position < position;
}

static gboolean comes_before_rank(const GArray *coming, guint index, gint64 rank)
{
    return rank_of(coming, index) <= rank;
}

guint frg_position_of_rank(const GArray *coming, guint rank)
{
    return rank + frg_items_before(coming, frg_count_before(coming, comes_before_rank, rank));
}

/* How many items of runs are before a position. */
static guint count_before_position(const GArray *runs, guint position)
{
    guint index = frg_count_before(runs, begins_before, position);
    const frg_run *last = index > 0 ? run_at(runs, index - 1) : NULL;
    return last != NULL ? last->before + MIN(last->count, position - last->position) : 0;
}

/* Whether items that move return where they were, among those that stay. */
static gboolean keep_their_rank(const frg_leaving *leaving, const GArray *coming)
{
    if (leaving->target == FRG_NOWHERE) {
        return FALSE;
    }
    return leaving->run.position - leaving->run.before
           == leaving->target - count_before_position(coming, leaving->target);
}

/* Leavers, by place. */

static void free_leaver(gpointer leaver)
{
    g_clear_object(&((frg_leaver *)leaver)->item);
    g_free(leaver);
}

static gint compare_leavers(gconstpointer one, gconstpointer other, gpointer unused)
{
    guint a = ((const frg_leaver *)one)->place, b = ((const frg_leaver *)other)->place;
    (void)unused;
    return a < b ? -1 : a > b;
}

/* Of item `index` of a run. */
static frg_leaver *leaver_of(GSequence *leavers, const frg_leaving *leaving, guint index)
{
    frg_leaver wanted = {leaving->run.position + leaving->early + index, leaving->target, leaving->record, NULL};
    GSequenceIter *found = g_sequence_lookup(leavers, &wanted, compare_leavers, NULL);
    frg_leaver *leaver;
    if (found != NULL) {
        return g_sequence_get(found);
    }
    if (wanted.target != FRG_NOWHERE) {
        wanted.target += index;
    } else if (wanted.record != FRG_NO_RECORD) {
        wanted.record += leaving->run.count - 1 - index;
    }
    leaver = g_new(frg_leaver, 1);
    *leaver = wanted;
    g_sequence_insert_sorted(leavers, leaver, compare_leavers, NULL);
    return leaver;
}

/* Transitions. */

static void set_ends(frg_transition *transition, const GArray *leaving, const GArray *coming)
{
    transition->position = MIN(leaving->len > 0 ? run_at(leaving, 0)->position : G_MAXUINT,
                               coming->len > 0 ? run_at(coming, 0)->position : G_MAXUINT);
    transition->end_before = leaving->len > 0 ? end_of(run_at(leaving, leaving->len - 1)) : 0;
    transition->end_after = coming->len > 0 ? end_of(run_at(coming, coming->len - 1)) : 0;
}

frg_transition *frg_transition_new(GArray *leaving, GArray *coming)
{
    frg_transition *transition = g_new0(frg_transition, 1);
    guint index, early = 0, late = 0;
    frg_number_runs(leaving);
    frg_number_runs(coming);
    set_ends(transition, leaving, coming);
    transition->first.leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    transition->first.coming = g_array_new(FALSE, FALSE, sizeof(frg_run));
    transition->rest.leaving = leaving;
    transition->rest.coming = coming;
    transition->leavers = g_sequence_new(free_leaver);
    for (index = 0; index < leaving->len; index++) {
        frg_leaving one = *leaving_at(leaving, index);
        transition->has_moves |= one.target != FRG_NOWHERE;
        transition->has_leavers |= one.moves && one.target == FRG_NOWHERE;
        if (one.moves && !keep_their_rank(&one, coming)) {
            early += one.run.count;
            g_array_append_val(transition->first.leaving, one);
        } else {
            one.early = early;
            one.run.position -= early;
            *leaving_at(leaving, late++) = one;
        }
    }
    g_array_set_size(leaving, late);
    frg_number_runs(transition->first.leaving);
    frg_number_runs(leaving);
    return transition;
}

void frg_transition_free(frg_transition *transition)
{
    g_array_unref(transition->first.leaving);
    g_array_unref(transition->first.coming);
    g_array_unref(transition->rest.leaving);
    g_array_unref(transition->rest.coming);
    g_sequence_free(transition->leavers);
    g_free(transition);
}

/* Runs before which `taken_out` items were removed. */
static void widen(const GArray *runs, guint taken_out, guint *first, guint *last)
{
    if (runs->len > 0) {
        *first = MIN(*first, run_at(runs, 0)->position);
        *last = MAX(*last, end_of(run_at(runs, runs->len - 1)) - 1 + taken_out);
    }
}

void frg_transition_range(const frg_transition *transition, guint *first, guint *last)
{
    const GArray *early = transition->first.leaving, *late = transition->rest.leaving;
    const GArray *coming = transition->rest.coming;
    *first = G_MAXUINT;
    *last = 0;
    widen(coming, 0, first, last);
    widen(early, 0, first, last);
    widen(late, frg_count_items(early), first, last);
    if (frg_count_items(early) + frg_count_items(late) != frg_count_items(coming)) {
        *last = G_MAXUINT;
    }
}

gboolean frg_splice_next(frg_splice *splice, guint *position, guint *removed, guint *added)
{
    guint left = frg_items_before(splice->leaving, splice->left), come = frg_items_before(splice->coming, splice->come);
    guint rank = MIN(rank_of(splice->leaving, splice->left), rank_of(splice->coming, splice->come));
    if (rank == G_MAXUINT) {
        return FALSE;
    }
    while (rank_of(splice->leaving, splice->left) == rank) {
        splice->left++;
    }
    while (rank_of(splice->coming, splice->come) == rank) {
        splice->come++;
    }
    splice->rank = rank;
    *position = rank + come;
    *removed = frg_items_before(splice->leaving, splice->left) - left;
    *added = frg_items_before(splice->coming, splice->come) - come;
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

static frg_leaver *find_in_round(const frg_splice *splice, GSequence *leavers, guint position, guint *after)
{
    guint come = frg_items_before(splice->coming, splice->come), before, index;
    if (position < splice->rank + come) {
        *after = position;
        return NULL;
    }
    before = position - come + frg_items_before(splice->leaving, splice->left);
    index = frg_count_before(splice->leaving, begins_before, (gint64)before + 1);
    if (index > 0) {
        const frg_leaving *leaving = leaving_at(splice->leaving, index - 1);
        if (before < end_of(&leaving->run)) {
            return leaver_of(leavers, leaving, before - leaving->run.position);
        }
    }
    *after = frg_position_of_rank(splice->coming, before - frg_items_before(splice->leaving, index));
    return NULL;
}

frg_leaver *frg_transition_find(frg_transition *transition, guint position, guint *after)
{
    frg_leaver *leaver = find_in_round(&transition->first, transition->leavers, position, &position);
    return leaver != NULL ? leaver : find_in_round(&transition->rest, transition->leavers, position, after);
}
