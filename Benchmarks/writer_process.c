#include "writer_process.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared_times {
    struct commit_times last;
};

static void commit(struct plain_writer *writer, struct order order)
{
    int64_t first = (int64_t)(next_random() % (uint64_t)(writer->choice.count - order.rows + 1)) + 1;
    run(writer->begin);
    for (int64_t row = 0; row < order.rows; row++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        int64_t id = order.is_scattered ? (int64_t)(next_random() % (uint64_t)writer->choice.count) + 1 : first + row;
        sqlite3_bind_text(writer->update, 1, name, NAME_LENGTH, SQLITE_STATIC);
        sqlite3_bind_int64(writer->update, 2, id);
        run(writer->update);
    }
    run(writer->commit);
}

static double processor_nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void wait_until(double time)
{
    double left = time - nanoseconds_now();
    if (left > 0) usleep((useconds_t)(left / 1000));
}

/* Runs until the pipe of orders is closed. */
static void obey(int orders, int answers, struct shared_times *times, struct path path, int64_t rows, enum edit edit)
{
    struct choice all = {NULL, rows, NULL};
    struct plain_writer writer;
    open_plain_writer(&writer, open_database(path.text), edit, all);
    struct order order;
    while (read(orders, &order, sizeof order) == sizeof order) {
        double processor = processor_nanoseconds();
        times->last.began = nanoseconds_now();
        for (int64_t index = 0; index < order.transactions; index++) {
            if (order.per_second > 0) wait_until(times->last.began + (double)index * 1e9 / order.per_second);
            commit(&writer, order);
        }
        times->last.ended = nanoseconds_now();
        times->last.processor = processor_nanoseconds() - processor;
        if (write(answers, "", 1) != 1) fail("can't answer");
    }
    close_plain_writer(&writer);
}

void start_writer_process(struct writer_process *writer, struct path path, int64_t rows, enum edit edit)
{
    int orders[2];
    int answers[2];
    writer->times = mmap(NULL, sizeof *writer->times, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (writer->times == MAP_FAILED || pipe(orders) != 0 || pipe(answers) != 0) fail("can't start a process");
    writer->pid = fork();
    if (writer->pid < 0) fail("can't start a process");
    if (writer->pid == 0) {
        close(orders[1]);
        close(answers[0]);
        obey(orders[0], answers[1], writer->times, path, rows, edit);
        // The parent process owns the directory of databases.
        _exit(0);
    }
    close(orders[0]);
    close(answers[1]);
    writer->orders = orders[1];
    writer->answers = answers[0];
}

void end_writer_process(struct writer_process *writer)
{
    int status;
    close(writer->orders);
    close(writer->answers);
    if (waitpid(writer->pid, &status, 0) != writer->pid || status != 0) fail("the other process failed");
    munmap(writer->times, sizeof *writer->times);
}

void order_commits(struct writer_process *writer, struct order order)
{
    if (write(writer->orders, &order, sizeof order) != sizeof order) fail("the other process has ended");
}

struct commit_times wait_for_commits(struct writer_process *writer)
{
    char answer;
    if (read(writer->answers, &answer, 1) != 1) fail("the other process has ended");
    return writer->times->last;
}
