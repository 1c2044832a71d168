#include "strict_view.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "text.h"

/* What the list shows now. */

static const char GONE[] = "?";

static bool is_gone(const char *text)
{
    return strcmp(text, GONE) == 0;
}

static struct row list_row(struct strict_view *view, fr_index_path path)
{
    fr_object *object = NULL;
    struct row row = {NULL, NULL};
    fr_status status = fr_list_object_at(&object, view->list, path);
    if (status == FR_GONE) {
        row.identity = text_copy(GONE);
    } else if (CHECK_OK(status)) {
        row = row_of(object, true);
        fr_object_unref(object);
    }
    return row;
}

/* What a header shows: the section's name, and the content of its row if it is one. */
static char *list_header(struct strict_view *view, int64_t index)
{
    struct text header = {NULL, 0, 0};
    fr_section_info section;
    fr_object *object = NULL;
    fr_status status;
    CHECK_OK(fr_list_section(&section, view->list, index));
    status = fr_list_section_object(&object, view->list, index);
    if (status == FR_GONE) {
        return text_copy(GONE);
    }
    text_add(&header, "%s", section.name == NULL ? "NULL" : section.name);
    if (status == FR_OK) {
        struct row row = row_of(object, true);
        text_add(&header, "%s", row.content);
        row_free(&row);
        fr_object_unref(object);
    }
    return header.bytes;
}

static void read_list(struct strict_view *view, struct model *model)
{
    size_t index;
    model_read(model, view->list, true);
    for (index = 0; index < model->count; index++) {
        model_rename_section(model, (int64_t)index, list_header(view, (int64_t)index));
    }
}

static void insert_list_section(struct strict_view *view, int64_t index)
{
    struct section section = {NULL, NULL, 0};
    fr_index_path path = {0, 0};
    int64_t rows = 0;
    path.section = index;
    section.name = list_header(view, index);
    CHECK(model_insert_section(&view->shown, index, section));
    CHECK_OK(fr_list_row_count(&rows, view->list, index));
    for (; path.row < rows; path.row++) {
        model_insert_row(&view->shown, path, list_row(view, path));
    }
}

/* Groups. */

static void *copy_of(const void *entries, size_t count, size_t size)
{
    void *copy = malloc(count * size);
    if (copy == NULL) {
        abort();
    }
    CHECK(count > 0);
    return memcpy(copy, entries, count * size);
}

#define GROUP(name, type, entries, count) \
    static void note_##name(fr_coordinator *coordinator, const type *given, size_t number, void *user_data) \
    { \
        struct strict_view *view = user_data; \
        (void)coordinator; \
        CHECK(view->is_in_batch && view->entries == NULL); \
        view->entries = copy_of(given, number, sizeof *given); \
        view->count = number; \
    }

GROUP(row_deletes, fr_index_path, deletes, delete_count)
GROUP(row_inserts, fr_index_path, inserts, insert_count)
GROUP(row_moves, fr_row_places, moves, move_count)
GROUP(row_reloads, fr_row_places, reloads, reload_count)
GROUP(section_deletes, int64_t, section_deletes, section_delete_count)
GROUP(section_inserts, int64_t, section_inserts, section_insert_count)
GROUP(section_moves, fr_section_places, section_moves, section_move_count)
GROUP(section_updates, fr_section_places, headers, header_count)

static void discard_batch(struct strict_view *view)
{
    free(view->deletes);
    free(view->inserts);
    free(view->moves);
    free(view->reloads);
    free(view->section_deletes);
    free(view->section_inserts);
    free(view->section_moves);
    free(view->headers);
    view->deletes = view->inserts = NULL;
    view->moves = view->reloads = NULL;
    view->section_deletes = view->section_inserts = NULL;
    view->section_moves = view->headers = NULL;
    view->delete_count = view->insert_count = view->move_count = view->reload_count = 0;
    view->section_delete_count = view->section_insert_count = view->section_move_count = view->header_count = 0;
}

