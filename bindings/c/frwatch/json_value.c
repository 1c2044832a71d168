/* Strings and values. */
#include "json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static void print_character(uint32_t character, const char *bytes, size_t size, FILE *file)
{
    if (character == '"' || character == '\\') {
        fprintf(file, "\\%c", (int)character);
    } else if (character == '\n') {
        fputs("\\n", file);
    } else if (utf8_is_control(character)) {
        fprintf(file, "\\u%04x", (unsigned)character);
    } else {
        fwrite(bytes, 1, size, file);
    }
}

void json_string(const char *text, int64_t length, FILE *file)
{
    const char *end;
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    end = text + (length < 0 ? strlen(text) : (size_t)length);
    fputc('"', file);
    while (text < end) {
        uint32_t character;
        size_t size = utf8_decode(&character, text, (size_t)(end - text));
        if (size == 0) {
            fputs("\xEF\xBF\xBD", file);
            size = 1;
        } else {
            print_character(character, text, size, file);
        }
        text += size;
    }
    fputc('"', file);
}

static void print_real(double real, FILE *file)
{
    char text[40];
    if (isinf(real)) {
        fputs(real > 0 ? "\"Infinity\"" : "\"-Infinity\"", file);
        return;
    }
    snprintf(text, sizeof text, "%.15g", real);
    if (strtod(text, NULL) != real) {
        snprintf(text, sizeof text, "%.17g", real);
    }
    fputs(text, file);
    if (strpbrk(text, ".e") == NULL) {
        fputs(".0", file);
    }
}

void json_value(const fr_value *value, FILE *file)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        fprintf(file, "%lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        print_real(value->real, file);
        break;
    case FR_TYPE_TEXT:
        json_string(value->data, value->length, file);
        break;
    case FR_TYPE_BLOB:
        fputs("{\"blob\":\"", file);
        for (int64_t i = 0; i < value->length; i++) {
            fprintf(file, "%02x", (unsigned)(unsigned char)value->data[i]);
        }
        fputs("\"}", file);
        break;
    default:
        fputs("null", file);
    }
}
