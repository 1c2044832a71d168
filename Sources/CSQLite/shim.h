/* SQLite's header declares the preupdate hook, which Debian's build has, only with this macro. */
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <poll.h>
#include <sqlite3.h>
#include <sys/eventfd.h>
#include <sys/vfs.h>
#include <time.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import. */
static inline sqlite3_destructor_type fr_sqlite_transient(void)
{
    return SQLITE_TRANSIENT;
}

/*
 * Writes a real as SQLite turns it into text (https://www.sqlite.org/lang_expr.html#castexpr);
 * varargs do not import.
 */
static inline void fr_sqlite_text_of_real(char *text, int capacity, double real)
{
    sqlite3_snprintf(capacity, text, "%!.15g", real);
}

/*
 * Turns a setting of a connection on or off (https://www.sqlite.org/c3ref/db_config.html), and
 * returns a status; varargs do not import. A negative value only reads it.
 */
static inline int fr_sqlite_configure(sqlite3 *db, int setting, int value, int *out)
{
    return sqlite3_db_config(db, setting, value, out);
}

/* A virtual table of rowids and its cursor, which begin as SQLite wants them to. */
struct fr_rowid_table {
    sqlite3_vtab base;
    void *rowids;
};

struct fr_rowid_cursor {
    sqlite3_vtab_cursor base;
    const sqlite3_int64 *next;
    const sqlite3_int64 *end;
};

/*
 * A word of memory that other processes write, such as the index of a write-ahead log; reads after
 * this one see data at least as new.
 */
static inline unsigned int fr_shared_word(const volatile void *memory, long index)
{
    return __atomic_load_n((const volatile unsigned int *)memory + index, __ATOMIC_ACQUIRE);
}

/* A counter that never blocks, and that programs which this one starts do not have. */
static inline int fr_eventfd(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* The number of a file's file system (statfs in Linux's manual); -1 if it is unknown. */
static inline long fr_file_system(const char *path)
{
    struct statfs found;
    return statfs(path, &found) == 0 ? (long)found.f_type : -1;
}

/* As poll, for a number of nanoseconds; without a limit if it is negative. */
static inline int fr_poll(struct pollfd *requests, unsigned long count, long long nanoseconds)
{
    struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    return ppoll(requests, count, nanoseconds < 0 ? 0 : &limit, 0);
}
