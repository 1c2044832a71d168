/* Messages. What they quote may come from a database. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"

void message(const char *format, ...)
{
    struct line line = {0};
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    line_add_text(&line, text != NULL ? text : "out of memory", -1);
    fflush(stdout);
    fprintf(stderr, "frwatch: %s\n", line_text(&line));
    line_free(&line);
    free(text);
}

/* Codes are for programs. The messages of some have no words for what a user can do. */
static const char *words_of(fr_status status, const char *text)
{
    switch (status) {
    case FR_BUSY:
        return "another program has locked the database";
    case FR_CORRUPT:
        return "this is not an SQLite database, or it is damaged";
    }
    return text;
}

void message_of_status(const char *what, fr_status status, const char *text)
{
    message("%s: %s", what, words_of(status, text));
}

void message_of_error(const char *what)
{
    message_of_status(what, fr_error_status(), fr_error_message());
}

void message_of_failure(const fr_error *error)
{
    message_of_status("the list can't follow", error->status, error->message);
}
