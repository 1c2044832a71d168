internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// What the list does in the phases of a delivery.
extension FetchedResultsController {
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

    func drop() throws { try engine.drop() }

    var isDue: Bool { state.isDue }

    func noteFailure(_ error: StoreError) -> Bool {
        if case .notifyFailure = apply(.failed(error)) { true } else { false }
    }

    var hasChanges: Bool { engine.prepared.map { !$0.changes.changeSet.isEmpty } ?? false }

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
        store.endFetching(self)
        guard announcer.places.isEmpty else { return }
        cacheList()
        engine.removeAll()
    }
}
