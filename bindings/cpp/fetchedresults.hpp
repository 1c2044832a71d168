// FetchedResults for C++17: the C interface with handles that free themselves, exceptions, and
// lambdas as callbacks.
//
// This header includes all of it except coordinators, data sources and entity lists, which
// fetchedresults/views.hpp adds, and the models for Qt. It needs nothing but the C headers, which
// are the reference for what each function does; docs/cpp.md is a tour.
//
// Handles. A class that owns a handle can be moved, not copied, and frees it in its destructor.
//   Objects and change sets are counted references, and can be copied as well. handle() gives the C
//   handle, for what is not wrapped.
// Errors. A call that fails throws an Error. A result that is not a failure, such as a missing row,
// is an empty optional.
// Callbacks. An exception that a callback throws is thrown again by the call that made the
//   callback: the one that committed or dispatched, say. Everyone else is notified before. Of
//   several exceptions the first one counts. One that no call of this interface could throw, as the
//   program called C or a destructor, is thrown by the thread's next call, which then does nothing
//   else.
// Lifetimes. A Value, a string_view and a Change borrow from the thing that was asked, as the C
// reference says.
#ifndef FETCHEDRESULTS_HPP
#define FETCHEDRESULTS_HPP

#include "fetchedresults/error.hpp"
#include "fetchedresults/value.hpp"
#include "fetchedresults/object.hpp"
#include "fetchedresults/store.hpp"
#include "fetchedresults/request.hpp"
#include "fetchedresults/changes.hpp"
#include "fetchedresults/list.hpp"
#include "fetchedresults/controller.hpp"
#include "fetchedresults/section_map.hpp"
#include "fetchedresults/collection.hpp"
#include "fetchedresults/window.hpp"

#endif
