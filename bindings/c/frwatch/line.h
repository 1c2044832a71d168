/* A line of text that is safe to print, with its width on a terminal. */
#ifndef LINE_H
#define LINE_H

#include <fetchedresults.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed, it is empty. */
struct line {
    char *bytes;
    size_t length, capacity;
    int width; /* in columns of a terminal */
};

/* Its text, which ends in a NUL; valid until it is next added to. */
const char *line_text(const struct line *line);

void line_clear(struct line *line);
void line_free(struct line *line);

/* Adds bytes as they are, of a known width. Control sequences for colours have none. */
void line_add(struct line *line, const char *text, int width);

/* Adds a number of the program's own making, or plain ASCII. */
void line_addf(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Adds text of anyone. What a terminal could obey or show in a wrong place is escaped: control
 * characters and marks of writing direction as \n, \t, \x1b or \u202e, bytes that are no UTF-8 as
 * \xff. length: -1 up to the first NUL.
 */
void line_add_text(struct line *line, const char *text, int64_t length);

/* Adds a value as text: NULL as "NULL", a blob by its length. */
void line_add_value(struct line *line, const fr_value *value);

/* Adds blanks up to a width. */
void line_pad(struct line *line, int width);

/* Adds `from`, or as much of it as fits into `width` columns with an ellipsis at its end. */
void line_add_cut(struct line *line, const struct line *from, int width);

/*
 * Adds the part of `from` that is `width` columns wide after the first `skipped` ones, with blanks
 * up to that width. Control sequences before its end are added as they are.
 */
void line_add_part(struct line *line, const struct line *from, int skipped, int width);

#endif
