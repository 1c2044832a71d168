#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "test.h"

/* The new state of an old row: the row at its old place, unless a record has new content. */
static struct row replayed_row(struct model *old, fr_change_set *changes, const fr_replayed_row *from)
{
    struct row row = {NULL, NULL}, *before = NULL;
    if (from->old_path.section >= 0) {
        before = &old->sections[from->old_path.section].rows[from->old_path.row];
    }
    if (from->record >= 0) {
        row = row_of_record(changes, (size_t)from->record);
        if (before != NULL && CHECK(before->identity != NULL)) {
            CHECK_INT(strcasecmp(row.identity, before->identity), 0);
            row_free(before);
            before->identity = before->content = NULL;
        }
    } else if (CHECK(before != NULL)) {
        row = *before;
        before->identity = before->content = NULL;
    }
    return row;
}

static struct section replayed_section(struct model *old, fr_change_set *changes, const fr_replayed_section *from)
{
    struct section section = {NULL, NULL, 0};
    int64_t row;
    if (from->record >= 0) {
        section = section_of_record(changes, (size_t)from->record);
    } else if (CHECK(from->old_index >= 0)) {
        section.name = old->sections[from->old_index].name;
        old->sections[from->old_index].name = NULL;
    }
    section.count = (size_t)from->row_count;
    section.rows = calloc(section.count + 1, sizeof *section.rows);
    for (row = 0; row < from->row_count; row++) {
        section.rows[row] = replayed_row(old, changes, &from->rows[row]);
    }
    return section;
}

static bool replay(struct model *model, fr_change_set *changes)
{
    int64_t *counts = calloc(model->count + 1, sizeof *counts);
    const fr_replayed_section *sections = NULL;
    struct model new_model = {NULL, 0};
    size_t index;
    bool done;
    for (index = 0; index < model->count; index++) {
        counts[index] = (int64_t)model->sections[index].count;
    }
    done = CHECK_OK(fr_change_set_replay(&sections, &new_model.count, changes, counts, model->count));
    if (done) {
        new_model.sections = calloc(new_model.count + 1, sizeof *new_model.sections);
        for (index = 0; index < new_model.count; index++) {
            new_model.sections[index] = replayed_section(model, changes, &sections[index]);
        }
        model_free(model);
        *model = new_model;
    }
    free(counts);
    return done;
}

bool replay_with_library(struct model *model, fr_change_set *changes)
{
    return replay(model, changes);
}

bool replay_steps_with_library(struct model *model, fr_change_set *changes)
{
    fr_change_set *steps = NULL;
    bool done = CHECK_OK(fr_change_set_sequential(&steps, changes)) && replay(model, steps);
    fr_change_set_unref(steps);
    return done;
}

/* Applies a run of inserts or deletes. */
static bool apply_run(struct model *model, fr_change_set *steps, const fr_range *range)
{
    struct section section = {NULL, NULL, 0};
    struct row row = {NULL, NULL};
    fr_index_path path = range->type == FR_INSERT ? range->new_path : range->old_path;
    int64_t place;
    bool done = true;
    for (place = 0; place < range->count && done; place++) {
        size_t step = (size_t)(range->first + place);
        if (range->kind == FR_SECTION && range->type == FR_INSERT) {
            done = CHECK(model_insert_section(model, path.section + place, section_of_record(steps, step)));
        } else if (range->kind == FR_SECTION) {
            done = CHECK(model_take_section(model, path.section, &section)) && CHECK_INT(section.count, 0);
            section_free(&section);
        } else if (range->type == FR_INSERT) {
            fr_index_path next = {path.section, path.row + place};
            done = CHECK(model_insert_row(model, next, row_of_record(steps, step)));
        } else {
            done = CHECK(model_take_row(model, path, &row));
            row_free(&row);
        }
    }
    return done;
}

/* The range agrees with its steps. */
static void check_steps_of(const fr_range *range, const fr_change *records, size_t count)
{
    int64_t place;
    CHECK(range->first >= 0 && range->count >= 1 && (size_t)(range->first + range->count) <= count);
    for (place = 0; place < range->count; place++) {
        const fr_change *step = &records[range->first + place];
        bool is_section = range->kind == FR_SECTION;
        CHECK_INT(step->kind, range->kind);
        CHECK_INT(step->type, range->type);
        if (range->type == FR_INSERT) {
            CHECK_INT(step->new_path.section, range->new_path.section + (is_section ? place : 0));
            CHECK_INT(step->new_path.row, range->new_path.row + (is_section ? 0 : place));
        } else if (range->type == FR_DELETE) {
            int64_t back = range->count - 1 - place;
            CHECK_INT(step->old_path.section, range->old_path.section + (is_section ? back : 0));
            CHECK_INT(step->old_path.row, range->old_path.row + (is_section ? 0 : back));
        } else {
            CHECK_INT(range->count, 1);
            CHECK_INT(step->old_path.row, range->old_path.row);
            CHECK_INT(step->new_path.row, range->new_path.row);
        }
    }
}

bool replay_ranges(struct model *model, fr_change_set *changes)
{
    fr_change_set *steps = NULL;
    const fr_change *records = NULL;
    const fr_range *ranges = NULL;
    size_t count = 0, range_count = 0, index, covered = 0;
    bool done = CHECK_OK(fr_change_set_sequential(&steps, changes))
                && CHECK_OK(fr_change_set_records(&records, &count, steps))
                && CHECK_OK(fr_change_set_ranges(&ranges, &range_count, steps));
    for (index = 0; index < range_count && done; index++) {
        const fr_range *range = &ranges[index];
        CHECK_INT(range->first, covered);
        covered += (size_t)range->count;
        check_steps_of(range, records, count);
        done = range->type == FR_INSERT || range->type == FR_DELETE
                   ? apply_run(model, steps, range)
                   : replay_step(model, steps, (size_t)range->first, &records[range->first]);
    }
    CHECK_INT(covered, count);
    fr_change_set_unref(steps);
    return done;
}
