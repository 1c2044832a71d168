#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static bool rename_section(struct model *model, fr_change_set *steps, size_t index, const fr_change *step)
{
    return CHECK(model_rename_section(model, step->new_path.section, section_of_record(steps, index).name));
}

static bool apply_to_section(struct model *model, fr_change_set *steps, size_t index, const fr_change *step)
{
    struct section taken = {NULL, NULL, 0};
    bool done = true;
    switch (step->type) {
    case FR_INSERT:
        return CHECK(model_insert_section(model, step->new_path.section, section_of_record(steps, index)));
    case FR_DELETE:
        done = CHECK(model_take_section(model, step->old_path.section, &taken)) && CHECK_INT(taken.count, 0);
        section_free(&taken);
        return done;
    case FR_MOVE:
        return CHECK(model_take_section(model, step->old_path.section, &taken))
               && CHECK(model_insert_section(model, step->new_path.section, taken))
               && rename_section(model, steps, index, step);
    default:
        return CHECK(step->type == FR_UPDATE) && CHECK_INT(step->old_path.section, step->new_path.section)
               && rename_section(model, steps, index, step);
    }
}

static bool apply_to_row(struct model *model, fr_change_set *steps, size_t index, const fr_change *step)
{
    struct row taken = {NULL, NULL}, arriving = {NULL, NULL};
    bool done = true;
    if (step->type != FR_DELETE) {
        arriving = row_of_record(steps, index);
    }
    if (step->type == FR_DELETE || step->type == FR_MOVE) {
        done = CHECK(model_take_row(model, step->old_path, &taken));
        row_free(&taken);
    }
    if (step->type == FR_INSERT || step->type == FR_MOVE) {
        return CHECK(model_insert_row(model, step->new_path, arriving)) && done;
    }
    if (step->type == FR_UPDATE) {
        return CHECK_INT(step->old_path.section, step->new_path.section)
               && CHECK_INT(step->old_path.row, step->new_path.row)
               && CHECK(model_exchange_row(model, step->new_path, arriving));
    }
    return done;
}

bool replay_step(struct model *model, fr_change_set *steps, size_t index, const fr_change *step)
{
    return step->kind == FR_SECTION ? apply_to_section(model, steps, index, step)
                                    : apply_to_row(model, steps, index, step);
}

bool replay_sequential(struct model *model, fr_change_set *changes)
{
    fr_change_set *steps = NULL;
    const fr_change *records = NULL;
    size_t count = 0, batch_count = 0, index;
    bool done = true;
    if (!CHECK_OK(fr_change_set_records(&records, &batch_count, changes))
        || !CHECK_OK(fr_change_set_sequential(&steps, changes))
        || !CHECK_OK(fr_change_set_records(&records, &count, steps))) {
        return false;
    }
    CHECK_INT(count, batch_count);
    for (index = 0; index < count && done; index++) {
        done = replay_step(model, steps, index, &records[index]);
    }
    fr_change_set_unref(steps);
    return done;
}
