#include "limits.h"

#include <string.h>

#include "bench.h"

/*
 * By the beginning of a row's name; the longest one counts. The shares are those that perf
 * measures with call graphs.
 */
static const struct {
    const char *beginning;
    const char *limit;
} limits[] = {
    {"fetch", "SQLite's steps; then ids for text and composite keys, else encoding keys"},
    {"fetch, covering index", "SQLite's steps (two thirds), encoding and hashing keys, taking values"},
    {"fetch, covering index, scattered ids", "SQLite's steps (60 %), the hash table of the ids (15 %)"},
    {"fetch, in the order of the rowid", "SQLite's steps (three quarters), taking values"},
    {"fetch, cached by name", "the checksum of the file, and copying its leaves"},
    {"fetch, cached by name before a commit", "the checksum of the file, and copying its leaves"},
    {"fetch, no usable index", "SQLite's steps, sorting the encoded keys"},
    {"first letter of a search", "one look into the map of ids for each row that leaves, SQLite's steps"},
    {"end of a search", "reading all rows as a fetch does"},
    {"rename one row", "reading the row again, counting references, following other writers"},
    {"rename one row, file: added", "misses of the processor's cache"},
    {"rename one row, memory: added", "misses of the processor's cache"},
    {"rename one row, file, all four callbacks", "reading the row again, counting references"},
    {"rename one row, file, with a history", "the triggers of the history"},
    {"rename one row: rows read", "keys that differ only after the bytes that leaves keep"},
    {"row moves to another section", "reading the row again, counting references"},
    {"window of 100 in the middle: fetch", "SQLite's steps over the rows before the window"},
    {"totals of sections", "reading the row before and after, changing and reporting the section"},
    {"groups: rename one row", "evaluating the row before and after, writing the group"},
    {"groups: another rank", "evaluating the row before and after, writing the group"},
    {"groups: fetch", "reading the rows"},
    {"memory allocated per group", "the database in memory that has the groups"},
    {"search with ", "reading the document again, and indexing it in memory"},
    {"search with 130,000 matches: fetch", "SQLite's steps"},
    {"search with 130,000 matches: foreign commit of one document", "the read transaction, comparing the log's pages"},
    {"search with 130,000 matches: insert into another table", "nothing: the list is not read"},
    {"window of 100 in the middle: rename", "reading the row again, and the row that enters"},
    {"10,000 windows on a list", "searching the place of a change among the windows: misses of the processor's cache"},
    {"one more window of 50 rows", "searching its place among the windows: misses of the processor's cache"},
    {"a window of 50 rows", "the objects of a window: its observers, rows and handle"},
    {"section of ", "reading the section's row again, the change set of the map"},
    {"collection of 1,000 lists, added to a read", "the search for the list in the collection"},
    {"collection of 1,000 lists, added to a change", "the collection's own change set"},
    {"10,000 inserts", "reading the rows again and encoding their keys (half)"},
    {"10,000 inserts, file not in memory", "reading pages: for the inserts, and of rows to compare with"},
    {"10,000 inserts: rows read", "keys that differ only after the bytes that leaves keep"},
    {"10,000 renames in one statement", "reading the rows again, misses of the processor's cache"},
    {"10,000 renames in one statement: rows read", "keys that differ only after the bytes that leaves keep"},
    {"opening a list of 20 rows, the first of its kind", "preparing about thirty statements"},
    {"opening a list of 20 rows, one more of its kind", "reading the versions of schema and data (half)"},
    {"1,000 lists: added per unaffected list", "nothing: lists are searched by value"},
    {"1,000 lists: added per affected list", "computing and reporting each list's change"},
    {"100,000 lists: added to a change", "misses of the processor's cache"},
    {"100,000 lists of ranges: added to a change", "the search among the ranges, misses of the processor's cache"},
    {"100,000 lists: memory", "the objects of a list: its engine, controller, rows and handle"},
    {"memory held per row", "id, hash and mark of a row (18 bytes), the map of ids (4), identities"},
    {"memory allocated per row", "id, hash and mark of a row (18 bytes), the map of ids (4), identities"},
    {"object at index path, in the cache", "counting references"},
    {"object at index path, batch of 20 read", "SQLite (three quarters), half of that reading pages"},
    {"loading the library", "relocating the library and the Swift runtime in it"},
    {"foreign commit of one row", "the read transaction, comparing the log's pages"},
    {"foreign commit of one row, a view of expressions", "the read transaction, comparing the log's pages"},
    {"foreign commit of one row, by a history", "SQL on the table of the history"},
    {"foreign commit of one row, all rows read", "reading the list as a fetch does (95 %)"},
    {"another file at the path, a row in 1,000 differs", "reading the list as a fetch does"},
    {"commit of one row by a process", "waking two threads, a dispatch with cold caches"},
    {"the same, 99th percentile", "delays of the scheduler"},
    {"the same, 95 % confidence", "the number of turns"},
    {"the same, processor time of that process", "checkpoints, of which the follower makes a part"},
    {"the same against that at 10,000 rows", "misses of the processor's cache"},
    {"commit of 1,000 rows by a process", "reading each row before and after"},
    {"commit of 1,000 scattered rows by a process", "reading both states of a page for each row"},
    {"2,000 ", "nothing: each commit is followed"},
    {"the same: times that", "commits between which the log can't be written back as a whole"},
    {"the same: longest log", "commits between which the log can't be written back as a whole"},
    {"commits of a process that is followed", "the share of two processors that the follower takes"},
};

const char *limit_of(const char *what)
{
    const char *limit = NULL;
    size_t longest = 0;
    for (size_t index = 0; index < sizeof limits / sizeof *limits; index++) {
        size_t length = strlen(limits[index].beginning);
        if (length <= longest || strncmp(what, limits[index].beginning, length) != 0) continue;
        limit = limits[index].limit;
        longest = length;
    }
    if (limit == NULL) fail("limits.c does not state what limits %s", what);
    return limit;
}
