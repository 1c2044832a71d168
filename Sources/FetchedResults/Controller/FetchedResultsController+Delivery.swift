internal import ChangeSets
internal import OrderedTree
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
        _ = sectionRows?.controller?.noteFailure(error)
        return failure == nil
    }

    func tellFailure(_ error: StoreError) { announcer.tellFailure(self, error) }

    /// Whether the prepared state differs from the shown one in a way that can be seen.
    var hasChanges: Bool { pending.map { !$0.changes.changeSet.isEmpty } ?? false }

    /// The list to read from: in the second phase the old one.
    func shownList() throws -> List {
        try store.checkOpen()
        guard let list else { throw StoreError(.notFetched, "the controller has not fetched yet") }
        if let pending { try pending.revert() }
        return list
    }

    /// Gives the prepared state up.
    func dropPending() throws {
        defer {
            pending = nil
            restoreSuperseded()
        }
        try sectionRows?.dropPending()
        try pending?.cancel()
    }

    /// Makes the prepared state the shown one. Answers what changed, unless that can't be seen.
    func commitPending() -> ListChanges? {
        sectionRows?.commitPending()
        commitSuperseded()
        guard let pending else { return nil }
        self.pending = nil
        if case .fetched(let fetched) = pending.form {
            show(fetched)
            counters.deliveries += 1
            return pending.changes
        }
        announcer.version += 1
        switch pending.form {
        case .edit(_, false): break
        case .edit(let edit, true): reapply { try edit.reapply() }
        case .replacement(let list):
            self.list = list
            setFetchedInTransaction(pending.showsUndelivered)
        case .fetched: break
        }
        reapply { try pending.sectionRows?.edit.apply() }
        for (id, contents) in zip(pending.contents.ids, pending.contents.values) {
            if let content = contents.new { cache.update(id, content) } else { cache.remove(id) }
        }
        releaseIdentities(after: pending)
        if pending.changes.changeSet.isEmpty { return nil }
        if !pending.changes.changeSet.sectionChanges.isEmpty { indexTitles = nil }
        counters.deliveries += 1
        return pending.changes
    }

    /// Releases the identities of rows that are not in the list. After a reread, some may have left unnoticed.
    func releaseIdentities(after pending: PendingUpdate? = nil) {
        guard let list, decoder.identities.count > 0 else { return }
        var ids: [Int64] = []
        if let contents = pending?.contents {
            ids = contents.ids.indices.filter { contents[at: $0].new == nil }.map { contents.ids[$0] }
        }
        decoder.identities.release(ids, unless: list.rows.contains)
        if case .replacement = pending?.form, decoder.identities.count > list.count {
            decoder.identities.releaseAll(unless: list.rows.contains)
        }
    }

    /// Does again what was taken back for someone who looked. That can't fail, as it was done before; if it did, the next
    /// round would read the list anew.
    private func reapply(_ body: () throws -> Void) {
        do { try body() } catch { _ = noteFailure(StoreError(any: error)) }
    }

    /// Ends everything: observers are let go, and nothing is told any more. A list that a collection shows lives on for it.
    package func invalidate() {
        announcer.observers.removeAll()
        fetch?.cancel()
        fetch = nil
        store.fetching.removeAll { $0 === self }
        guard announcer.parents.isEmpty else { return }
        cacheList()
        subscription?.cancel()
        subscription = nil
        pending = nil
        superseded = nil
        list = nil
    }
}
