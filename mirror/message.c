/* Messages. They quote the server, so control characters are not printed. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool verbose, shows_progress;
static enum failure last;
static char *last_text;

void *allocated(void *memory)
{
    if (memory == NULL) {
        fputs("frmirror: there is not enough memory: end other programs, then run it again\n", stderr);
        exit(FAILURE_MEMORY);
    }
    return memory;
}

static char *formatted(const char *format, va_list arguments)
{
    char *text;
    return vasprintf(&text, format, arguments) < 0 ? allocated(NULL) : text;
}

/*
 * Whether a terminal could obey what stands here: a control character, also one of two bytes
 * (U+0080 to U+009F).
 */
static bool is_control(const char *at)
{
    unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];
    return first < ' ' || first == 127 || (first == 0xc2 && second >= 0x80 && second <= 0x9f);
}

/* The lines of a message of libpq become one, without the end of the last. */
static void make_one_line(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr("\n ", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    for (char *at = text; *at != '\0'; at++) {
        if (is_control(at)) {
            *at = ' ';
        }
    }
}

static void print(const char *format, va_list arguments)
{
    char *text = formatted(format, arguments);
    make_one_line(text);
    progress(NULL);
    fprintf(stderr, "frmirror: %s\n", text);
    free(text);
}

void message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (verbose) {
        print(format, arguments);
    }
    va_end(arguments);
}

void set_verbose(bool is_verbose)
{
    verbose = is_verbose;
}

void progress(const char *format, ...)
{
    va_list arguments;
    if (!isatty(STDERR_FILENO) || (format == NULL && !shows_progress)) {
        return;
    }
    fputs("\r\x1b[K", stderr);
    shows_progress = format != NULL;
    if (shows_progress) {
        va_start(arguments, format);
        char *text = formatted(format, arguments);
        va_end(arguments);
        make_one_line(text);
        fputs(text, stderr);
        free(text);
    }
    fflush(stderr);
}

bool failed(enum failure why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(format, arguments); /* it may quote the last one */
    va_end(arguments);
    make_one_line(text);
    free(last_text);
    last = why;
    last_text = text;
    return false;
}

enum failure failure(void)
{
    return last;
}

const char *failure_text(void)
{
    return last_text != NULL ? last_text : "";
}
