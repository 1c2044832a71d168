/* UTF-8, by character. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the first character of a text. Returns its length in bytes; 0 if the text does not begin
 * with one.
 */
size_t utf8_decode(uint32_t *out, const char *text, size_t length);

/*
 * Whether a terminal or a reader could obey a character rather than show it: control characters,
 * marks that end lines, and marks of writing direction.
 */
bool utf8_is_control(uint32_t character);

#endif
