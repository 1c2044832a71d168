/*
 * The checkpoints that this process begins, by the locks that it takes on the index of a log
 * (https://www.sqlite.org/walformat.html#wal_locks). A function of this program takes the place of
 * the C library's, for all libraries that it loads.
 */
#ifndef LOG_LOCKS_H
#define LOG_LOCKS_H

struct checkpoints {
    int held;   /* begun while the process had a read mark above 0, so that nobody could restart the log */
    int unheld; /* begun without one */
};

/*
 * Counts the checkpoints of the database at `path`, from before its first connection on. NULL:
 * counts no more.
 */
void count_checkpoints(struct checkpoints *counts, const char *path);

#endif
