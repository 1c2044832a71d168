/* Strings and values as JSON (RFC 8259). */
#ifndef JSON_VALUE_H
#define JSON_VALUE_H

#include <fetchedresults.h>
#include <stdint.h>
#include <stdio.h>

/* Text that is no UTF-8 is replaced by U+FFFD. length: -1 up to the first NUL. NULL is null. */
void json_string(const char *text, int64_t length, FILE *file);

/* A blob is {"blob": "00ff"}, an infinite number a string. */
void json_value(const fr_value *value, FILE *file);

#endif
