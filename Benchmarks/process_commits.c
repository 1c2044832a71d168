/*
 * Another process commits. Measures the time until the callback has run in this process, which
 * waits for the store's descriptor, and how much following it slows the other process.
 */
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "groups.h"
#include "plain_follower.h"
#include "report.h"
#include "writer_process.h"

/* Between two commits: the processor's caches have other contents after the long pause. */
enum { SHORT_PAUSE_US = 100, PAUSE_US = 2000 };

enum { GENEROUS_MS = 10000, MOST_SAMPLES = 2000 };

struct follower {
    fr_store *store;
    fr_list *controller;
    int descriptor;
    bool is_delivered;
    double delivered; /* when the callback had read the records */
};

static void note_delivery(fr_list *controller, fr_change_set *changes, void *user_data)
{
    (void)controller;
    (void)changes;
    struct follower *follower = user_data;
    follower->is_delivered = true;
    follower->delivered = nanoseconds_now();
}

static void open_follower(struct follower *follower, struct path path)
{
    follower->store = open_store(path.text);
    follower->controller = fetch(follower->store, items_by_name);
    observe(follower->controller);
    fr_observer observer = {.struct_size = sizeof observer, .did_deliver = note_delivery};
    ok(fr_list_add_observer(NULL, follower->controller, &observer, follower, NULL));
    ok(fr_store_file_descriptor(&follower->descriptor, follower->store));
    ok(fr_store_dispatch(follower->store));
}

static void close_follower(struct follower *follower)
{
    fr_list_free(follower->controller);
    ok(fr_store_close(follower->store));
}

/* Waits for the descriptor and dispatches. */
static void follow_once(struct follower *follower)
{
    struct pollfd waited = {.fd = follower->descriptor, .events = POLLIN};
    if (poll(&waited, 1, GENEROUS_MS) != 1) fail("the commit of another process was not noticed");
    ok(fr_store_dispatch(follower->store));
}

/* Nanoseconds from the return of the other process's COMMIT until the callback has run. */
static double time_until_callback(struct follower *follower, struct writer_process *writer, struct order order,
                                  useconds_t pause)
{
    // The other process, and the thread that waits for it, must be asleep again.
    usleep(pause);
    follower->is_delivered = false;
    order_commits(writer, order);
    while (!follower->is_delivered) follow_once(follower);
    return follower->delivered - wait_for_commits(writer).ended;
}

/* The same for the least that a program can do. */
static double time_until_read(struct plain_follower *follower, struct writer_process *writer, struct order order,
                              int64_t rows)
{
    usleep(PAUSE_US);
    order_commits(writer, order);
    follow_plainly(follower, (int64_t)(next_random() % (uint64_t)rows) + 1);
    double read = nanoseconds_now();
    double ended = wait_for_commits(writer).ended;
    clear_notices(follower);
    return read - ended;
}

static struct statistics measure_plainly(int64_t rows, struct order order, size_t repetitions)
{
    static double samples[MOST_SAMPLES];
    struct path path = copy_of_items(rows, "process");
    struct writer_process writer;
    start_writer_process(&writer, path, rows, RENAME);
    // Makes the log.
    order_commits(&writer, order);
    wait_for_commits(&writer);
    struct plain_follower follower;
    open_plain_follower(&follower, path);
    for (size_t index = 0; index < repetitions; index++) {
        samples[index] = time_until_read(&follower, &writer, order, rows);
    }
    close_plain_follower(&follower);
    end_writer_process(&writer);
    return statistics_of(samples, repetitions);
}

/* The time per renamed row. */
static struct statistics measure_commits(int64_t rows, struct order order, size_t repetitions, useconds_t pause)
{
    enum { WARM_UP = 50 };
    static double samples[MOST_SAMPLES];
    struct path path = copy_of_items(rows, "process");
    struct writer_process writer;
    start_writer_process(&writer, path, rows, RENAME);
    struct follower follower;
    open_follower(&follower, path);
    for (int index = 0; index < WARM_UP; index++) time_until_callback(&follower, &writer, order, pause);
    for (size_t index = 0; index < repetitions; index++) {
        samples[index] = time_until_callback(&follower, &writer, order, pause) / (double)order.rows;
    }
    close_follower(&follower);
    end_writer_process(&writer);
    return statistics_of(samples, repetitions);
}

