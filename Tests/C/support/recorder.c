#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "rules.h"
#include "test.h"

/* Rows that will_change reports gone read "?": their place is still there, their values are not. */
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
            if (strcmp(identity, "?") != 0 &&
                strcmp(identity, expected->sections[section].rows[row].identity) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void will_change(fr_controller *controller, void *user_data)
{
    struct recorder *recorder = user_data;
    struct model model;
    CHECK(!recorder->open);
    recorder->open = true;
    model_read(&model, controller, false);
    CHECK(same_rows(&model, &recorder->shown));
    model_free(&model);
    text_add(recorder->log, "%s[", recorder->name == NULL ? "" : recorder->name);
}

static void remember(struct recorder *recorder, const fr_change *change)
{
    recorder->told = realloc(recorder->told, (recorder->told_count + 1) * sizeof *recorder->told);
    recorder->told[recorder->told_count++] = *change;
}

static void section_change(fr_controller *controller, const fr_section *section, const fr_change *change,
                           void *user_data)
{
    fr_section now;
    CHECK(((struct recorder *)user_data)->open);
    CHECK_INT(change->kind, FR_SECTION);
    remember(user_data, change);
    if (!CHECK(section != NULL)) {
        return;
    }
    CHECK_INT(section->index, change->new_path.section);
    if (change->type == FR_DELETE) {
        CHECK_INT(section->count, 0);
    } else if (CHECK_OK(fr_controller_section(&now, controller, change->new_path.section))) {
        CHECK_TEXT(section->name, now.name);
        CHECK_INT(section->count, now.count);
    }
}

static void object_change(fr_controller *controller, fr_object *object, const fr_change *change, void *user_data)
{
    fr_index_path path = {-1, -1};
    CHECK(((struct recorder *)user_data)->open);
    CHECK_INT(change->kind, FR_OBJECT);
    remember(user_data, change);
    if (!CHECK(object != NULL)) {
        return;
    }
    if (change->type == FR_DELETE) {
        if (!((struct recorder *)user_data)->shares_rows) {
            CHECK_STATUS(fr_controller_index_path_of(&path, controller, object), FR_NOT_FOUND);
        }
    } else if (CHECK_OK(fr_controller_index_path_of(&path, controller, object))) {
        CHECK_INT(path.section, change->new_path.section);
        CHECK_INT(path.row, change->new_path.row);
    }
}

static void changes(fr_controller *controller, fr_change_set *changes, void *user_data)
{
    struct recorder *recorder = user_data;
    (void)controller;
    CHECK(recorder->open);
    CHECK(recorder->changes == NULL);
    recorder->changes = fr_change_set_ref(changes);
    CHECK(recorder->changes == changes);
}

static void check_told(const struct recorder *recorder, const fr_change *records, size_t count)
{
    size_t index;
    CHECK_INT(recorder->told_count, count);
    for (index = 0; index < count && index < recorder->told_count; index++) {
        CHECK(memcmp(&recorder->told[index], &records[index], sizeof *records) == 0);
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
            fail(__FILE__, __LINE__, "%s replay of %s\n    gives %s\n    not   %s", reading, text_get(recorder->log),
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
        text_add(recorder->log, "%s", index == 0 ? "" : "; ");
        record_add(recorder->log, recorder->changes, index);
    }
}

static bool is_reload(fr_change_set *changes)
{
    bool reload = false;
    return CHECK_OK(fr_change_set_is_reload(&reload, changes)) && reload;
}

static void check_records(struct recorder *recorder, const fr_change *records, size_t count, const struct model *after)
{
    write_down(recorder, count);
    check_told(recorder, records, count);
    check_rules(recorder->changes, &recorder->shown, after);
    check_replay(recorder, after, replay_batch, "batch");
    check_replay(recorder, after, replay_sequential, "sequential");
}

static void did_change(fr_controller *controller, void *user_data)
{
    struct recorder *recorder = user_data;
    struct model after;
    const fr_change *records = NULL;
    size_t count = 0;
    CHECK(recorder->open);
    model_read(&after, controller, true);
    if (CHECK(recorder->changes != NULL) &&
        CHECK_OK(fr_change_set_records(&records, &count, recorder->changes))) {
        if (is_reload(recorder->changes)) {
            CHECK_INT(count, 0);
            CHECK_INT(recorder->told_count, 0);
            text_add(recorder->log, "reload");
        } else {
            check_records(recorder, records, count, &after);
        }
    }
    text_add(recorder->log, "]");
    model_free(&recorder->shown);
    recorder->shown = after;
    fr_change_set_unref(recorder->changes);
    recorder->changes = NULL;
    free(recorder->told);
    recorder->told = NULL;
    recorder->told_count = 0;
    recorder->open = false;
    recorder->brackets += 1;
}

static void error(fr_controller *controller, fr_status status, const char *message, void *user_data)
{
    struct recorder *recorder = user_data;
    (void)controller;
    CHECK(message != NULL && message[0] != '\0');
    text_add(recorder->log, "!%s", fr_status_name(status));
}

static void destroy(void *user_data)
{
    ((struct recorder *)user_data)->destroyed += 1;
}

static void start(struct recorder *recorder, fr_controller *controller)
{
    fr_observer observer = {sizeof observer, will_change, section_change, object_change, did_change, changes, error};
    model_read(&recorder->shown, controller, true);
    CHECK_OK(fr_controller_add_observer(NULL, controller, &observer, recorder, destroy));
}

void recorder_start(struct recorder *recorder, fr_controller *controller)
{
    memset(recorder, 0, sizeof *recorder);
    recorder->log = &recorder->own_log;
    start(recorder, controller);
}

void recorder_start_shared(struct recorder *recorder, fr_controller *controller, const char *name, struct text *log)
{
    memset(recorder, 0, sizeof *recorder);
    recorder->log = log;
    recorder->name = name;
    start(recorder, controller);
}

const char *recorder_take(struct recorder *recorder)
{
    static struct text taken;
    text_free(&taken);
    text_add(&taken, "%s", text_get(recorder->log));
    text_free(recorder->log);
    return text_get(&taken);
}

void recorder_free(struct recorder *recorder)
{
    model_free(&recorder->shown);
    text_free(&recorder->own_log);
    fr_change_set_unref(recorder->changes);
    free(recorder->told);
}
