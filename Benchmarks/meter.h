/* How many rows a list reads for each row that changes. */
#ifndef METER_H
#define METER_H

#include "bench.h"
#include "lists.h"

/* The measurements of an observed list. */
struct meter {
    fr_list *list;
    int64_t rows_read; /* the values of the counters and the observer at the start */
    int64_t records_read;
    double *samples; /* rows read for each changed row, of each run */
    size_t count;
    double all_rows; /* of all runs */
    double all_records;
};

/* Allocates memory for this number of runs. */
void open_meter(struct meter *meter, fr_list *list, size_t runs);
void close_meter(struct meter *meter);

/* A run is what is read between the two calls. */
void start_meter(struct meter *meter);
void stop_meter(struct meter *meter);

#endif
