#include "frg-changed-rows.h"

/* A row that leaves its place, or, with rows of -1, a section. */
typedef struct leaving_row {
    fr_index_path from; /* before */
    fr_index_path to;   /* after; {-1, -1} if it is deleted */
    gsize record;
} leaving_row;

struct frg_changed_rows {
    fr_list *controller;
    GArray *leaving; /* of leaving_row: rows, ascending `from` */
    GArray *coming;  /* of fr_index_path: rows, ascending */
    GArray *updated; /* of fr_index_path: rows that stay, as they are now */
    GArray *gone;    /* of leaving_row: sections, ascending `from` */
    GArray *come;    /* of guint: sections, ascending */
};

static gint compare_paths(gconstpointer one, gconstpointer other)
{
    const fr_index_path *a = one, *b = other;
    if (a->section != b->section) {
        return a->section < b->section ? -1 : 1;
    }
    return a->row < b->row ? -1 : a->row > b->row;
}

static gint compare_leaving(gconstpointer one, gconstpointer other)
{
    return compare_paths(&((const leaving_row *)one)->from, &((const leaving_row *)other)->from);
}

static gint compare_numbers(gconstpointer one, gconstpointer other)
{
    guint a = *(const guint *)one, b = *(const guint *)other;
    return a < b ? -1 : a > b;
}

static const leaving_row *leaving_at(const GArray *leaving, guint index)
{
    return &g_array_index(leaving, leaving_row, index);
}

static const fr_index_path *coming_at(const GArray *coming, guint index)
{
    return &g_array_index(coming, fr_index_path, index);
}

static gboolean leaves_before(const GArray *leaving, guint index, gint64 section)
{
    return leaving_at(leaving, index)->from.section < section;
}

static gboolean comes_before(const GArray *coming, guint index, gint64 section)
{
    return coming_at(coming, index)->section < section;
}

/* How many rows of the sections before `section`, or how many of those sections. */
static guint leaving_before(const GArray *leaving, gint64 section)
{
    return frg_count_before(leaving, leaves_before, section);
}

static guint coming_before(const GArray *coming, gint64 section)
{
    return frg_count_before(coming, comes_before, section);
}

static void sort(frg_changed_rows *rows)
{
    g_array_sort(rows->leaving, compare_leaving);
    g_array_sort(rows->coming, compare_paths);
}

static void add_section(frg_changed_rows *rows, const fr_change *change, gsize record)
{
    leaving_row gone = {change->old_path, change->new_path, record};
    guint come = (guint)change->new_path.section;
    if (change->type != FR_INSERT) {
        g_array_append_val(rows->gone, gone);
    }
    if (change->type != FR_DELETE) {
        g_array_append_val(rows->come, come);
    }
}

static void add_row(frg_changed_rows *rows, const fr_change *change, gsize record)
{
    leaving_row leaving = {change->old_path, change->new_path, record};
    if (change->type == FR_UPDATE) {
        g_array_append_val(rows->updated, change->new_path);
        return;
    }
    if (change->type != FR_INSERT) {
        g_array_append_val(rows->leaving, leaving);
    }
    if (change->type != FR_DELETE) {
        g_array_append_val(rows->coming, change->new_path);
    }
}

frg_changed_rows *frg_changed_rows_new(fr_list *controller, fr_change_set *changes)
{
    frg_changed_rows *rows = g_new0(frg_changed_rows, 1);
    fr_change records[64];
    size_t count = G_N_ELEMENTS(records), first = 0, index;
    rows->controller = controller;
    rows->leaving = g_array_new(FALSE, FALSE, sizeof(leaving_row));
    rows->coming = g_array_new(FALSE, FALSE, sizeof(fr_index_path));
    rows->updated = g_array_new(FALSE, FALSE, sizeof(fr_index_path));
    rows->gone = g_array_new(FALSE, FALSE, sizeof(leaving_row));
    rows->come = g_array_new(FALSE, FALSE, sizeof(guint));
    while (count == G_N_ELEMENTS(records) && fr_change_set_read(records, &count, changes, first) == FR_OK) {
        for (index = 0; index < count; index++) {
            if (records[index].kind == FR_OBJECT) {
                add_row(rows, &records[index], first + index);
            } else if (records[index].type != FR_UPDATE) {
                add_section(rows, &records[index], first + index);
            }
        }
        first += count;
    }
    sort(rows);
    g_array_sort(rows->gone, compare_leaving);
    g_array_sort(rows->come, compare_numbers);
    return rows;
}

void frg_changed_rows_free(frg_changed_rows *rows)
{
    g_array_unref(rows->leaving);
    g_array_unref(rows->coming);
    g_array_unref(rows->updated);
    g_array_unref(rows->gone);
    g_array_unref(rows->come);
    g_free(rows);
}

