#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "text.h"

struct row row_of_record(fr_change_set *changes, size_t index)
{
    struct row row = {NULL, NULL};
    fr_object *object = NULL;
    if (CHECK_OK(fr_change_set_object(&object, changes, index))) {
        row = row_of(object, true);
        fr_object_unref(object);
    } else {
        row.identity = text_copy("?");
    }
    return row;
}

struct section section_of_record(fr_change_set *changes, size_t index)
{
    struct section section = {NULL, NULL, 0};
    const char *name = NULL;
    CHECK_OK(fr_change_set_section_name(&name, changes, index));
    section.name = text_copy(name);
    return section;
}

/* The records of one step of the replay, in the order in which the step applies them. */
struct selection {
    const fr_change **records;
    size_t count;
};

static int compare_paths(fr_index_path a, fr_index_path b)
{
    if (a.section != b.section) {
        return a.section < b.section ? -1 : 1;
    }
    return (a.row > b.row) - (a.row < b.row);
}

static int by_old_path_descending(const void *a, const void *b)
{
    return compare_paths((*(const fr_change *const *)b)->old_path, (*(const fr_change *const *)a)->old_path);
}

static int by_new_path(const void *a, const void *b)
{
    return compare_paths((*(const fr_change *const *)a)->new_path, (*(const fr_change *const *)b)->new_path);
}

static struct selection select_records(const fr_change *records, size_t count, int kind, int type, int other_type)
{
    struct selection selection = {NULL, 0};
    size_t index;
    selection.records = malloc((count + 1) * sizeof *selection.records);
    for (index = 0; index < count; index++) {
        if (records[index].kind == kind && (records[index].type == type || records[index].type == other_type)) {
            selection.records[selection.count++] = &records[index];
        }
    }
    qsort(selection.records, selection.count, sizeof *selection.records,
          type == FR_DELETE ? by_old_path_descending : by_new_path);
    return selection;
}

/* The state of a replay under way. */
struct replay {
    struct model *model;
    fr_change_set *changes;
    const fr_change *records;
    size_t count;
    struct section *moved; /* sections taken out by moves, by number of record */
};

static bool take_out_rows(struct replay *replay)
{
    struct selection leaving = select_records(replay->records, replay->count, FR_OBJECT, FR_DELETE, FR_MOVE);
    bool done = true;
    size_t index;
    for (index = 0; index < leaving.count && done; index++) {
        struct row taken = {NULL, NULL};
        done = CHECK(model_take_row(replay->model, leaving.records[index]->old_path, &taken));
        row_free(&taken);
    }
    free(leaving.records);
    return done;
}

static bool take_out_sections(struct replay *replay)
{
    struct selection leaving = select_records(replay->records, replay->count, FR_SECTION, FR_DELETE, FR_MOVE);
    bool done = true;
    size_t index;
    for (index = 0; index < leaving.count && done; index++) {
        const fr_change *record = leaving.records[index];
        struct section taken = {NULL, NULL, 0};
        done = CHECK(model_take_section(replay->model, record->old_path.section, &taken));
        if (record->type == FR_MOVE) {
            replay->moved[record - replay->records] = taken;
        } else {
            done = done && CHECK_INT(taken.count, 0);
            section_free(&taken);
        }
    }
    free(leaving.records);
    return done;
}

static bool put_in_sections(struct replay *replay)
{
    struct selection arriving = select_records(replay->records, replay->count, FR_SECTION, FR_INSERT, FR_MOVE);
    bool done = true;
    size_t index;
    for (index = 0; index < arriving.count && done; index++) {
        size_t number = (size_t)(arriving.records[index] - replay->records);
        struct section section = section_of_record(replay->changes, number);
        if (arriving.records[index]->type == FR_MOVE) {
            struct section moved = replay->moved[number];
            memset(&replay->moved[number], 0, sizeof moved);
            free(moved.name);
            moved.name = section.name;
            section = moved;
        }
        done = CHECK(model_insert_section(replay->model, arriving.records[index]->new_path.section, section));
    }
    free(arriving.records);
    return done;
}

static bool put_in_rows(struct replay *replay)
{
    struct selection arriving = select_records(replay->records, replay->count, FR_OBJECT, FR_INSERT, FR_MOVE);
    bool done = true;
    size_t index;
    for (index = 0; index < arriving.count && done; index++) {
        size_t number = (size_t)(arriving.records[index] - replay->records);
        struct row row = row_of_record(replay->changes, number);
        done = CHECK(model_insert_row(replay->model, arriving.records[index]->new_path, row));
    }
    free(arriving.records);
    return done;
}

static bool exchange_updated(struct replay *replay)
{
    size_t index;
    for (index = 0; index < replay->count; index++) {
        const fr_change *record = &replay->records[index];
        if (record->type == FR_UPDATE && record->kind == FR_SECTION) {
            char *name = section_of_record(replay->changes, index).name;
            if (!CHECK(model_rename_section(replay->model, record->new_path.section, name))) {
                return false;
            }
        } else if (record->type == FR_UPDATE) {
            struct row row = row_of_record(replay->changes, index);
            if (!model_exchange_row(replay->model, record->new_path, row)) {
                return CHECK(!"an updated row that exists");
            }
        }
    }
    return true;
}

bool replay_batch(struct model *model, fr_change_set *changes)
{
    struct replay replay = {NULL, NULL, NULL, 0, NULL};
    size_t index;
    bool done;
    replay.model = model;
    replay.changes = changes;
    if (!CHECK_OK(fr_change_set_records(&replay.records, &replay.count, changes))) {
        return false;
    }
    replay.moved = calloc(replay.count + 1, sizeof *replay.moved);
    done = take_out_rows(&replay) && take_out_sections(&replay) && put_in_sections(&replay) && put_in_rows(&replay)
           && exchange_updated(&replay);
    for (index = 0; index < replay.count; index++) {
        section_free(&replay.moved[index]);
    }
    free(replay.moved);
    return done;
}
