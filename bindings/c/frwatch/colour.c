/* Colours, by the sequences of ECMA-48. */
#include "colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on;

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

static bool terminal_has_colours(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0 && !is_set("NO_COLOR");
}

void colour_choose(enum colour_when when)
{
    is_on = when == COLOUR_ALWAYS || (when == COLOUR_AUTO && terminal_has_colours());
}

void colour_begin(struct line *line, int32_t type)
{
    static const char *const colours[] = {
        [FR_INSERT] = "\033[32m", [FR_DELETE] = "\033[31m", [FR_MOVE] = "\033[36m", [FR_UPDATE] = "\033[33m"};
    line_add(line, is_on ? colours[type] : "", 0);
}

void colour_end(struct line *line)
{
    line_add(line, is_on ? "\033[39m" : "", 0);
}