/*
 * Changes the model. Places in one list, each with its entry of its group; moves follow the others.
 */

struct place {
    fr_index_path path;
    size_t entry;
};

static int compare_paths(fr_index_path a, fr_index_path b)
{
    if (a.section != b.section) {
        return a.section < b.section ? -1 : 1;
    }
    return a.row == b.row ? 0 : a.row < b.row ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
    return compare_paths(((const struct place *)a)->path, ((const struct place *)b)->path);
}

/* Sorts places, no two of which may be the same. */
static void sort_places(struct place *places, size_t count)
{
    size_t index;
    qsort(places, count, sizeof *places, compare_places);
    for (index = 1; index < count; index++) {
        CHECK(compare_places(&places[index - 1], &places[index]) < 0);
    }
}

static bool is_among(const int64_t *sections, size_t count, int64_t section)
{
    size_t index;
    for (index = 0; index < count; index++) {
        if (sections[index] == section) {
            return true;
        }
    }
    return false;
}

static void take_rows(struct strict_view *view, struct row *moved)
{
    size_t count = view->delete_count + view->move_count, index;
    struct place *places = calloc(count + 1, sizeof *places);
    for (index = 0; index < count; index++) {
        bool is_move = index >= view->delete_count;
        places[index].path = is_move ? view->moves[index - view->delete_count].old_path : view->deletes[index];
        places[index].entry = index;
        CHECK(!is_among(view->section_deletes, view->section_delete_count, places[index].path.section));
    }
    sort_places(places, count);
    for (index = count; index-- > 0;) {
        struct row row = {NULL, NULL};
        CHECK(model_take_row(&view->shown, places[index].path, &row));
        if (places[index].entry < view->delete_count) {
            row_free(&row);
        } else {
            moved[places[index].entry - view->delete_count] = row;
        }
    }
    free(places);
}

static void put_rows(struct strict_view *view, struct row *moved)
{
    size_t count = view->insert_count + view->move_count, index;
    struct place *places = calloc(count + 1, sizeof *places);
    for (index = 0; index < count; index++) {
        bool is_move = index >= view->insert_count;
        places[index].path = is_move ? view->moves[index - view->insert_count].new_path : view->inserts[index];
        places[index].entry = index;
        CHECK(!is_among(view->section_inserts, view->section_insert_count, places[index].path.section));
    }
    sort_places(places, count);
    for (index = 0; index < count; index++) {
        struct row row;
        if (places[index].entry < view->insert_count) {
            row = list_row(view, places[index].path);
        } else {
            row = moved[places[index].entry - view->insert_count];
            /* A moved row may have changed; a view without cell updates draws it again. */
            if (!view->updates_cells) {
                row_free(&row);
                row = list_row(view, places[index].path);
            }
        }
        CHECK(model_insert_row(&view->shown, places[index].path, row));
    }
    free(places);
}

static struct place section_place(int64_t section, size_t entry)
{
    struct place place = {{0, 0}, 0};
    place.path.section = section;
    place.entry = entry;
    return place;
}

static void change_sections(struct strict_view *view)
{
    size_t deletes = view->section_delete_count, inserts = view->section_insert_count, moves = view->section_move_count;
    struct place *places = calloc(deletes + inserts + moves + 1, sizeof *places);
    struct section *moved = calloc(moves + 1, sizeof *moved);
    size_t index;
    for (index = 0; index < deletes + moves; index++) {
        places[index] = section_place(
            index < deletes ? view->section_deletes[index] : view->section_moves[index - deletes].old_index, index);
    }
    sort_places(places, deletes + moves);
    for (index = deletes + moves; index-- > 0;) {
        struct section section = {NULL, NULL, 0};
        CHECK(model_take_section(&view->shown, places[index].path.section, &section));
        if (places[index].entry < deletes) {
            section_free(&section);
        } else {
            moved[places[index].entry - deletes] = section;
        }
    }
    for (index = 0; index < inserts + moves; index++) {
        places[index] = section_place(
            index < inserts ? view->section_inserts[index] : view->section_moves[index - inserts].new_index, index);
    }
    sort_places(places, inserts + moves);
    for (index = 0; index < inserts + moves; index++) {
        if (places[index].entry < inserts) {
            insert_list_section(view, places[index].path.section);
        } else {
            CHECK(model_insert_section(&view->shown, places[index].path.section, moved[places[index].entry - inserts]));
        }
    }
    free(moved);
    free(places);
}

