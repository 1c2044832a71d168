#include "view_log.h"

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

/* Ends an entry: adds the blank after it, and runs the action at it. */
static void entry(struct view_log *log, fr_coordinator *coordinator, const char *moment)
{
    void (*act)(struct view_log *) = log->act;
    text_add(&log->text, " ");
    CHECK_INT(log->destroyed, 0);
    CHECK(log->coordinator == NULL || log->coordinator == coordinator);
    if (act != NULL && log->moment != NULL && strcmp(log->moment, moment) == 0) {
        log->act = NULL;
        act(log);
    }
}

static void log_reload(fr_coordinator *coordinator, void *user_data)
{
    struct view_log *log = user_data;
    text_add(&log->text, "reload");
    entry(log, coordinator, "reload");
}

static void log_begin(fr_coordinator *coordinator, void *user_data)
{
    struct view_log *log = user_data;
    text_add(&log->text, "[");
    entry(log, coordinator, "begin");
}

static void log_end(fr_coordinator *coordinator, void *user_data)
{
    struct view_log *log = user_data;
    text_add(&log->text, "]");
    entry(log, coordinator, "end");
}

static void log_indexes(struct view_log *log, const char *mark, const int64_t *sections, size_t count)
{
    size_t index;
    CHECK(count > 0);
    for (index = 0; index < count; index++) {
        text_add(&log->text, "%s%ss%d", index == 0 ? "" : " ", mark, (int)sections[index]);
    }
}

static void log_section_deletes(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data)
{
    log_indexes(user_data, "-", sections, count);
    entry(user_data, coordinator, "section_deletes");
}

static void log_section_inserts(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data)
{
    log_indexes(user_data, "+", sections, count);
    entry(user_data, coordinator, "section_inserts");
}

static void log_places(struct view_log *log, const char *mark, const fr_section_places *sections, size_t count)
{
    size_t index;
    CHECK(count > 0);
    for (index = 0; index < count; index++) {
        text_add(&log->text, "%s%s%d>%d", index == 0 ? "" : " ", mark, (int)sections[index].old_index,
                 (int)sections[index].new_index);
    }
}

static void log_section_moves(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                              void *user_data)
{
    log_places(user_data, "s", sections, count);
    entry(user_data, coordinator, "section_moves");
}

static void log_section_updates(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                                void *user_data)
{
    log_places(user_data, "h", sections, count);
    entry(user_data, coordinator, "section_updates");
}

static void log_paths(struct view_log *log, const char *mark, const fr_index_path *rows, size_t count)
{
    size_t index;
    CHECK(count > 0);
    for (index = 0; index < count; index++) {
        text_add(&log->text, "%s%s%d.%d", index == 0 ? "" : " ", mark, (int)rows[index].section, (int)rows[index].row);
    }
}

static void log_row_deletes(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    log_paths(user_data, "-", rows, count);
    entry(user_data, coordinator, "row_deletes");
}

static void log_row_inserts(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    log_paths(user_data, "+", rows, count);
    entry(user_data, coordinator, "row_inserts");
}

static void log_pairs(struct view_log *log, const char *mark, const fr_row_places *rows, size_t count)
{
    size_t index;
    CHECK(count > 0);
    for (index = 0; index < count; index++) {
        text_add(&log->text, "%s%s%d.%d>%d.%d", index == 0 ? "" : " ", mark, (int)rows[index].old_path.section,
                 (int)rows[index].old_path.row, (int)rows[index].new_path.section, (int)rows[index].new_path.row);
    }
}

static void log_row_moves(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data)
{
    log_pairs(user_data, "", rows, count);
    entry(user_data, coordinator, "row_moves");
}

static void log_row_reloads(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data)
{
    log_pairs(user_data, "r", rows, count);
    entry(user_data, coordinator, "row_reloads");
}

static void log_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    struct view_log *log = user_data;
    text_add(&log->text, "c%d.%d(%s)", (int)path.section, (int)path.row, object_text(object, "name"));
    entry(log, coordinator, "update_cell");
}

static void log_count(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    struct view_log *log = user_data;
    text_add(&log->text, "n%d", (int)count);
    entry(log, coordinator, "count_changed");
}

static void log_error(fr_coordinator *coordinator, const fr_error *error, void *user_data)
{
    struct view_log *log = user_data;
    CHECK(error->message != NULL && error->message[0] != '\0');
    text_add(&log->text, "%s", fr_status_name(error->status));
    entry(log, coordinator, "error");
}

static void add_place(struct text *text, fr_index_path path, bool is_section)
{
    if (is_section) {
        CHECK_INT(path.row, -1);
        text_add(text, "s%d", (int)path.section);
    } else {
        text_add(text, "%d.%d", (int)path.section, (int)path.row);
    }
}

static void log_step(fr_coordinator *coordinator, const fr_change *step, fr_index_path final_path, void *user_data)
{
    static const char *const types[] = {"?", "insert", "delete", "move", "update"};
    struct view_log *log = user_data;
    bool is_section = step->kind == FR_SECTION;
    text_add(&log->text, "%s", types[step->type]);
    if (step->type != FR_INSERT) {
        text_add(&log->text, " ");
        add_place(&log->text, step->old_path, is_section);
    }
    if (step->type != FR_DELETE) {
        text_add(&log->text, step->type == FR_INSERT ? " " : ">");
        add_place(&log->text, step->new_path, is_section);
        text_add(&log->text, " @");
        add_place(&log->text, final_path, is_section);
    } else {
        CHECK(final_path.section == -1 && final_path.row == -1);
    }
    text_add(&log->text, ";");
    entry(log, coordinator, "step");
}

fr_view logging_view(void)
{
    fr_view view;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    view.reload = log_reload;
    view.begin = log_begin;
    view.delete_sections = log_section_deletes;
    view.insert_sections = log_section_inserts;
    view.move_sections = log_section_moves;
    view.delete_rows = log_row_deletes;
    view.insert_rows = log_row_inserts;
    view.move_rows = log_row_moves;
    view.reload_rows = log_row_reloads;
    view.update_sections = log_section_updates;
    view.end = log_end;
    view.count_changed = log_count;
    view.did_fail = log_error;
    return view;
}

fr_view cell_updating_view(void)
{
    fr_view view = logging_view();
    view.update_cell = log_cell;
    return view;
}

fr_view stepping_view(void)
{
    fr_view view = logging_view();
    view.step = log_step;
    return view;
}

void view_log_destroy(void *user_data)
{
    ((struct view_log *)user_data)->destroyed += 1;
}

const char *view_log_take(struct view_log *log)
{
    static char *kept;
    free(kept);
    if (log->text.length > 0 && log->text.bytes[log->text.length - 1] == ' ') {
        log->text.bytes[log->text.length - 1] = '\0';
    }
    kept = text_copy(text_get(&log->text));
    text_free(&log->text);
    return kept;
}
