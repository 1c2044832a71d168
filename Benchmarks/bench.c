#include "bench.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "limits.h"
#include "progress.h"

struct options options;
const char *data_name = "letters";
volatile int64_t sink;

bool wanted(const char *what, int64_t rows)
{
    char name[128];
    snprintf(name, sizeof name, "%s: %s", data_name, what);
    if ((options.quick && rows > 100000) || (options.only != NULL && strstr(name, options.only) == NULL)) return false;
    if (options.plans) {
        limit_of(what);
        plan_measurement(name, rows);
        return false;
    }
    begin_measurement(name, rows);
    return true;
}

int64_t large(void)
{
    return options.quick ? 100000 : 1000000;
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "bench: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

double nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    // Large blocks are mapped on their own.
    return (double)(info.uordblks + info.hblkhd);
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

struct statistics statistics_of(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, by_size);
    struct statistics result = {samples[count / 2], samples[(count - 1) * 99 / 100]};
    return result;
}

static double time_of(struct subject subject)
{
    if (subject.before != NULL) subject.before(subject.context);
    double start = nanoseconds_now();
    subject.run(subject.context);
    return nanoseconds_now() - start;
}

static void run_block(struct subject subject, size_t count, double parts, double *samples)
{
    for (size_t index = 0; index < count; index++) samples[index] = time_of(subject) / parts;
}

struct comparison compare(struct subject floor, struct subject ours, struct plan plan)
{
    for (size_t index = 0; index < plan.warm_up; index++) {
        time_of(floor);
        time_of(ours);
    }
    double *samples = malloc(2 * plan.repetitions * sizeof *samples);
    if (samples == NULL) fail("out of memory");
    double *own = samples + plan.repetitions;
    for (size_t start = 0; start < plan.repetitions; start += plan.block) {
        size_t rest = plan.repetitions - start;
        size_t count = rest < plan.block ? rest : plan.block;
        run_block(floor, count, plan.parts, samples + start);
        run_block(ours, count, plan.parts, own + start);
    }
    struct comparison result = {statistics_of(samples, plan.repetitions), statistics_of(own, plan.repetitions)};
    free(samples);
    return result;
}

#define SEED 0x9e3779b97f4a7c15
static uint64_t random_state = SEED;

void restart_random(void)
{
    random_state = SEED;
}

uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}

void random_name(char name[NAME_LENGTH + 1])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (int index = 0; index < NAME_LENGTH; index += 9) {
        uint64_t bits = next_random();
        for (int place = 0; place < 9; place++, bits >>= 6) name[index + place] = letters[bits & 63];
    }
    name[NAME_LENGTH] = 0;
}
