@_exported public import FetchedResults

extension LiveList {
    /// The change sets of all deliveries from now on.
    ///
    /// They wait without a limit until the task takes them. Replayed one after another they lead
    /// from the list that the program saw when it got the stream to the present one. By the time
    /// that a task takes a change set, the list may show later ones, so that its paths are not
    /// the list's; `changes(_:)` passes on what was read in the delivery.
    ///
    /// As for observers, a fetch makes no change set. The stream does not dispatch: commits of
    /// other connections come when the program calls `Store.dispatch`.
    public var changes: ListStream<ChangeSet> { changes(\.changeSet) }

    /// The change sets of all deliveries from now on, where the ones that the task has not taken
    /// yet wait as one: by `ChangeSet.followed(by:)`, or as a reload if the list was fetched
    /// between them. For a task that shows only the present list, and may be slower than the
    /// deliveries.
    public var mergedChanges: ListStream<ChangeSet> {
        StreamFeed.stream { feed in
            var fetchCount = fetchCount
            return observe { [weak self] changes in
                let isFetched = self?.fetchCount != fetchCount
                fetchCount = self?.fetchCount ?? fetchCount
                feed.add(changes.changeSet) {
                    isFetched ? .reload(from: [$0.origin, $1.origin, .fetch]) : $0.followed(by: $1)
                }
            } ended: {
                feed.finish()
            }
        }
    }

    /// The results of a function for the changes of all deliveries from now on. It is called during
    /// the delivery, on the list's thread, where it may read objects, for instance by
    /// `ListChanges.snapshot`. Its results wait without a limit until the task takes it.
    ///
    /// - Parameter make: Called as the closure of `LiveList.observe` is.
    public func changes<Element: Sendable>(_ make: @escaping (ListChanges) -> Element) -> ListStream<Element> {
        StreamFeed.stream { feed in
            observe {
                feed.add(make($0))
            } ended: {
                feed.finish()
            }
        }
    }

    /// The failures from now on of following commits, as for `FetchedResultsObserver`. None ends
    /// the stream.
    public var failures: ListStream<StoreError> {
        StreamFeed.stream { feed in
            observe { _ in
            } failed: {
                feed.add($0)
            } ended: {
                feed.finish()
            }
        }
    }
}
