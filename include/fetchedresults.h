/*
 * FetchedResults: live, sorted, sectioned lists over SQLite, with exact change records.
 *
 * This header includes the whole interface except what views need, which
 * <fetchedresults/views.h> adds. These rules hold for all of it:
 *
 * Handles. Every `fr_...` object is an opaque handle. The library never follows a handle that is
 *   NULL, was freed, or belongs to another type: the call returns FR_MISUSE. Freeing NULL does
 *   nothing.
 * Results. A function that can fail returns fr_status. Its results go through the `out` parameters,
 *   which come first and are written only on success. fr_error_message() and the other fr_error_
 *   functions describe the failure.
 * Memory. A failed allocation in SQLite is reported as FR_NO_MEMORY. A failed allocation in the
 *   library itself ends the process.
 * Structures. One that begins with `struct_size` may get more members at its end in later versions.
 *   Set `struct_size` to its sizeof and everything else to zero before setting anything. A program
 *   that was compiled against an earlier, smaller version continues to work: members that it does
 *   not have are taken as zero, which is the default. One that was compiled against a later, larger
 *   version works as long as the members that the library does not have are zero; otherwise the
 *   call returns FR_RANGE. A size that no version can have is also FR_RANGE, for example one
 *   smaller than in the first version, or above 4,096. The layout of all other structures is fixed.
 * Strings. In: UTF-8, NUL-terminated, copied before the call returns. Out: UTF-8, borrowed for as
 *   long as the function's comment says.
 * Threads. One thread at a time uses a store and everything that comes from it. Different threads
 *   may use different stores at the same time. Callbacks run on the thread whose call caused them,
 *   never on one of the library's own.
 * Callbacks. A callback is registered with `user_data` and an optional `destroy`. The library calls
 *   `destroy` exactly once with the `user_data`: when the callback is removed, when its owner is
 *   freed, or immediately if the registration fails.
 */
#ifndef FETCHEDRESULTS_H
#define FETCHEDRESULTS_H

#include "fetchedresults/base.h"
#include "fetchedresults/value.h"
#include "fetchedresults/object.h"
#include "fetchedresults/store.h"
#include "fetchedresults/statement.h"
#include "fetchedresults/function.h"
#include "fetchedresults/dispatch.h"
#include "fetchedresults/history.h"
#include "fetchedresults/undo.h"
#include "fetchedresults/request.h"
#include "fetchedresults/changes.h"
#include "fetchedresults/list.h"
#include "fetchedresults/controller.h"
#include "fetchedresults/section_map.h"
#include "fetchedresults/collection.h"
#include "fetchedresults/window.h"

#endif