/* Copies what the list shows at a path into the row at that path, which has to be the same row. */
static void draw(struct strict_view *view, fr_index_path path, struct row row)
{
    bool is_there = path.section >= 0 && (size_t)path.section < view->shown.count && path.row >= 0
                    && (size_t)path.row < view->shown.sections[path.section].count;
    if (CHECK(is_there) && !is_gone(row.identity)
        && !is_gone(view->shown.sections[path.section].rows[path.row].identity)) {
        CHECK_TEXT(view->shown.sections[path.section].rows[path.row].identity, row.identity);
    }
    model_exchange_row(&view->shown, path, row);
}

static void check_counts(struct strict_view *view)
{
    int64_t sections = -1, rows = -1, index;
    CHECK_OK(fr_list_section_count(&sections, view->list));
    CHECK_INT(view->shown.count, sections);
    for (index = 0; index < sections && (size_t)index < view->shown.count; index++) {
        CHECK_OK(fr_list_row_count(&rows, view->list, index));
        CHECK_INT(view->shown.sections[index].count, rows);
    }
}

/* Its calls. */

static void begin(fr_coordinator *coordinator, void *user_data)
{
    struct strict_view *view = user_data;
    CHECK(coordinator == view->coordinator);
    CHECK(!view->is_paused && !view->is_in_batch);
    view->is_in_batch = true;
    view->batches += 1;
}

static void end(fr_coordinator *coordinator, void *user_data)
{
    struct strict_view *view = user_data;
    struct row *moved = calloc(view->move_count + 1, sizeof *moved);
    size_t index;
    (void)coordinator;
    CHECK(view->is_in_batch);
    view->is_in_batch = false;
    take_rows(view, moved);
    change_sections(view);
    put_rows(view, moved);
    for (index = 0; index < view->reload_count; index++) {
        CHECK(!view->updates_cells);
        draw(view, view->reloads[index].new_path, list_row(view, view->reloads[index].new_path));
    }
    for (index = 0; index < view->header_count; index++) {
        int64_t section = view->headers[index].new_index;
        CHECK(model_rename_section(&view->shown, section, list_header(view, section)));
    }
    check_counts(view);
    free(moved);
    discard_batch(view);
}

static void reload(fr_coordinator *coordinator, void *user_data)
{
    struct strict_view *view = user_data;
    CHECK(coordinator == view->coordinator);
    CHECK(view->may_reload && !view->is_in_batch);
    view->may_reload = false;
    model_free(&view->shown);
    read_list(view, &view->shown);
}

static void update_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    struct strict_view *view = user_data;
    (void)coordinator;
    CHECK(!view->is_paused && !view->is_in_batch);
    draw(view, path, row_of(object, true));
}

static void count_changed(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    struct strict_view *view = user_data;
    int64_t now = -1;
    (void)coordinator;
    CHECK_OK(fr_list_count(&now, view->list));
    CHECK_INT(count, now);
    CHECK(count != view->count);
    view->count = count;
}

/*
 * Steps: the places of a step count when all earlier steps are done; inserted rows are read from
 * the place where the list already shows them.
 */
