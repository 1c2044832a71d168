// A store in Qt's event loop.
#ifndef FETCHEDRESULTS_QT_DISPATCHER_HPP
#define FETCHEDRESULTS_QT_DISPATCHER_HPP

#include <QSocketNotifier>

#include "store.hpp"

namespace fetchedresults::qt {

// Dispatches a store whenever it has something to deliver: commits of other connections and
// processes, own commits of a queued store, and the end of fetches in the background. The store has
// to outlive it.
class Dispatcher {
  public:
    // on_error: receives what a dispatch fails with.
    explicit Dispatcher(Store &store, std::function<void(const Error &)> on_error = {})
        : notifier_(store.file_descriptor(), QSocketNotifier::Read)
    {
        QObject::connect(&notifier_, &QSocketNotifier::activated, &notifier_, [&store, on_error = std::move(on_error)] {
            try {
                store.dispatch();
            } catch (const Error &error) {
                if (on_error) {
                    on_error(error);
                }
            }
        });
    }

  private:
    QSocketNotifier notifier_;
};

} // namespace fetchedresults::qt

#endif
