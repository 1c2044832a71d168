#include "frg-changed-rows.h"

/* Rows that leave their places; in a list of sections, a section as a row of section 0. */
typedef struct leaving_rows {
    frg_rows rows;    /* before */
    guint to_section; /* of the first one, after; FRG_NOWHERE if they are deleted */
    guint to_row;
    gsize record;     /* as in frg_leaving */
} leaving_rows;

struct frg_changed_rows {
    fr_list *controller;
    GArray *leaving; /* of leaving_rows: rows, ascending */
    GArray *coming;  /* of frg_rows: rows, ascending */
    GArray *updated; /* of frg_rows: rows that stay, as they are now */
    GArray *gone;    /* of leaving_rows: sections, ascending */
    GArray *come;    /* of frg_run: sections, ascending */
};

static gint compare(guint a, guint b)
{
    return a < b ? -1 : a > b;
}

static gint compare_runs(gconstpointer one, gconstpointer other)
{
    return compare(((const frg_run *)one)->position, ((const frg_run *)other)->position);
}

static gint compare_rows(gconstpointer one, gconstpointer other)
{
    const frg_rows *a = one, *b = other;
    return a->section != b->section ? compare(a->section, b->section) : compare_runs(one, other);
}

static const leaving_rows *leaving_at(const GArray *leaving, guint index)
{
    return &g_array_index(leaving, leaving_rows, index);
}

/* Of rows that leave or come. */
static const frg_rows *rows_at(const GArray *rows, guint index)
{
    return (const frg_rows *)(const void *)(rows->data + (gsize)index * g_array_get_element_size((GArray *)rows));
}

static gboolean is_before_section(const GArray *rows, guint index, gint64 section)
{
    return rows_at(rows, index)->section < section;
}

static gboolean is_gone_before(const GArray *gone, guint index, gint64 section)
{
    return rows_at(gone, index)->run.position < section;
}

/* The first run of a section or of a later one. */
static guint first_of_section(const GArray *rows, gint64 section)
{
    return frg_count_before(rows, is_before_section, section);
}

static void sort(frg_changed_rows *rows)
{
    g_array_sort(rows->leaving, compare_rows);
    g_array_sort(rows->coming, compare_rows);
    frg_number_runs(rows->leaving);
    frg_number_runs(rows->coming);
}

static void add_section(frg_changed_rows *rows, const fr_range *range)
{
    guint to = (guint)range->new_path.section;
    leaving_rows gone = {{{(guint)range->old_path.section, 1, 0}, 0}, to, 0, (gsize)range->first};
    frg_run come = {to, 1, 0};
    if (range->type == FR_DELETE || range->type == FR_MOVE) {
        g_array_append_val(rows->gone, gone);
    }
    if (range->type == FR_INSERT || range->type == FR_MOVE) {
        g_array_append_val(rows->come, come);
    }
}

/* The rows of a run can have moved from anywhere. */
static void add_moved(GArray *leaving, fr_change_set *changes, const fr_range *range)
{
    fr_change records[64];
    size_t first = (size_t)range->first, end = first + (size_t)range->count, index;
    while (first < end) {
        size_t count = MIN(end - first, G_N_ELEMENTS(records));
        /* These are numbers of the change set. */
        fr_change_set_read(records, &count, changes, first);
        for (index = 0; index < count; index++) {
            const fr_change *moved = &records[index];
            leaving_rows one = {{{(guint)moved->old_path.row, 1, 0}, (guint)moved->old_path.section},
                                (guint)moved->new_path.section,
                                (guint)moved->new_path.row,
                                first + index};
            g_array_append_val(leaving, one);
        }
        first += count;
    }
}

static void add_rows(frg_changed_rows *rows, fr_change_set *changes, const fr_range *range)
{
    frg_rows new = {{(guint)range->new_path.row, (guint)range->count, 0}, (guint)range->new_path.section};
    frg_rows old = {{(guint)range->old_path.row, (guint)range->count, 0}, (guint)range->old_path.section};
    if (range->type == FR_DELETE) {
        leaving_rows deleted = {old, FRG_NOWHERE, FRG_NOWHERE, (gsize)range->first};
        g_array_append_val(rows->leaving, deleted);
        return;
    }
    g_array_append_val(range->type == FR_UPDATE ? rows->updated : rows->coming, new);
    if (range->type == FR_MOVE) {
        add_moved(rows->leaving, changes, range);
    }
}

