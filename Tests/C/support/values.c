#include "values.h"

#include <stdio.h>
#include <string.h>

static void real_add(struct text *text, double real)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", real);
    text_add(text, "%s%s", digits, strpbrk(digits, ".en") == NULL ? ".0" : "");
}

static void blob_add(struct text *text, const fr_value *value)
{
    int64_t index;
    text_add(text, "x'");
    for (index = 0; index < value->length; index++) {
        text_add(text, "%02x", (unsigned char)value->data[index]);
    }
    text_add(text, "'");
}

void value_add(struct text *text, const fr_value *value)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        text_add(text, "%lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        real_add(text, value->real);
        break;
    case FR_TYPE_TEXT:
        text_add(text, "%.*s", (int)value->length, value->data);
        break;
    case FR_TYPE_BLOB:
        blob_add(text, value);
        break;
    default:
        text_add(text, "NULL");
    }
}
