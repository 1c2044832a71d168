#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "limits.h"

enum { MOST_ROWS = 192 };

static struct row rows[MOST_ROWS];
static const char *data_names[MOST_ROWS];
static int row_count;

void report(struct row row)
{
    if (row_count == MOST_ROWS) fail("too many rows");
    data_names[row_count] = row.rows == 0 ? "" : data_name;
    rows[row_count++] = row;
}

void report_ratio(const char *what, int64_t count, struct comparison times, double must, double aim)
{
    struct row row = {what, count, times.floor, times.ours, RATIO, times.ours.p50 / times.floor.p50, must, aim};
    report(row);
}

static const char *verdict(const struct row *row)
{
    if (row->must == 0) return "";
    if (row->measured > row->must) return "missed";
    return row->measured <= row->aim ? "aim" : "must";
}

static void format_time(char text[16], double nanoseconds)
{
    if (nanoseconds == 0)
        text[0] = 0;
    else if (nanoseconds < 1e3)
        snprintf(text, 16, "%.1f ns", nanoseconds);
    else if (nanoseconds < 1e6)
        snprintf(text, 16, "%.2f us", nanoseconds / 1e3);
    else if (nanoseconds < 1e9)
        snprintf(text, 16, "%.2f ms", nanoseconds / 1e6);
    else
        snprintf(text, 16, "%.2f s", nanoseconds / 1e9);
}

static void format_amount(char text[16], double amount, enum measure measure)
{
    if (amount == 0)
        text[0] = 0;
    else if (measure == RATIO)
        snprintf(text, 16, "%.2f x", amount);
    else if (measure == BYTES)
        snprintf(text, 16, "%.1f B", amount);
    else if (measure == ROWS_READ)
        snprintf(text, 16, "%.2f", amount);
    else
        format_time(text, amount);
}

static const char *const columns[] = {"floor p50", "p99", "ours p50", "p99", "measured", "must", "aim"};

static void print_row(const char *data, const struct row *row)
{
    double amounts[] = {row->floor.p50, row->floor.p99, row->ours.p50, row->ours.p99};
    enum measure unit = row->measure == RATIO ? NANOSECONDS : row->measure;
    printf("| %-13s | %-52s | %8lld |", data, row->what, (long long)row->rows);
    char text[16];
    for (int index = 0; index < 4; index++) {
        format_amount(text, amounts[index], unit);
        printf(" %9s |", text);
    }
    double limits[] = {row->measured, row->must, row->aim};
    for (int index = 0; index < 3; index++) {
        format_amount(text, limits[index], row->measure);
        printf(" %9s |", text);
    }
    printf(" %-7s | %s |\n", verdict(row), limit_of(row->what));
}

void print_table(void)
{
    static const char dashes[] = "------------------------------------------------------";
    printf("| %-13s | %-52s | %8s |", "data", "what", "N");
    for (int index = 0; index < 7; index++) printf(" %9s |", columns[index]);
    printf(" verdict | limited by |\n|%.15s|%.54s|%.9s:|", dashes, dashes, dashes);
    for (int index = 0; index < 7; index++) printf("%.10s:|", dashes);
    printf("---------|------------|\n");
    for (int index = 0; index < row_count; index++) print_row(data_names[index], &rows[index]);
}

static void write_row(FILE *file, const char *data, const struct row *row)
{
    static const char *const measures[] = {"ratio", "nanoseconds", "bytes", "rows read"};
    fprintf(file, "    {\"data\": \"%s\", \"what\": \"%s\", \"rows\": %lld,\n", data, row->what, (long long)row->rows);
    fprintf(file, "     \"floor\": {\"p50\": %.1f, \"p99\": %.1f}, \"ours\": {\"p50\": %.1f, \"p99\": %.1f},\n",
            row->floor.p50, row->floor.p99, row->ours.p50, row->ours.p99);
    fprintf(file, "     \"measure\": \"%s\", \"measured\": %.4f, \"must\": %.4f, \"aim\": %.4f, \"verdict\": \"%s\",\n",
            measures[row->measure], row->measured, row->must, row->aim, verdict(row));
    fprintf(file, "     \"limited by\": \"%s\"}", limit_of(row->what));
}

void write_json(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) fail("can't write %s", path);
    fprintf(file, "{\n  \"environment\": ");
    write_environment(file);
    fprintf(file, ",\n  \"quick\": %s,\n  \"rows\": [\n", options.quick ? "true" : "false");
    for (int index = 0; index < row_count; index++) {
        write_row(file, data_names[index], &rows[index]);
        fprintf(file, index + 1 < row_count ? ",\n" : "\n");
    }
    fprintf(file, "  ]\n}\n");
    if (fclose(file) != 0) fail("can't write %s", path);
}
