#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "replay.h"
#include "rules.h"
#include "test.h"

/*
 * Rows that can't be read any more in will_change appear as "?": their places still exist, their
 * values don't.
 */
static bool same_rows(const struct model *shown, const struct model *expected)
{
    size_t section, row;
    if (shown->count != expected->count) {
        return false;
    }
    for (section = 0; section < shown->count; section++) {
        if (shown->sections[section].count != expected->sections[section].count) {
            return false;
        }
        for (row = 0; row < shown->sections[section].count; row++) {
            const char *identity = shown->sections[section].rows[row].identity;
            if (strcmp(identity, "?") != 0 && strcmp(identity, expected->sections[section].rows[row].identity) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void will_change(fr_list *controller, void *user_data)
{
    struct recorder *recorder = user_data;
    struct model model;
    CHECK(!recorder->open);
    recorder->open = true;
    model_read(&model, controller, false);
    CHECK(same_rows(&model, &recorder->shown));
    model_free(&model);
    text_add(&recorder->log, "[");
}

static void remember(struct recorder *recorder, const fr_change *change)
{
    recorder->reported = realloc(recorder->reported, (recorder->reported_count + 1) * sizeof *recorder->reported);
    recorder->reported[recorder->reported_count++] = *change;
}

/* A record that is delivered alone belongs to the change set that is delivered with it. */
static void check_record(const struct recorder *recorder, const fr_change *change, fr_change_set *changes, int32_t kind)
{
    const fr_change *records = NULL;
    size_t count = 0;
    CHECK(recorder->open);
    CHECK_INT(change->kind, kind);
    CHECK_INT(change->index, recorder->reported_count);
    if (CHECK_OK(fr_change_set_records(&records, &count, changes)) && CHECK((size_t)change->index < count)) {
        CHECK(change == &records[change->index]);
    }
}

static void section_change(fr_list *controller, const fr_section_info *section, const fr_change *change,
                           fr_change_set *changes, void *user_data)
{
    fr_section_info now;
    check_record(user_data, change, changes, FR_SECTION);
    remember(user_data, change);
    if (!CHECK(section != NULL)) {
        return;
    }
    CHECK_INT(section->index, change->new_path.section);
    if (change->type == FR_DELETE) {
        CHECK_INT(section->count, 0);
    } else if (CHECK_OK(fr_list_section(&now, controller, change->new_path.section))) {
        CHECK_TEXT(section->name, now.name);
        CHECK_INT(section->count, now.count);
    }
}

static void object_change(fr_list *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    bool shares_rows = ((struct recorder *)user_data)->shares_rows;
    fr_index_path path = {-1, -1};
    check_record(user_data, change, changes, FR_OBJECT);
    remember(user_data, change);
    if (!CHECK(object != NULL)) {
        return;
    }
    if (change->type == FR_DELETE) {
        if (!shares_rows) {
            CHECK_STATUS(fr_list_index_path_of(&path, controller, object), FR_NOT_FOUND);
        }
    } else if (CHECK_OK(fr_list_index_path_of(&path, controller, object)) && !shares_rows) {
        CHECK_INT(path.section, change->new_path.section);
        CHECK_INT(path.row, change->new_path.row);
    }
}

static void changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    struct recorder *recorder = user_data;
    (void)controller;
    CHECK(recorder->open);
    CHECK(recorder->changes == NULL);
    recorder->changes = fr_change_set_ref(changes);
    CHECK(recorder->changes == changes);
}

static void check_reported(const struct recorder *recorder, const fr_change *records, size_t count)
{
    size_t index;
    CHECK_INT(recorder->reported_count, count);
    for (index = 0; index < count && index < recorder->reported_count; index++) {
        CHECK(memcmp(&recorder->reported[index], &records[index], sizeof *records) == 0);
    }
}

static void check_replay(struct recorder *recorder, const struct model *after,
                         bool (*replay)(struct model *, fr_change_set *), const char *reading)
{
    struct model model;
    char *replayed, *expected;
    model_copy(&model, &recorder->shown);
    if (replay(&model, recorder->changes)) {
        replayed = model_text(&model, true);
        expected = model_text(after, true);
        if (strcmp(replayed, expected) != 0) {
            fail(__FILE__, __LINE__, "%s replay of %s\n    gives %s\n    not   %s", reading, text_get(&recorder->log),
                 replayed, expected);
        }
        free(replayed);
        free(expected);
    }
    model_free(&model);
}

static void write_down(struct recorder *recorder, size_t count)
{
    size_t index;
    for (index = 0; index < count; index++) {
        text_add(&recorder->log, "%s", index == 0 ? "" : "; ");
        record_add(&recorder->log, recorder->changes, index);
    }
}

static bool is_reload(fr_change_set *changes)
{
    bool reload = false;
    return CHECK_OK(fr_change_set_is_reload(&reload, changes)) && reload;
}

static void check_old_column(fr_change_set *changes, size_t index, int64_t column, fr_object *row)
{
    fr_value old, now;
    char *before;
    bool changed = true;
    fr_status status = fr_change_set_old_value(&old, changes, index, column);
    if (status != FR_OK) {
        CHECK_INT(status, FR_NOT_FOUND);
        return;
    }
    if (CHECK_OK(fr_change_set_column_changed(&changed, changes, index, column))
        && CHECK_OK(fr_object_value(&now, row, column)) && !changed) {
        before = text_copy(value_text(old));
        CHECK_TEXT(value_text(now), before);
        free(before);
    }
}

/*
 * The old state of a section: its old name is the one that was shown, and columns that did not
 * change have their old values.
 */
static void check_old_section(const struct recorder *recorder, const fr_change *record)
{
    fr_object *row = NULL;
    const char *name = NULL;
    int64_t count = 0, section = record->old_path.section;
    size_t index = (size_t)record->index;
    if (CHECK_OK(fr_change_set_old_section_name(&name, recorder->changes, index))
        && CHECK(section >= 0 && (size_t)section < recorder->shown.count)) {
        CHECK_TEXT(name, recorder->shown.sections[section].name);
    }
    if (record->type != FR_DELETE && fr_change_set_section_object(&row, recorder->changes, index) == FR_OK) {
        CHECK_OK(fr_object_column_count(&count, row));
        while (count-- > 0) {
            check_old_column(recorder->changes, index, count, row);
        }
    }
    fr_object_unref(row);
}

static void check_old_sections(const struct recorder *recorder, const fr_change *records, size_t count)
{
    size_t index;
    for (index = 0; index < count; index++) {
        if (records[index].kind == FR_SECTION && records[index].type != FR_INSERT) {
            check_old_section(recorder, &records[index]);
        }
    }
}

/* The groups are the runs of records of one kind and type. */
static void check_groups(fr_change_set *changes, const fr_change *records, size_t count)
{
    const fr_change *group = NULL;
    size_t in_group = 0, found = 0, index;
    for (int32_t kind = FR_SECTION; kind <= FR_OBJECT; kind++) {
        for (int32_t type = FR_INSERT; type <= FR_UPDATE; type++) {
            if (CHECK_OK(fr_change_set_group(&group, &in_group, changes, kind, type))) {
                CHECK((group == NULL) == (in_group == 0));
                CHECK(group == NULL || (group >= records && group + in_group <= records + count));
                for (index = 0; index < in_group; index++) {
                    CHECK_INT(group[index].kind, kind);
                    CHECK_INT(group[index].type, type);
                }
                found += in_group;
            }
        }
    }
    CHECK_INT(found, count);
}

static void check_records(struct recorder *recorder, const fr_change *records, size_t count, const struct model *after)
{
    write_down(recorder, count);
    check_reported(recorder, records, count);
    check_old_sections(recorder, records, count);
    check_rules(recorder->changes, &recorder->shown, after);
    check_replay(recorder, after, replay_batch, "batch");
    check_replay(recorder, after, replay_sequential, "sequential");
    check_replay(recorder, after, replay_with_library, "the library's");
    check_replay(recorder, after, replay_steps_with_library, "the library's sequential");
    check_replay(recorder, after, replay_ranges, "ranges");
    check_groups(recorder->changes, records, count);
}

static void did_change(fr_list *controller, void *user_data)
{
    struct recorder *recorder = user_data;
    struct model after;
    const fr_change *records = NULL;
    size_t count = 0;
    CHECK(recorder->open);
    model_read(&after, controller, true);
    if (CHECK(recorder->changes != NULL) && CHECK_OK(fr_change_set_records(&records, &count, recorder->changes))) {
        CHECK_INT(recorder->reloading, is_reload(recorder->changes));
        if (is_reload(recorder->changes)) {
            CHECK_INT(count, 0);
            CHECK_INT(recorder->reported_count, 0);
            text_add(&recorder->log, "reload");
        } else {
            check_records(recorder, records, count, &after);
        }
    }
    text_add(&recorder->log, "]");
    model_free(&recorder->shown);
    recorder->shown = after;
    fr_change_set_unref(recorder->changes);
    recorder->changes = NULL;
    free(recorder->reported);
    recorder->reported = NULL;
    recorder->reported_count = 0;
    recorder->open = false;
    recorder->reloading = false;
    recorder->brackets += 1;
}

/* Both forms report that there is a reload. */
static void reload(fr_list *controller, void *user_data)
{
    struct recorder *recorder = user_data;
    (void)controller;
    CHECK(recorder->open && !recorder->reloading);
    recorder->reloading = true;
}

static void error(fr_list *controller, const fr_error *error, void *user_data)
{
    struct recorder *recorder = user_data;
    (void)controller;
    CHECK_INT(error->struct_size, sizeof *error);
    CHECK(error->message != NULL && error->message[0] != '\0');
    text_add(&recorder->log, "!%s", fr_status_name(error->status));
}

static void destroy(void *user_data)
{
    ((struct recorder *)user_data)->destroyed += 1;
}

void recorder_start(struct recorder *recorder, fr_list *controller)
{
    fr_observer observer = {sizeof observer, will_change, section_change, object_change,
                            did_change,      changes,     error,          reload};
    memset(recorder, 0, sizeof *recorder);
    model_read(&recorder->shown, controller, true);
    CHECK_OK(fr_list_add_observer(NULL, controller, &observer, recorder, destroy));
}

void recorder_note_fetch(struct recorder *recorder, fr_list *controller)
{
    CHECK(!recorder->open);
    model_free(&recorder->shown);
    model_read(&recorder->shown, controller, true);
}

const char *recorder_take(struct recorder *recorder)
{
    static struct text taken;
    text_free(&taken);
    text_add(&taken, "%s", text_get(&recorder->log));
    text_free(&recorder->log);
    return text_get(&taken);
}

void recorder_free(struct recorder *recorder)
{
    model_free(&recorder->shown);
    text_free(&recorder->log);
    fr_change_set_unref(recorder->changes);
    free(recorder->reported);
}
