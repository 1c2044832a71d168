#include "meter.h"

#include <stdlib.h>

static int64_t rows_read_by(fr_list *list)
{
    fr_counters counters = {.struct_size = sizeof counters};
    ok(fr_controller_counters(&counters, list));
    return counters.rows_read;
}

void open_meter(struct meter *meter, fr_list *list, size_t runs)
{
    *meter = (struct meter){.list = list, .samples = malloc(runs * sizeof(double))};
    if (meter->samples == NULL) fail("out of memory");
}

void close_meter(struct meter *meter)
{
    free(meter->samples);
}

void start_meter(struct meter *meter)
{
    meter->rows_read = rows_read_by(meter->list);
    meter->records_read = records_read;
}

void stop_meter(struct meter *meter)
{
    double rows = (double)(rows_read_by(meter->list) - meter->rows_read);
    double records = (double)(records_read - meter->records_read);
    // A row whose new random name equals its old one does not change.
    if (records == 0) return;
    meter->samples[meter->count++] = rows / records;
    meter->all_rows += rows;
    meter->all_records += records;
}
