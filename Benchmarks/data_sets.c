/* The same fetches, edits and memory, for each of the data sets. */
#include "bench.h"
#include "fetches.h"
#include "groups.h"
#include "meter.h"
#include "names.h"
#include "report.h"
#include "side.h"

/* The two databases of the set that is being measured; created when they are first needed. */
struct files {
    struct path floor;
    struct path ours;
};
static struct files files;

static const struct files *files_of(const struct data_set *set)
{
    if (files.ours.text[0] == 0) {
        // Both are copies: the system may store a file that was written page by page differently.
        struct path made = make_data_set(set, large());
        files.floor = copy_of(made.text, "floor", large());
        files.ours = copy_of(made.text, "ours", large());
        remove_database(made);
    }
    return &files;
}

static void remove_files(void)
{
    if (files.ours.text[0] == 0) return;
    remove_database(files.floor);
    remove_database(files.ours);
    files.ours.text[0] = 0;
}

static void measure_fetch(const struct data_set *set)
{
    const char *what = "fetch";
    if (!wanted(what, large())) return;
    char select[SQL_SIZE];
    write_select(select, set);
    struct scan scan = {select, selected_types(set)};
    report_ratio(what, large(), compare_fetch(files_of(set)->ours.text, scan, list_of(set), 5), 0, 0);
}

/* What a side does in each run. */
struct job {
    struct side *side;
    struct meter *meter; /* NULL if nothing is counted */
    bool started;        /* the meter: a run is stopped before the next one, outside of its time */
    void (*choose)(struct side *);
    void (*write)(struct side *);
};

static void stop(struct job *job)
{
    if (job->started) stop_meter(job->meter);
    job->started = false;
}

static void choose(void *context)
{
    struct job *job = context;
    stop(job);
    job->choose(job->side);
    if (job->meter == NULL) return;
    start_meter(job->meter);
    job->started = true;
}

static void perform(void *context)
{
    struct job *job = context;
    job->write(job->side);
}

/* An edit, and the rows of the table that report it. */
struct edit_rows {
    const char *what;        /* the time compared with plain SQLite */
    const char *reads;       /* how many rows are read for each changed row: the mean; may be NULL */
    const char *most_reads;  /* the 99th percentile; NULL for edits with few runs */
    const char *held_before; /* the memory directly after the fetch; may be NULL */
    const char *held_after;  /* the memory after the edits; may be NULL */
    void (*prepare)(struct side *); /* called once; may be NULL */
    void (*choose)(struct side *);
    void (*write)(struct side *);
    struct plan plan;
    double must;
    double aim;
};

static const struct edit_rows renames = {
    .what = "rename one row",
    .reads = "rename one row: rows read for each",
    .most_reads = "rename one row: rows read, 99th percentile",
    .choose = choose_rename,
    .write = rename_one,
    .plan = {500, 4000, 20, 1},
    .must = 1.6,
    .aim = 1.3,
};

static const struct edit_rows inserts = {
    .what = "10,000 inserts, per row",
    .reads = "10,000 inserts: rows read for each",
    .choose = choose_inserts,
    .write = insert_many,
    .plan = {1, 5, 1, MANY},
    .must = 1.4,
    .aim = 1.2,
};

static const struct edit_rows cold_inserts = {
    .what = "10,000 inserts, file not in memory, per row",
    .choose = choose_inserts_in_cold_file,
    .write = insert_many,
    .plan = {1, 3, 1, MANY},
};

static const struct edit_rows bulk_renames = {
    .what = "10,000 renames in one statement, per row",
    .reads = "10,000 renames in one statement: rows read for each",
    .held_before = "memory held per row, after the fetch",
    .held_after = "memory held per row, after 80,000 renames",
    .prepare = prepare_renames,
    .choose = choose_renames,
    .write = rename_many,
    .plan = {1, 7, 1, MANY},
    .must = 1.5,
};

static void report_reads(const char *what, struct statistics reads, double measured)
{
    struct row row = {what, large(), {0, 0}, reads, ROWS_READ, measured, 2, 2};
    report(row);
}