frg_changed_rows *frg_changed_rows_new(fr_list *controller, fr_change_set *changes)
{
    frg_changed_rows *rows = g_new0(frg_changed_rows, 1);
    const fr_range *ranges = NULL;
    size_t count = 0, index;
    rows->controller = controller;
    rows->leaving = g_array_new(FALSE, FALSE, sizeof(leaving_rows));
    rows->coming = g_array_new(FALSE, FALSE, sizeof(frg_rows));
    rows->updated = g_array_new(FALSE, FALSE, sizeof(frg_rows));
    rows->gone = g_array_new(FALSE, FALSE, sizeof(leaving_rows));
    rows->come = g_array_new(FALSE, FALSE, sizeof(frg_run));
    /* It refuses only what is no change set. */
    fr_change_set_ranges(&ranges, &count, changes);
    for (index = 0; index < count; index++) {
        if (ranges[index].kind == FR_SECTION) {
            add_section(rows, &ranges[index]);
        } else {
            add_rows(rows, changes, &ranges[index]);
        }
    }
    sort(rows);
    g_array_sort(rows->gone, compare_runs);
    g_array_sort(rows->come, compare_runs);
    frg_number_runs(rows->come);
    return rows;
}

void frg_changed_rows_free(frg_changed_rows *rows)
{
    g_clear_pointer(&rows->leaving, g_array_unref);
    g_array_unref(rows->coming);
    g_array_unref(rows->updated);
    g_array_unref(rows->gone);
    g_array_unref(rows->come);
    g_free(rows);
}

/* From `row` on, behind the rows that leave or come there; `index` is the first run of the rest. */
static guint skip(const GArray *rows, guint *index, gint64 section, guint row)
{
    while (*index < rows->len && rows_at(rows, *index)->section == section
           && rows_at(rows, *index)->run.position == row) {
        row += rows_at(rows, (*index)++)->run.count;
    }
    return row;
}

/* How many rows of a section are between `row` and the next run, at most `most`. */
static guint distance_to(const GArray *rows, guint index, gint64 section, guint row, guint most)
{
    gboolean is_next = index < rows->len && rows_at(rows, index)->section == section;
    return is_next ? MIN(most, rows_at(rows, index)->run.position - row) : most;
}

/* In the flat list the rows of a moved section move, too: runs of rows that stay in it. */
static void add_rows_taken_along(const frg_changed_rows *rows, const leaving_rows *section, GArray *leaving,
                                 GArray *coming)
{
    guint before = section->rows.run.position, after = section->to_section;
    guint left = first_of_section(rows->leaving, before), came = first_of_section(rows->coming, after);
    guint from = skip(rows->leaving, &left, before, 0), to = skip(rows->coming, &came, after, 0);
    int64_t count = 0;
    fr_list_row_count(&count, rows->controller, after);
    while (to < count) {
        guint length = distance_to(rows->leaving, left, before, from, (guint)count - to);
        length = distance_to(rows->coming, came, after, to, length);
        leaving_rows taken = {{{from, length, 0}, before}, after, to, FRG_NO_RECORD};
        frg_rows arrived = {{to, length, 0}, after};
        g_array_append_val(leaving, taken);
        g_array_append_val(coming, arrived);
        from = skip(rows->leaving, &left, before, from + length);
        to = skip(rows->coming, &came, after, to + length);
    }
}

static void add_moved_sections(frg_changed_rows *rows)
{
    GArray *leaving = g_array_new(FALSE, FALSE, sizeof(leaving_rows));
    GArray *coming = g_array_new(FALSE, FALSE, sizeof(frg_rows));
    guint index;
    for (index = 0; index < rows->gone->len; index++) {
        const leaving_rows *section = leaving_at(rows->gone, index);
        if (section->to_section != FRG_NOWHERE) {
            add_rows_taken_along(rows, section, leaving, coming);
        }
    }
    if (leaving->len > 0) {
        g_array_append_vals(rows->leaving, leaving->data, leaving->len);
        g_array_append_vals(rows->coming, coming->data, coming->len);
        sort(rows);
    }
    g_array_unref(leaving);
    g_array_unref(coming);
}

/* The number of rows before a section as it is now. An empty section has no row with a number. */
static guint start_of_section(const frg_changed_rows *rows, gint64 section)
{
    int64_t low = 0, high = 0;
    if (fr_list_index_of(&low, rows->controller, (fr_index_path){section, 0}) == FR_OK) {
        return (guint)low;
    }
    fr_list_count(&high, rows->controller);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        fr_index_path path = {0, 0};
        fr_list_index_path_at(&path, rows->controller, middle);
        if (path.section < section) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (guint)low;
}

