#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static void *grown(void *items, size_t count, size_t size)
{
    void *memory = realloc(items, count * size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

void row_free(struct row *row)
{
    free(row->identity);
    free(row->content);
    memset(row, 0, sizeof *row);
}

void section_free(struct section *section)
{
    size_t index;
    for (index = 0; index < section->count; index++) {
        row_free(&section->rows[index]);
    }
    free(section->rows);
    free(section->name);
    memset(section, 0, sizeof *section);
}

void model_free(struct model *model)
{
    size_t index;
    for (index = 0; index < model->count; index++) {
        section_free(&model->sections[index]);
    }
    free(model->sections);
    memset(model, 0, sizeof *model);
}

void model_copy(struct model *copy, const struct model *model)
{
    size_t index, row;
    memset(copy, 0, sizeof *copy);
    for (index = 0; index < model->count; index++) {
        const struct section *from = &model->sections[index];
        struct section section = {NULL, NULL, 0};
        section.name = text_copy(from->name);
        model_insert_section(copy, (int64_t)index, section);
        for (row = 0; row < from->count; row++) {
            fr_index_path path = {0, 0};
            struct row one;
            path.section = (int64_t)index;
            path.row = (int64_t)row;
            one.identity = text_copy(from->rows[row].identity);
            one.content = text_copy(from->rows[row].content);
            model_insert_row(copy, path, one);
        }
    }
}

bool model_insert_section(struct model *model, int64_t index, struct section section)
{
    size_t at = (size_t)index;
    if (index < 0 || at > model->count) {
        section_free(&section);
        return false;
    }
    model->sections = grown(model->sections, model->count + 1, sizeof *model->sections);
    memmove(&model->sections[at + 1], &model->sections[at], (model->count - at) * sizeof *model->sections);
    model->sections[at] = section;
    model->count += 1;
    return true;
}

bool model_take_section(struct model *model, int64_t index, struct section *taken)
{
    size_t at = (size_t)index;
    if (index < 0 || at >= model->count) {
        return false;
    }
    *taken = model->sections[at];
    model->count -= 1;
    memmove(&model->sections[at], &model->sections[at + 1], (model->count - at) * sizeof *model->sections);
    return true;
}

bool model_insert_row(struct model *model, fr_index_path path, struct row row)
{
    struct section *section;
    size_t at = (size_t)path.row;
    if (path.section < 0 || (size_t)path.section >= model->count || path.row < 0
        || at > model->sections[path.section].count) {
        row_free(&row);
        return false;
    }
    section = &model->sections[path.section];
    section->rows = grown(section->rows, section->count + 1, sizeof *section->rows);
    memmove(&section->rows[at + 1], &section->rows[at], (section->count - at) * sizeof *section->rows);
    section->rows[at] = row;
    section->count += 1;
    return true;
}

static struct row *row_in(struct model *model, fr_index_path path)
{
    if (path.section < 0 || (size_t)path.section >= model->count || path.row < 0
        || (size_t)path.row >= model->sections[path.section].count) {
        return NULL;
    }
    return &model->sections[path.section].rows[path.row];
}

bool model_take_row(struct model *model, fr_index_path path, struct row *taken)
{
    struct row *row = row_in(model, path);
    struct section *section;
    if (row == NULL) {
        return false;
    }
    section = &model->sections[path.section];
    *taken = *row;
    section->count -= 1;
    memmove(row, row + 1, (section->count - (size_t)path.row) * sizeof *row);
    return true;
}

bool model_exchange_row(struct model *model, fr_index_path path, struct row row)
{
    struct row *place = row_in(model, path);
    if (place == NULL) {
        row_free(&row);
        return false;
    }
    row_free(place);
    *place = row;
    return true;
}

bool model_rename_section(struct model *model, int64_t index, char *name)
{
    if (index < 0 || (size_t)index >= model->count) {
        free(name);
        return false;
    }
    free(model->sections[index].name);
    model->sections[index].name = name;
    return true;
}

void model_discard_names(struct model *model)
{
    size_t index;
    for (index = 0; index < model->count; index++) {
        free(model->sections[index].name);
        model->sections[index].name = NULL;
    }
}

size_t model_rows(const struct model *model)
{
    size_t index, count = 0;
    for (index = 0; index < model->count; index++) {
        count += model->sections[index].count;
    }
    return count;
}
