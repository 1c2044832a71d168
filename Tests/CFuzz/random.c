/* Random numbers, the log, and faults. */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world world;

/* https://prng.di.unimi.it/splitmix64.c */
static uint64_t next(void)
{
    uint64_t bits = world.random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

uint64_t below(uint64_t count)
{
    return next() % count;
}

bool one_in(uint64_t count)
{
    return below(count) == 0;
}

const char *one_of(const char *const *texts, int count)
{
    return texts[below((uint64_t)count)];
}

void note(const char *format, ...)
{
    va_list arguments;
    if (!world.is_logging) return;
    printf("%ld%.*s ", world.step, world.depth, ">>>>>>");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

void fault(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "seed %llu, step %ld: ", (unsigned long long)world.seed, world.step);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    fflush(NULL);
    writer_end();
    _Exit(1);
}

fr_status checked_status(fr_status status, const char *what)
{
    if (world.is_logging && status != FR_OK) note("%s: %s, %s", what, fr_status_name(status), fr_error_message());
    if (status == FR_OK) return status;
    if (status == FR_CORRUPT || status == FR_NO_MEMORY) fault("%s returned %s", what, fr_error_message());
    if (status != fr_error_status() || *fr_error_message() == '\0') fault("%s left no error", what);
    return status;
}