static void measure_one_row(const char *what, const char *p99, int64_t rows, struct statistics *out)
{
    struct order order = {1, 1, true, 0};
    struct statistics floor = measure_plainly(rows, order, MOST_SAMPLES / 2);
    *out = measure_commits(rows, order, MOST_SAMPLES, PAUSE_US);
    struct row median = {what, rows, floor, *out, NANOSECONDS, out->p50, 150e3, 100e3};
    struct row slowest = {p99, rows, floor, *out, NANOSECONDS, out->p99, 1e6, 1e6};
    report(median);
    report(slowest);
}

static void measure_short_pause(const char *what, int64_t rows)
{
    struct order order = {1, 1, true, 0};
    struct statistics times = measure_commits(rows, order, MOST_SAMPLES, SHORT_PAUSE_US);
    struct row row = {what, rows, {0, 0}, times, NANOSECONDS, times.p50, 150e3, 100e3};
    report(row);
}

static void measure_many_rows(const char *what, int64_t rows, bool is_scattered)
{
    struct order order = {1, 1000, is_scattered, 0};
    struct statistics times = measure_commits(rows, order, 100, PAUSE_US);
    struct row row = {what, rows, {0, 0}, times, NANOSECONDS, times.p50, 12e3, 12e3};
    report(row);
}

/* Nanoseconds for each of many commits, one after the other. */
struct cost {
    double passed;
    double processor; /* of the writer */
};

static struct cost cost_of_commits(struct writer_process *writer, struct follower *follower, int64_t transactions)
{
    struct order order = {transactions, 1, true, 0};
    order_commits(writer, order);
    struct pollfd waited[] = {{.fd = writer->answers, .events = POLLIN},
                              {.fd = follower == NULL ? -1 : follower->descriptor, .events = POLLIN}};
    while (true) {
        if (poll(waited, 2, GENEROUS_MS) < 1) fail("the other process does not answer");
        if (waited[1].revents != 0) ok(fr_store_dispatch(follower->store));
        if (waited[0].revents != 0) break;
    }
    struct commit_times times = wait_for_commits(writer);
    struct cost cost = {(times.ended - times.began) / (double)transactions, times.processor / (double)transactions};
    return cost;
}

enum { TURNS = 150, PER_TURN = 600 };

/* One kind of cost in turns without a follower and with one. */
struct turns {
    double alone[TURNS];
    double followed[TURNS];
    double ratios[TURNS];
};

static void note_turn(struct turns *turns, int turn, double alone, double followed)
{
    turns->alone[turn] = alone;
    turns->followed[turn] = followed;
    turns->ratios[turn] = followed / alone;
}

/*
 * The median of the ratios of turns that follow each other: what else the machine does changes from
 * turn to turn, but less within a pair. The 95 % confidence interval of the median lies between the
 * ratios whose ranks are about the square root of the number of turns away from its own.
 */
static void report_turns(const char *what, const char *low, const char *high, int64_t rows, struct turns *turns)
{
    enum { RANKS = 12 }; /* 1.96 / 2 * sqrt(TURNS) */
    struct statistics alone = statistics_of(turns->alone, TURNS);
    struct statistics followed = statistics_of(turns->followed, TURNS);
    struct statistics ratios = statistics_of(turns->ratios, TURNS);
    struct row median = {what, rows, alone, followed, RATIO, ratios.p50, 1.01, 1};
    struct row lowest = {low, rows, alone, followed, RATIO, turns->ratios[TURNS / 2 - RANKS], 0, 0};
    struct row highest = {high, rows, alone, followed, RATIO, turns->ratios[TURNS / 2 + RANKS], 0, 0};
    report(median);
    report(lowest);
    report(highest);
}

/* Without a follower and with a store that follows, alternately. */
static void measure_slowdown(const char *what, int64_t rows)
{
    static struct turns passed, processor;
    struct path path = copy_of_items(rows, "process");
    struct writer_process writer;
    start_writer_process(&writer, path, rows, RENAME);
    cost_of_commits(&writer, NULL, PER_TURN);
    for (int turn = 0; turn < TURNS; turn++) {
        struct cost alone = cost_of_commits(&writer, NULL, PER_TURN);
        struct follower follower;
        open_follower(&follower, path);
        struct cost followed = cost_of_commits(&writer, &follower, PER_TURN);
        close_follower(&follower);
        note_turn(&passed, turn, alone.passed, followed.passed);
        note_turn(&processor, turn, alone.processor, followed.processor);
    }
    end_writer_process(&writer);
    report_turns(what, "the same, 95 % confidence from", "the same, 95 % confidence to", rows, &passed);
    report_turns("the same, processor time of that process", "the same, 95 % confidence from",
                 "the same, 95 % confidence to", rows, &processor);
}

