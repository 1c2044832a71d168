#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { MOST_MEASUREMENTS = 256, NAME_LENGTH_LIMIT = 128 };

static struct {
    char name[NAME_LENGTH_LIMIT];
    int64_t rows;
} planned[MOST_MEASUREMENTS];
static int planned_count;
static int current; /* the number of the measurement that runs, from 1; 0 before the first */
static double start;

static int number_of(const char *name, int64_t rows)
{
    for (int index = 0; index < planned_count; index++) {
        if (planned[index].rows == rows && strcmp(planned[index].name, name) == 0) return index + 1;
    }
    return 0;
}

void plan_measurement(const char *name, int64_t rows)
{
    if (number_of(name, rows) != 0) return;
    if (planned_count == MOST_MEASUREMENTS) fail("too many measurements");
    snprintf(planned[planned_count].name, NAME_LENGTH_LIMIT, "%s", name);
    planned[planned_count++].rows = rows;
}

/* The rest takes as long for each measurement as those that are over took. */
static void write_time_left(char text[48])
{
    int done = current - 1;
    text[0] = 0;
    if (done < 1) return;
    double seconds = (nanoseconds_now() - start) / 1e9 / done * (planned_count - done);
    if (seconds >= 90)
        snprintf(text, 48, ", about %.0f min left", seconds / 60);
    else
        snprintf(text, 48, ", about %.0f s left", seconds);
}

static void show(const char *what, int64_t rows, const char *name)
{
    bool is_terminal = isatty(STDERR_FILENO);
    char left[48];
    if (start == 0) start = nanoseconds_now();
    write_time_left(left);
    fprintf(stderr, "%s[%d of %d%s] %s %s, %lld rows%s", is_terminal ? "\r\033[K" : "", current, planned_count, left,
            what, name, (long long)rows, is_terminal ? "" : "\n");
}

void begin_measurement(const char *name, int64_t rows)
{
    current = number_of(name, rows);
    show("measuring", rows, name);
}

void begin_making(int64_t rows, const char *set)
{
    show("making", rows, set);
}

void end_progress(void)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}
