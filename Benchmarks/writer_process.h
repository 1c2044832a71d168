/* A writer that is another process. */
#ifndef WRITER_PROCESS_H
#define WRITER_PROCESS_H

#include <sys/types.h>

#include "database.h"
#include "writer.h"

struct shared_times;

struct writer_process {
    pid_t pid;
    int orders;  /* to it */
    int answers; /* from it, when they are committed */
    struct shared_times *times;
};

/*
 * Starts it. Call it while this process has no connection to the file: SQLite's are not to be carried across fork.
 * rows: how many items there are.
 */
void start_writer_process(struct writer_process *writer, struct path path, int64_t rows);
void end_writer_process(struct writer_process *writer);

/* Has it commit; does not wait for that. */
struct order {
    int64_t transactions; /* one after the other */
    int64_t rows;         /* that each renames */
    bool is_scattered;    /* each row by random choice; else rows whose ids follow one another */
};
void order_commits(struct writer_process *writer, struct order order);

/* Waits until it has, and returns when it began, and when its last COMMIT returned, on the clock of all processes. */
struct commit_times {
    double began;
    double ended;
};
struct commit_times wait_for_commits(struct writer_process *writer);

#endif
