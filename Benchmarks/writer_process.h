/* A writer that is another process. */
#ifndef WRITER_PROCESS_H
#define WRITER_PROCESS_H

#include <sys/types.h>

#include "database.h"
#include "writer.h"

struct shared_times;

struct writer_process {
    pid_t pid;
    int orders;  /* to the writer */
    int answers; /* from the writer, after its commits */
    struct shared_times *times;
};

/*
 * Starts the writer. Call it while this process has no connection to the file: SQLite's connections
 * must not be carried across fork. rows: the number of items. edit: of items.
 */
void start_writer_process(struct writer_process *writer, struct path path, int64_t rows, enum edit edit);
void end_writer_process(struct writer_process *writer);

/* Makes the writer commit, without waiting for it. */
struct order {
    int64_t transactions; /* one after the other */
    int64_t rows;         /* the number that each transaction edits */
    bool is_scattered;    /* a random choice of rows; else rows with successive ids */
    double per_second;    /* how many transactions; 0: as many as possible */
};
void order_commits(struct writer_process *writer, struct order order);

/*
 * Waits for the commits. Returns when the first began and the last COMMIT returned, on the clock of
 * all processes, and how long a processor worked for the writer meanwhile, in its own code or in
 * the kernel.
 */
struct commit_times {
    double began;
    double ended;
    double processor;
};
struct commit_times wait_for_commits(struct writer_process *writer);

#endif