/*
 * The same as it was. The sections before this one that stay are the first ones that stay, now as
 * well: up to there the rows that left and came make all the difference.
 */
static guint start_of_old_section(const frg_changed_rows *rows, gint64 section)
{
    guint staying = (guint)section - frg_count_before(rows->gone, is_gone_before, section);
    guint end = staying == 0 ? 0 : frg_position_of_rank(rows->come, staying - 1) + 1;
    return start_of_section(rows, end) - frg_items_before(rows->coming, first_of_section(rows->coming, end))
           + frg_items_before(rows->leaving, first_of_section(rows->leaving, section));
}

/* The section of the last row that was asked for, since the next one is mostly in it. */
typedef struct section_start {
    gint64 section;
    guint start;
} section_start;

/* The number over all sections of a row as it is now. */
static guint flat_position(const frg_changed_rows *rows, section_start *last, gint64 section, guint row)
{
    if (last->section != section) {
        *last = (section_start){section, start_of_section(rows, section)};
    }
    return last->start + row;
}

frg_transition *frg_changed_rows_all(frg_changed_rows *rows)
{
    section_start old = {-1, 0}, target = {-1, 0};
    GArray *leaving, *coming;
    guint index;
    add_moved_sections(rows);
    leaving = g_array_sized_new(FALSE, FALSE, sizeof(frg_leaving), rows->leaving->len);
    coming = g_array_sized_new(FALSE, FALSE, sizeof(frg_run), rows->coming->len);
    for (index = 0; index < rows->leaving->len; index++) {
        const leaving_rows *left = leaving_at(rows->leaving, index);
        gboolean moves = left->to_section != FRG_NOWHERE;
        frg_leaving flat = {left->rows.run, FRG_NOWHERE, left->record, moves, 0};
        if (left->rows.section != old.section) {
            old = (section_start){left->rows.section, start_of_old_section(rows, left->rows.section)};
        }
        flat.run.position += old.start;
        if (moves) {
            flat.target = flat_position(rows, &target, left->to_section, left->to_row);
        }
        g_array_append_val(leaving, flat);
    }
    for (index = 0; index < rows->coming->len; index++) {
        const frg_rows *came = rows_at(rows->coming, index);
        frg_run run = came->run;
        run.position = flat_position(rows, &target, came->section, run.position);
        g_array_append_val(coming, run);
    }
    /* They can be a million moves, and are not needed for anything else. */
    g_clear_pointer(&rows->leaving, g_array_unref);
    return frg_transition_new(leaving, coming);
}

const GArray *frg_changed_rows_updated(const frg_changed_rows *rows)
{
    return rows->updated;
}

frg_transition *frg_changed_rows_of_section(const frg_changed_rows *rows, gint64 before, gint64 after)
{
    guint left = first_of_section(rows->leaving, before), left_end = first_of_section(rows->leaving, before + 1);
    guint came = after < 0 ? 0 : first_of_section(rows->coming, after);
    guint came_end = after < 0 ? 0 : first_of_section(rows->coming, after + 1);
    GArray *leaving, *coming;
    if (left == left_end && came == came_end) {
        return NULL;
    }
    leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    coming = g_array_new(FALSE, FALSE, sizeof(frg_run));
    for (; left < left_end; left++) {
        const leaving_rows *row = leaving_at(rows->leaving, left);
        guint target = row->to_section == after ? row->to_row : FRG_NOWHERE;
        gboolean moves = row->to_section != FRG_NOWHERE || after < 0;
        frg_leaving one = {row->rows.run, target, row->record, moves, 0};
        g_array_append_val(leaving, one);
    }
    for (; came < came_end; came++) {
        g_array_append_val(coming, rows_at(rows->coming, came)->run);
    }
    return frg_transition_new(leaving, coming);
}

frg_transition *frg_changed_rows_sections(const frg_changed_rows *rows)
{
    GArray *leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    guint index;
    for (index = 0; index < rows->gone->len; index++) {
        const leaving_rows *section = leaving_at(rows->gone, index);
        gboolean moves = section->to_section != FRG_NOWHERE;
        frg_leaving one = {section->rows.run, section->to_section, section->record, moves, 0};
        g_array_append_val(leaving, one);
    }
    return frg_transition_new(leaving, g_array_copy(rows->come));
}
