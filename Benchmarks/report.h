/* The table of results. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

#include "bench.h"

/* The value that is compared with the limits. */
enum measure {
    RATIO,       /* ours to floor */
    NANOSECONDS, /* a time of ours */
    BYTES,       /* a number of bytes of ours */
    ROWS_READ    /* a number of rows that ours read */
};

struct row {
    const char *what; /* valid until the process ends */
    int64_t rows;
    struct statistics floor; /* times; or bytes, or rows */
    struct statistics ours;
    enum measure measure;
    double measured;
    double must; /* 0: no limit */
    double aim;
};

/* Adds a row of the data `data_name`, or of no data if the row has no number of rows. */
void report(struct row row);

/* Reports the ratio of two times. */
void report_ratio(const char *what, int64_t rows, struct comparison times, double must, double aim);

void print_table(void);
void write_json(const char *path);

#endif