static void step(fr_coordinator *coordinator, const fr_change *change, fr_index_path final_path, void *user_data)
{
    struct strict_view *view = user_data;
    bool has_old = change->type != FR_INSERT, has_new = change->type != FR_DELETE;
    (void)coordinator;
    CHECK(view->is_in_batch);
    CHECK_INT(change->index, -1);
    if (change->kind == FR_SECTION) {
        struct section section = {NULL, NULL, 0};
        if (has_old && !CHECK(model_take_section(&view->shown, change->old_path.section, &section))) {
            return;
        }
        if (has_new) {
            if (!has_old || change->changed_columns != 0) {
                free(section.name);
                section.name = list_header(view, final_path.section);
            }
            CHECK(model_insert_section(&view->shown, change->new_path.section, section));
        } else {
            CHECK_INT(section.count, 0);
            section_free(&section);
        }
    } else {
        struct row row = {NULL, NULL};
        if (has_old && !CHECK(model_take_row(&view->shown, change->old_path, &row))) {
            return;
        }
        if (has_new && (!has_old || !view->updates_cells)) {
            row_free(&row);
            row = list_row(view, final_path);
        }
        if (has_new) {
            CHECK(model_insert_row(&view->shown, change->new_path, row));
        } else {
            row_free(&row);
        }
    }
}

static void end_steps(fr_coordinator *coordinator, void *user_data)
{
    struct strict_view *view = user_data;
    (void)coordinator;
    CHECK(view->is_in_batch);
    view->is_in_batch = false;
    check_counts(view);
}

void strict_view_open(struct strict_view *view, fr_list *list, bool steps, bool updates_cells, uint32_t flags)
{
    fr_view functions;
    memset(view, 0, sizeof *view);
    memset(&functions, 0, sizeof functions);
    functions.struct_size = sizeof functions;
    functions.reload = reload;
    functions.begin = begin;
    functions.delete_sections = note_section_deletes;
    functions.insert_sections = note_section_inserts;
    functions.move_sections = flags & FR_VIEW_NO_SECTION_MOVES ? NULL : note_section_moves;
    functions.delete_rows = note_row_deletes;
    functions.insert_rows = note_row_inserts;
    functions.move_rows = flags & FR_VIEW_NO_ROW_MOVES ? NULL : note_row_moves;
    functions.reload_rows = updates_cells ? NULL : note_row_reloads;
    functions.update_sections = note_section_updates;
    functions.end = steps ? end_steps : end;
    functions.step = steps ? step : NULL;
    functions.update_cell = updates_cells ? update_cell : NULL;
    functions.count_changed = count_changed;
    view->list = list;
    view->updates_cells = updates_cells;
    view->may_reload = true;
    view->count = -1;
    CHECK_OK(fr_coordinator_new(&view->coordinator, list, &functions, flags, view, NULL));
}

void strict_view_close(struct strict_view *view)
{
    fr_coordinator_free(view->coordinator);
    model_free(&view->shown);
    discard_batch(view);
}

/* Draws rows that could not be read when they were drawn before; `now` is what the list shows. */
static void draw_what_was_gone(struct strict_view *view, const struct model *now)
{
    size_t section, row;
    for (section = 0; section < view->shown.count && section < now->count; section++) {
        struct section *shown = &view->shown.sections[section];
        if (is_gone(shown->name)) {
            model_rename_section(&view->shown, (int64_t)section, text_copy(now->sections[section].name));
        }
        for (row = 0; row < shown->count && row < now->sections[section].count; row++) {
            if (is_gone(shown->rows[row].identity)) {
                fr_index_path path = {0, 0};
                path.section = (int64_t)section;
                path.row = (int64_t)row;
                model_exchange_row(&view->shown, path, list_row(view, path));
            }
        }
    }
}

void strict_view_check(struct strict_view *view)
{
    struct model now;
    char *expected, *shown;
    read_list(view, &now);
    draw_what_was_gone(view, &now);
    shown = model_text(&view->shown, true);
    expected = model_text(&now, true);
    CHECK_TEXT(shown, expected);
    CHECK_INT(view->count, model_rows(&now));
    free(expected);
    free(shown);
    model_free(&now);
}
