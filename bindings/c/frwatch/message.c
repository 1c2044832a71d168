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

void message_of_error(const char *what)
{
    message("%s: %s: %s", what, fr_status_name(fr_error_status()), fr_error_message());
}

void message_of_failure(const fr_error *error)
{
    message("the list can't follow: %s: %s", fr_status_name(error->status), error->message);
}
