/* How many rows a list reads for each row that changes. */
#ifndef METER_H
#define METER_H

#include "bench.h"
#include "lists.h"

/* Of an observed list. */
struct meter {
    fr_list *list;
    int64_t rows_read; /* as the counters and the observer told at the start */
    int64_t records_read;
    double *samples; /* rows read for each changed row, of each run */
    size_t count;
    double all_rows; /* of all runs */
    double all_records;
};

/* Room for as many runs. */
void open_meter(struct meter *meter, fr_list *list, size_t runs);
void close_meter(struct meter *meter);

/* What is read from the one to the other is a run. */
void start_meter(struct meter *meter);
void stop_meter(struct meter *meter);

#endif
