/* What all benchmarks share: options, the clock, and the comparison of two subjects. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options of the program. */
struct options {
    bool quick;       /* nothing larger than 100,000 rows */
    const char *only; /* a part of a name that `wanted` receives; NULL for all */
    const char *json;
    bool plans; /* nothing is measured: `wanted` plans what is going to be */
};

extern struct options options;

/* The name of the data of the rows that are being measured; valid until the process ends. */
extern const char *data_name;

/*
 * Whether a row of the table is to be measured at this size. --only may have a part of "data:
 * what". False as well while measurements are planned.
 */
bool wanted(const char *what, int64_t rows);

/* The size at which most rows are measured: a million, or less in a quick run. */
int64_t large(void);

/* Ends the program with a message. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

double nanoseconds_now(void);

/* The memory that the process has allocated, in bytes. */
double bytes_in_use(void);

/* Median and 99th percentile. */
struct statistics {
    double p50;
    double p99;
};

/* Sorts the samples. */
struct statistics statistics_of(double *samples, size_t count);

/* Something whose time is measured. */
struct subject {
    void (*before)(void *context); /* called before each run, outside of its time; may be NULL */
    void (*run)(void *context);
    void *context;
};

/* How often subjects run. */
struct plan {
    size_t warm_up;
    size_t repetitions;
    size_t block; /* runs of one subject before the other's turn, so that noise affects both alike */
    double parts; /* the time of one run is divided by this number */
};

struct comparison {
    struct statistics floor;
    struct statistics ours;
};

struct comparison compare(struct subject floor, struct subject ours, struct plan plan);

/* A number that is different each time, but the same in each run of the program. */
uint64_t next_random(void);

/*
 * Restarts the random numbers, so that data made of them does not depend on earlier measurements.
 */
void restart_random(void);

/* A random text of 18 characters and a NUL. */
enum { NAME_LENGTH = 18 };
void random_name(char name[NAME_LENGTH + 1]);

/* Prevents the compiler from removing reads: results are stored here. */
extern volatile int64_t sink;

#endif