static double log_bytes(struct path path)
{
    char log[PATH_LENGTH + 4];
    struct stat status;
    snprintf(log, sizeof log, "%s-wal", path.text);
    return stat(log, &status) == 0 ? (double)status.st_size : 0;
}

static void follow_until_answer(struct writer_process *writer, struct follower *follower, struct path path,
                                double *longest_log)
{
    struct pollfd waited[] = {{.fd = writer->answers, .events = POLLIN},
                              {.fd = follower->descriptor, .events = POLLIN}};
    while (true) {
        if (poll(waited, 2, GENEROUS_MS) < 1) fail("the other process does not answer");
        if (waited[1].revents != 0) ok(fr_store_dispatch(follower->store));
        double bytes = log_bytes(path);
        if (bytes > *longest_log) *longest_log = bytes;
        if (waited[0].revents != 0) break;
    }
    wait_for_commits(writer);
    ok(fr_store_dispatch(follower->store));
}

/* The names of the three rows that are measured. */
struct stream {
    enum edit edit;
    const char *reported;
    const char *reread;
    const char *log;
};

/* Another process commits at a rate, without a pause in which the log could be restarted. */
static void measure_stream(const struct stream *stream, int64_t rows)
{
    enum { PER_SECOND = 2000, SECONDS = 10 };
    struct order order = {PER_SECOND * SECONDS, 1, true, PER_SECOND};
    struct path path = copy_of_items(rows, "process");
    struct writer_process writer;
    struct follower follower;
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    fr_counters list = {.struct_size = sizeof list};
    double bytes = 0;
    start_writer_process(&writer, path, rows, stream->edit);
    open_follower(&follower, path);
    order_commits(&writer, order);
    follow_until_answer(&writer, &follower, path, &bytes);
    ok(fr_store_foreign_counters(&counters, follower.store));
    ok(fr_controller_counters(&list, follower.controller));
    double commits = (double)order.transactions, found = (double)counters.rows;
    double rereads = (double)list.rereads[FR_REREAD_FOREIGN];
    struct row records = {stream->reported, rows, {commits, commits}, {found, found}, ROWS_READ, found / commits, 0, 0};
    struct row reads = {stream->reread, rows, {0, 0}, {rereads, rereads}, ROWS_READ, rereads, 1, 0};
    struct row length = {stream->log, rows, {0, 0}, {bytes, bytes}, BYTES, bytes, 64 << 20, 0};
    report(records);
    report(reads);
    report(length);
    close_follower(&follower);
    end_writer_process(&writer);
}

void measure_process_commits(void)
{
    const char *one = "commit of one row by a process, until the callback";
    const char *soon = "commit of one row by a process, 0.1 ms after another";
    const char *p99 = "the same, 99th percentile";
    const char *growth = "the same against that at 10,000 rows";
    const char *many = "commit of 1,000 rows by a process, per row";
    const char *scattered = "commit of 1,000 scattered rows by a process, per row";
    const char *slowdown = "commits of a process that is followed";
    static const struct stream streams[] = {
        {CHANGE_RANK, "2,000 commits a second for 10 s: reported", "the same: times that the list was read again",
         "the same: longest log"},
        {RENAME, "2,000 renames a second for 10 s: reported", "the same: times that the list was read again",
         "the same: longest log"},
    };
    struct statistics small = {0, 0};
    struct statistics big = {0, 0};
    if (wanted(one, 10000)) measure_one_row(one, p99, 10000, &small);
    if (wanted(one, large())) measure_one_row(one, p99, large(), &big);
    if (small.p50 > 0 && big.p50 > 0) {
        struct comparison times = {small, big};
        report_ratio(growth, large(), times, 1.5, 1);
    }
    if (wanted(soon, large())) measure_short_pause(soon, large());
    if (wanted(many, large())) measure_many_rows(many, large(), false);
    if (wanted(scattered, large())) measure_many_rows(scattered, large(), true);
    for (int index = 0; index < 2; index++) {
        if (wanted(streams[index].reported, large())) measure_stream(&streams[index], large());
    }
    if (wanted(slowdown, 100000)) measure_slowdown(slowdown, 100000);
}