/* In the flat list the rows of a moved section move, too. */
static void add_rows_taken_along(const frg_changed_rows *rows, const leaving_row *section, GArray *leaving,
                                 GArray *coming)
{
    leaving_row taken = {{section->from.section, 0}, {section->to.section, 0}, FRG_NO_RECORD};
    guint left = leaving_before(rows->leaving, taken.from.section);
    guint came = coming_before(rows->coming, taken.to.section);
    int64_t count = 0;
    fr_list_row_count(&count, rows->controller, taken.to.section);
    for (; taken.to.row < count; taken.to.row++) {
        if (came < rows->coming->len && compare_paths(coming_at(rows->coming, came), &taken.to) == 0) {
            came++;
            continue;
        }
        while (left < rows->leaving->len && compare_leaving(leaving_at(rows->leaving, left), &taken) == 0) {
            left++;
            taken.from.row++;
        }
        g_array_append_val(leaving, taken);
        g_array_append_val(coming, taken.to);
        taken.from.row++;
    }
}

static void add_moved_sections(frg_changed_rows *rows)
{
    GArray *leaving = g_array_new(FALSE, FALSE, sizeof(leaving_row));
    GArray *coming = g_array_new(FALSE, FALSE, sizeof(fr_index_path));
    guint index;
    for (index = 0; index < rows->gone->len; index++) {
        const leaving_row *section = leaving_at(rows->gone, index);
        if (section->to.section >= 0) {
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

/* The number over all sections of a row as it is now. */
static guint flat_position(const frg_changed_rows *rows, fr_index_path path)
{
    int64_t position = 0;
    fr_list_index_of(&position, rows->controller, path);
    return (guint)position;
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
    guint staying = (guint)section - leaving_before(rows->gone, section);
    guint end = staying == 0 ? 0 : frg_position_of_rank(rows->come, staying - 1) + 1;
    return start_of_section(rows, end) - coming_before(rows->coming, end) + leaving_before(rows->leaving, section);
}

frg_transition *frg_changed_rows_all(frg_changed_rows *rows)
{
    GArray *leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    GArray *coming = g_array_new(FALSE, FALSE, sizeof(guint));
    gint64 section = -1;
    guint start = 0, index;
    add_moved_sections(rows);
    for (index = 0; index < rows->leaving->len; index++) {
        const leaving_row *row = leaving_at(rows->leaving, index);
        frg_leaving flat = {0, FRG_NOWHERE, row->record, row->to.section >= 0, NULL};
        if (row->from.section != section) {
            section = row->from.section;
            start = start_of_old_section(rows, section);
        }
        flat.position = start + (guint)row->from.row;
        if (row->to.section >= 0) {
            flat.target = flat_position(rows, row->to);
        }
        g_array_append_val(leaving, flat);
    }
    for (index = 0; index < rows->coming->len; index++) {
        guint position = flat_position(rows, *coming_at(rows->coming, index));
        g_array_append_val(coming, position);
    }
    return frg_transition_new(leaving, coming);
}

const GArray *frg_changed_rows_updated(const frg_changed_rows *rows)
{
    return rows->updated;
}

frg_transition *frg_changed_rows_of_section(const frg_changed_rows *rows, gint64 before, gint64 after)
{
    guint left = leaving_before(rows->leaving, before), left_end = leaving_before(rows->leaving, before + 1);
    guint came = after < 0 ? 0 : coming_before(rows->coming, after);
    guint came_end = after < 0 ? 0 : coming_before(rows->coming, after + 1);
    GArray *leaving, *coming;
    if (left == left_end && came == came_end) {
        return NULL;
    }
    leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    coming = g_array_new(FALSE, FALSE, sizeof(guint));
    for (; left < left_end; left++) {
        const leaving_row *row = leaving_at(rows->leaving, left);
        frg_leaving one = {(guint)row->from.row, FRG_NOWHERE, row->record, row->to.section >= 0 || after < 0, NULL};
        if (row->to.section >= 0 && row->to.section == after) {
            one.target = (guint)row->to.row;
        }
        g_array_append_val(leaving, one);
    }
    for (; came < came_end; came++) {
        guint row = (guint)coming_at(rows->coming, came)->row;
        g_array_append_val(coming, row);
    }
    return frg_transition_new(leaving, coming);
}

frg_transition *frg_changed_rows_sections(const frg_changed_rows *rows)
{
    GArray *leaving = g_array_new(FALSE, FALSE, sizeof(frg_leaving));
    guint index;
    for (index = 0; index < rows->gone->len; index++) {
        const leaving_row *section = leaving_at(rows->gone, index);
        gboolean moves = section->to.section >= 0;
        guint target = moves ? (guint)section->to.section : FRG_NOWHERE;
        frg_leaving one = {(guint)section->from.section, target, section->record, moves, NULL};
        g_array_append_val(leaving, one);
    }
    return frg_transition_new(leaving, g_array_copy(rows->come));
}
