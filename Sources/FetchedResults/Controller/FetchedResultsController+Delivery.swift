internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// What the list does in the phases of a delivery.
extension FetchedResultsController {
    /// First phase, called by the store in the round's read transaction: works out what the round changes. `Delivery`
    /// comes next, or `drop`. On throw the list is as it was, and `noteFailure` comes next, or the round is tried
    /// again.
    func prepare(_ round: Round) throws {
        fetch?.note(round)
        switch apply(.round(RoundKind(round))) {
        case .follow(let basis):
            _ = try engine.prepare(round, on: basis)
            if basis != .committed { apply(.followed) }
        case .miss: engine.noteMissed(round)
        case .catchUp(let held):
            if !round.isEmpty { engine.noteMissed(round) }
            try catchUp(held)
            apply(.followed)
        case .none, .take, .compare, .askForRound, .notifyFailure: break
        }
    }

    private func catchUp(_ held: Held) throws {
        if held.endsWithReload {
            let knowsContents = held.round == nil && !engine.isBehind(held.basis)
            _ = try engine.prepareReload(knowsContents: knowsContents, cached: cachedList)
        } else if let round = held.round {
            _ = try engine.prepare(round, on: held.basis)
        } else {
            engine.forgetMissedRows()
        }
    }

    /// Notes that the list could not follow; true if its observers are to be notified.
    func noteFailure(_ error: StoreError) -> Bool {
        if case .notifyFailure = apply(.failed(error)) { true } else { false }
    }

    func notifyFailure(_ error: StoreError) { announcer.notifyFailure(self, error) }

    /// Whether the prepared state differs from the shown one in a way that can be seen.
    var hasChanges: Bool { engine.prepared.map { !$0.changes.changeSet.isEmpty } ?? false }

    /// Third phase, called by `Delivery`: shows the prepared state. Answers what changed, unless that can't be seen.
    func commit() -> ListChanges? {
        let version = engine.version
        let shown = engine.commit()
        if shown.hasOtherIdentities { announcer.fetchCount += 1 }
        guard engine.version != version else { return nil }
        announcer.version += 1
        if let showsUndelivered = shown.showsUndelivered { apply(.shown(showsUndelivered: showsUndelivered)) }
        noteCached(shown.cacheUse)
        if let failure = shown.failure { _ = noteFailure(failure) }
        if shown.changes.map({ $0.changeSet.isReload || !$0.changeSet.sectionChanges.isEmpty }) ?? false {
            indexTitles = nil
        }
        return shown.changes
    }

    /// Ends everything: observers are removed, and nobody is notified any more. A list that a collection shows lives on
    /// for it.
    package func invalidate() {
        announcer.observers.removeAll()
        fetch?.cancel()
        fetch = nil
        store.fetching.removeAll { $0 === self }
        guard announcer.parents.isEmpty else { return }
        cacheList()
        engine.removeAll()
    }
}
