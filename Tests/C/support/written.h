/*
 * The system calls that change a database file, its log or its journal. Functions of this program
 * take the place of the C library's, for all libraries that it loads.
 */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "text.h"

/*
 * Notes the calls for the files whose paths begin with `path`, one a line: what follows `path` in
 * the file's name, the call, where, how many bytes, and a hash of the bytes. The index of a log,
 * which is shared memory, is left out. The disk is not waited for. NULL: notes nothing more. One
 * thread at a time writes the files.
 */
void note_written(struct text *calls, const char *path);

#endif
