#include "corpus_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static char *bytes_of_digits(const char *digits, int64_t *length)
{
    size_t count = strlen(digits) / 2, index;
    char *bytes = malloc(count + 1);
    for (index = 0; index < count; index++) {
        unsigned byte = 0;
        sscanf(digits + 2 * index, "%2x", &byte);
        bytes[index] = (char)byte;
    }
    bytes[count] = '\0';
    *length = (int64_t)count;
    return bytes;
}

static fr_value text_value(const char *data, int64_t length)
{
    fr_value value = fr_null();
    value.type = FR_TYPE_TEXT;
    value.data = data;
    value.length = length;
    return value;
}

/* A value that JSON can't represent. */
static fr_value coded_value(json_t *object, char **buffer)
{
    json_t *coded = json_object_get(object, "real");
    int64_t length = 0;
    if (coded != NULL) {
        return fr_real(strcmp(json_string_value(coded), "inf") == 0 ? HUGE_VAL : -HUGE_VAL);
    }
    coded = json_object_get(object, "blob");
    if (coded != NULL) {
        *buffer = bytes_of_digits(json_string_value(coded), &length);
        return fr_blob(*buffer, length);
    }
    *buffer = bytes_of_digits(json_string_value(json_object_get(object, "text")), &length);
    return text_value(*buffer, length);
}

static fr_value value_of(json_t *json, char **buffer)
{
    switch (json_typeof(json)) {
    case JSON_INTEGER:
        return fr_integer(json_integer_value(json));
    case JSON_REAL:
        return fr_real(json_real_value(json));
    case JSON_STRING:
        return text_value(json_string_value(json), (int64_t)json_string_length(json));
    case JSON_OBJECT:
        return coded_value(json, buffer);
    default:
        return fr_null();
    }
}

struct corpus_values corpus_values_of(json_t *array)
{
    struct corpus_values values = {NULL, NULL, 0};
    size_t index;
    values.count = json_array_size(array);
    values.values = calloc(values.count + 1, sizeof *values.values);
    values.buffers = calloc(values.count + 1, sizeof *values.buffers);
    for (index = 0; index < values.count; index++) {
        values.values[index] = value_of(json_array_get(array, index), &values.buffers[index]);
    }
    return values;
}

void corpus_values_free(struct corpus_values *values)
{
    size_t index;
    for (index = 0; index < values->count; index++) {
        free(values->buffers[index]);
    }
    free(values->buffers);
    free(values->values);
}

static void add_bytes(struct text *text, const fr_value *value)
{
    int64_t index;
    for (index = 0; index < value->length; index++) {
        unsigned char byte = (unsigned char)value->data[index];
        text_add(text, byte > ' ' && byte < 0x7f && byte != '\\' ? "%c" : "\\%02x", byte);
    }
}

void corpus_add_value(struct text *text, const fr_value *value)
{
    int64_t index;
    switch (value->type) {
    case FR_TYPE_INTEGER:
        text_add(text, "%lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        text_add(text, "%.17g real", value->real);
        break;
    case FR_TYPE_TEXT:
        text_add(text, "'");
        add_bytes(text, value);
        text_add(text, "'");
        break;
    case FR_TYPE_BLOB:
        text_add(text, "x'");
        for (index = 0; index < value->length; index++) {
            text_add(text, "%02x", (unsigned char)value->data[index]);
        }
        text_add(text, "'");
        break;
    default:
        text_add(text, "NULL");
    }
}

void corpus_add_values(struct text *text, json_t *array)
{
    struct corpus_values values = corpus_values_of(array);
    size_t index;
    for (index = 0; index < values.count; index++) {
        corpus_add_value(text, &values.values[index]);
        text_add(text, " ");
    }
    corpus_values_free(&values);
}

void corpus_add_content(struct text *text, fr_object *object)
{
    int64_t count = 0, column;
    fr_value value;
    CHECK_OK(fr_object_column_count(&count, object));
    for (column = 0; column < count; column++) {
        if (CHECK_OK(fr_object_value(&value, object, column))) {
            corpus_add_value(text, &value);
            text_add(text, " ");
        }
    }
}

void corpus_add_identity(struct text *text, fr_object *object)
{
    int64_t count = 0, column;
    fr_value value;
    CHECK_OK(fr_object_identity_count(&count, object));
    for (column = 0; column < count; column++) {
        if (CHECK_OK(fr_object_identity(&value, object, column))) {
            corpus_add_value(text, &value);
            text_add(text, " ");
        }
    }
}

static char *values_text(json_t *array)
{
    struct text text = {NULL, 0, 0};
    char *copy;
    corpus_add_values(&text, array);
    copy = text_copy(text_get(&text));
    text_free(&text);
    return copy;
}

void corpus_rows_add(struct corpus_rows *rows, json_t *array)
{
    size_t index;
    json_t *row;
    rows->rows = realloc(rows->rows, (rows->count + json_array_size(array) + 1) * sizeof *rows->rows);
    json_array_foreach(array, index, row)
    {
        struct corpus_row *added = &rows->rows[rows->count++];
        added->identity = values_text(json_array_get(row, 0));
        added->content = values_text(json_array_get(row, 1));
    }
}

void corpus_rows_free(struct corpus_rows *rows)
{
    size_t index;
    for (index = 0; index < rows->count; index++) {
        free(rows->rows[index].identity);
        free(rows->rows[index].content);
    }
    free(rows->rows);
    rows->rows = NULL;
    rows->count = 0;
}

void corpus_add_coded(struct text *text, json_t *value)
{
    json_t *array = value == NULL ? json_pack("[n]") : json_pack("[O]", value);
    struct corpus_values values = corpus_values_of(array);
    corpus_add_value(text, &values.values[0]);
    corpus_values_free(&values);
    json_decref(array);
}