static void report_edit(const struct edit_rows *edit, struct comparison times, struct meter *meter)
{
    struct statistics reads = statistics_of(meter->samples, meter->count);
    report_ratio(edit->what, large(), times, edit->must, edit->aim);
    if (edit->reads == NULL) return;
    report_reads(edit->reads, reads, meter->all_rows / meter->all_records);
    if (edit->most_reads != NULL) report_reads(edit->most_reads, reads, reads.p99);
}

static void report_held(const char *what, const struct data_set *set, fr_list *controller)
{
    if (what == NULL) return;
    fr_counters counters = {.struct_size = sizeof counters};
    ok(fr_controller_counters(&counters, controller));
    struct statistics key = {set->key->bytes, 0};
    struct statistics held = {(double)counters.bytes_held / (double)large(), 0};
    bool is_rowid = set->key->bytes == 8;
    struct row row = {what, large(), key, held, BYTES, held.p50, is_rowid ? 26 : 0, is_rowid ? 22 : 0};
    report(row);
}

static bool edit_is_wanted(const struct edit_rows *edit)
{
    const char *names[] = {edit->what, edit->reads, edit->most_reads, edit->held_before, edit->held_after};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (names[index] != NULL && wanted(names[index], large())) return true;
    }
    return false;
}

static struct comparison compare_edits(const struct edit_rows *edit, struct job *plain, struct job *ours)
{
    struct subject floor = {choose, perform, plain};
    struct subject observed = {choose, perform, ours};
    records_read = 0;
    struct comparison times = compare(floor, observed, edit->plan);
    stop(ours);
    // For names with ten values, one new value in ten equals the old one.
    double edits = (double)(edit->plan.warm_up + edit->plan.repetitions) * edit->plan.parts;
    if ((double)records_read < edits * 3 / 4) fail("changes were not delivered");
    return times;
}

/* The same number of runs again, without time measurement, on a list that was just fetched. */
static void count_reads(const struct edit_rows *edit, struct job *ours)
{
    ok(fr_list_perform_fetch(ours->meter->list));
    for (size_t run = 0; run < edit->plan.warm_up + edit->plan.repetitions; run++) {
        choose(ours);
        perform(ours);
    }
    stop(ours);
}

static void measure_edit(const struct data_set *set, const struct edit_rows *edit)
{
    if (!edit_is_wanted(edit)) return;
    struct side plain;
    struct side ours;
    struct meter meter;
    open_plain_side(&plain, set, large(), files_of(set)->floor.text);
    open_store_side(&ours, set, large(), files_of(set)->ours.text);
    if (edit->prepare != NULL) edit->prepare(&plain);
    if (edit->prepare != NULL) edit->prepare(&ours);
    fr_list *controller = fetch(ours.store, list_of(set));
    observe(controller);
    report_held(edit->held_before, set, controller);
    open_meter(&meter, controller, edit->plan.warm_up + edit->plan.repetitions);
    // Reading the counters before each edit of one row makes that edit slower.
    bool apart = edit->plan.parts == 1;
    struct job plain_job = {&plain, NULL, false, edit->choose, edit->write};
    struct job our_job = {&ours, apart ? NULL : &meter, false, edit->choose, edit->write};
    struct comparison times = compare_edits(edit, &plain_job, &our_job);
    report_held(edit->held_after, set, controller);
    our_job.meter = &meter;
    if (apart && edit->reads != NULL) count_reads(edit, &our_job);
    report_edit(edit, times, &meter);
    close_meter(&meter);
    fr_list_free(controller);
    delete_new_rows(&plain);
    delete_new_rows(&ours);
    close_side(&plain);
    close_side(&ours);
}

void measure_data_sets(void)
{
    const char *usual = data_name;
    for (int index = 0; index < DATA_SETS; index++) {
        const struct data_set *set = &data_sets[index];
        data_name = set->name;
        measure_fetch(set);
        measure_edit(set, &renames);
        measure_edit(set, &inserts);
        // Most other new rows are compared with no other row, so that no page is read for that.
        if (set->write_name == write_words) measure_edit(set, &cold_inserts);
        measure_edit(set, &bulk_renames);
        remove_files();
    }
    data_name = usual;
}
