internal import ChangeSets
internal import SQLiteKit

/// Second and third phase of a delivery: telling, switching, telling.
extension FetchedResultsController {
    /// Called when a round has been prepared without failure.
    func didPrepare() {
        failure = nil
        if let subscription { store.subscriptions.setEager(subscription, false) }
    }

    /// Notes that the list could not be brought up to date; true if this begins now.
    func noteFailure(_ error: StoreError) -> Bool {
        defer { failure = error }
        if let subscription { store.subscriptions.setEager(subscription, true) }
        return failure == nil
    }

    func tellFailure(_ error: StoreError) { tell { $0.controller(self, didFail: error) } }

    func tellWillChange() {
        // One that is added from now on takes part from the next round on.
        observersOfRound = observers.ids
        guard let pending, !pending.changes.changeSet.isEmpty else { return }
        tell { $0.controllerWillChangeContent(self) }
    }

    /// The list to read from: in the second phase the old one.
    func shownList() throws -> List {
        if store.isClosed { throw StoreError(.closed, "the store is closed") }
        guard let list else { throw StoreError(.notFetched, "the controller has not fetched yet") }
        if case .edit(var edit, false) = pending?.form {
            try edit.revert()
            pending?.form = .edit(edit, isReverted: true)
        }
        return list
    }

    /// Gives the prepared state up.
    func dropPending() throws {
        defer { pending = nil }
        if case .edit(var edit, false) = pending?.form { try edit.revert() }
    }

    /// Makes the prepared state the shown one. Answers what changed, unless that can't be seen.
    func commitPending() -> ListChanges? {
        guard let pending else { return nil }
        self.pending = nil
        version += 1
        switch pending.form {
        case .edit(_, false): break
        case .edit(let edit, true):
            do {
                try edit.reapply()
            } catch {
                // Impossible, as the same edits were done before. The next round reads the list anew.
                _ = noteFailure(StoreError(any: error))
            }
        case .replacement(let list):
            self.list = list
            wasFetchedInTransaction = false
            earlierContents = nil
        }
        for (id, contents) in zip(pending.contents.ids, pending.contents.values) { note(id, contents) }
        if pending.changes.changeSet.isEmpty { return nil }
        if !pending.changes.changeSet.sectionChanges.isEmpty { indexTitles = nil }
        counters.deliveries += 1
        return pending.changes
    }

    /// Brings what is kept of a row's content up to date.
    private func note(_ id: Int64, _ contents: RowContents) {
        guard let content = contents.new else {
            cache.remove(id)
            if !fingerprints.isEmpty { fingerprints[id] = nil }
            return
        }
        cache.update(id, content)
        if !fingerprints.isEmpty, fingerprints[id] != nil { fingerprints[id] = content.fingerprint }
    }

    func tellDidChange(_ changes: ListChanges) {
        for id in observersOfRound {
            if listener(id)?.wantsSingleChanges ?? false { tellSingleChanges(changes, id) }
            listener(id)?.controller(self, didDeliver: changes)
            listener(id)?.controllerDidChangeContent(self)
        }
    }

    private func tellSingleChanges(_ changes: ListChanges, _ id: UInt64) {
        for change in changes.changeSet.sectionChanges {
            let count = change.newIndex.flatMap { try? numberOfObjects(inSection: $0) } ?? 0
            listener(id)?.controller(
                self, didChange: changes.info(of: change, count: count, title: indexTitle), change)
        }
        for change in changes.changeSet.objectChanges {
            listener(id)?.controller(self, didChange: try? changes.object(of: change), change)
        }
    }

    /// An observer that is still to be told: callbacks may take it out, or close the store.
    private func listener(_ id: UInt64) -> (any FetchedResultsObserver)? { store.isClosed ? nil : observers[id] }

    private func tell(_ body: (any FetchedResultsObserver) -> Void) {
        for id in observers.ids {
            if let listener = listener(id) { body(listener) }
        }
    }

    // MARK: Observers

    /// Has an observer told of every change from now on. It is kept until it is removed.
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { observers.add(observer) }

    /// Tells an observer no more; false if there is none of that number.
    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { observers.remove(id) }

    /// Ends everything: observers are let go, and nothing is told any more.
    package func invalidate() {
        fetch?.cancel()
        fetch = nil
        store.fetching.removeAll { $0 === self }
        subscription?.cancel()
        subscription = nil
        pending = nil
        list = nil
        observers.removeAll()
    }
}
