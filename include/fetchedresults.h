/*
 * FetchedResults: live, sorted, sectioned lists over SQLite, with every change told exactly.
 *
 * This header includes the whole interface. The rules that hold for all of it:
 *
 * Handles. Every `fr_...` object is an opaque handle. A handle that is NULL, was freed, or belongs to another type is
 *   never followed: the call answers FR_MISUSE. Freeing NULL does nothing.
 * Results. A function that can fail returns fr_status; its results go through the `out` parameters, which come first
 *   and are written only on success. What went wrong is told by fr_error_message() and its sisters.
 * Memory. SQLite's failures to allocate are FR_NO_MEMORY. Where the library itself can't allocate, the process ends.
 * Structures. One that begins with `struct_size` may get more members at its end in later versions. Set `struct_size`
 *   to its sizeof and everything else to zero before setting anything. A program that was compiled against an earlier,
 *   smaller version goes on working: members that it does not have are taken as zero, which is the default. One that
 *   was compiled against a later, larger version works as long as the members that the library does not know are zero;
 *   otherwise it gets
 *   FR_RANGE. FR_RANGE is also the answer to a size below that of the first version, above 4,096, or that no version
 *   can have. The layout of all other structures is fixed.
 * Strings. In: UTF-8, NUL-terminated, copied before the call returns. Out: UTF-8, borrowed; each function says until
 * when.
 * Threads. A store and everything that comes from it is used by one thread at a time. Different stores may be used by
 *   different threads at once. Callbacks run on the thread whose call caused them, never on one of the library's own.
 * Callbacks. A callback comes with `user_data` and an optional `destroy`, which is called exactly once with the
 *   `user_data`: when the callback is removed, when its owner is freed, or at once if registering it fails.
 */
#ifndef FETCHEDRESULTS_H
#define FETCHEDRESULTS_H

#include "fetchedresults/base.h"
#include "fetchedresults/value.h"
#include "fetchedresults/object.h"
#include "fetchedresults/store.h"
#include "fetchedresults/statement.h"
#include "fetchedresults/history.h"
#include "fetchedresults/request.h"
#include "fetchedresults/changes.h"
#include "fetchedresults/list.h"
#include "fetchedresults/controller.h"
#include "fetchedresults/section_map.h"
#include "fetchedresults/collection.h"
#include "fetchedresults/coordinator.h"
#include "fetchedresults/data_source.h"
#include "fetchedresults/entity_list.h"

#endif
