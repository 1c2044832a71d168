/* Reading a model from a controller, and showing it as text. */
#include "model.h"

#include <stdlib.h>

#include "test.h"
#include "text.h"
#include "values.h"

static char *identity_of(fr_object *object)
{
    struct text text = {NULL, 0, 0};
    int64_t count = 0, index;
    CHECK_OK(fr_object_identity_count(&count, object));
    for (index = 0; index < count; index++) {
        fr_value value = fr_null();
        CHECK_OK(fr_object_identity(&value, object, index));
        text_add(&text, index == 0 ? "" : ",");
        value_add(&text, &value);
    }
    return text.bytes;
}

static char *content_of(fr_object *object)
{
    struct text text = {NULL, 0, 0};
    int64_t count = 0, index;
    CHECK_OK(fr_object_column_count(&count, object));
    text_add(&text, "(");
    for (index = 0; index < count; index++) {
        fr_value value = fr_null();
        CHECK_OK(fr_object_value(&value, object, index));
        text_add(&text, index == 0 ? "" : ", ");
        value_add(&text, &value);
    }
    text_add(&text, ")");
    return text.bytes;
}

struct row row_of(fr_object *object, bool contents)
{
    struct row row = {NULL, NULL};
    row.identity = identity_of(object);
    row.content = contents ? content_of(object) : NULL;
    return row;
}

/*
 * The row at a place; "?" if it can't be read: in will_change a row that is not cached may be
 * deleted.
 */
static struct row row_at(fr_list *controller, fr_index_path path, bool contents)
{
    struct row row = {NULL, NULL};
    fr_object *object = NULL;
    fr_status status = fr_list_object_at(&object, controller, path);
    if (status == FR_OK) {
        row = row_of(object, contents);
        fr_object_unref(object);
    } else {
        row.identity = text_copy("?");
        if (contents || status != FR_GONE) {
            CHECK_STATUS(status, FR_OK);
        }
    }
    return row;
}

void model_read(struct model *model, fr_list *controller, bool contents)
{
    int64_t sections = 0, total = 0;
    fr_index_path path;
    model->sections = NULL;
    model->count = 0;
    CHECK_OK(fr_list_section_count(&sections, controller));
    for (path.section = 0; path.section < sections; path.section++) {
        struct section section = {NULL, NULL, 0};
        fr_section_info info;
        int64_t rows = 0;
        if (!CHECK_OK(fr_list_section(&info, controller, path.section))) {
            return;
        }
        section.name = text_copy(info.name);
        model_insert_section(model, path.section, section);
        CHECK_OK(fr_list_row_count(&rows, controller, path.section));
        CHECK_INT(info.count, rows);
        for (path.row = 0; path.row < rows; path.row++) {
            model_insert_row(model, path, row_at(controller, path, contents));
        }
    }
    CHECK_OK(fr_list_count(&total, controller));
    CHECK_INT(model_rows(model), total);
}

char *model_text(const struct model *model, bool contents)
{
    struct text text = {NULL, 0, 0};
    size_t index, row;
    text_add(&text, "");
    for (index = 0; index < model->count; index++) {
        const struct section *section = &model->sections[index];
        text_add(&text, index == 0 ? "" : " | ");
        if (model->count > 1 || section->name != NULL) {
            text_add(&text, "%s:", section->name == NULL ? "NULL" : section->name);
        }
        for (row = 0; row < section->count; row++) {
            const struct row *one = &section->rows[row];
            text_add(&text, "%s%s", text.length == 0 ? "" : " ", one->identity);
            text_add(&text, "%s", contents && one->content != NULL ? one->content : "");
        }
    }
    return text.bytes;
}
