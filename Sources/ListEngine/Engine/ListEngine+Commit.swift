package import ChangeSets
internal import OrderedTree
package import SQLiteKit

/// The outcome of a prepared state.
package struct Shown: ~Copyable {
    /// The changes; nil if no change is visible.
    package var changes: ListChanges?
    /// Whether the sections may be different ones than before.
    package var hasOtherSections = false
    /// The changes that a list which was read from scratch shows and that no round has delivered;
    /// nil if the list was updated.
    package var undelivered: ChangeOrigin?
    /// The fetch whose list was shown, if it was fetched.
    package var fetched: FetchedState?
    /// Whether rows have identities of another kind.
    package var hasOtherIdentities = false
    /// Why the state could not be shown.
    package var failure: StoreError?
}

/// Showing the prepared state, or dropping it.
extension ListEngine {
    /// Makes the state that the delivery has prepared the shown one, once all observers were
    /// notified that it will change.
    package func commit(_ next: PreparedState?) -> Shown {
        defer { list?.rows.assertInvariants() }
        groups?.commit()
        mappedSections?.commit(next?.sectionRows?.rows)
        var shown = Shown(hasOtherIdentities: superseded?.renaming != nil)
        commitSuperseded(next)
        // A list that was fetched meanwhile shows a later state.
        guard let next, next === prepared else { return shown }
        prepared = nil
        if case .fetched(let fetched) = next.newList {
            show(fetched, next.allContents)
            counters.deliveries += 1
            return Shown(
                changes: changes(next), hasOtherSections: true, undelivered: fetched.undelivered, fetched: fetched,
                hasOtherIdentities: true)
        }
        version += 1
        if case .replacement(let list, let undelivered) = next.newList {
            self.list = list
            noteRead(next.allContents)
            readability.ahead = next.ahead
            shown.undelivered = undelivered
            noteUndelivered(undelivered)
        } else {
            database.shownState(of: compiled.database)?.withLaterContents {
                $0.note(next.changes.contents, in: self, isBehind: $1)
            }
        }
        do {
            // Applies again the edits that a read has undone. That can't fail, as it was done
            // before; if it did, the list would have to be read from scratch.
            try next.leaveOld()
        } catch {
            shown.failure = StoreError(any: error)
        }
        if !cache.isEmpty {
            let contents = next.changes.contents
            for index in 0..<contents.count {
                let id = contents.id(at: index)
                if let content = contents[at: index].new { cache.update(id, content) } else { cache.remove(id) }
            }
        }
        releaseIdentities(after: next)
        next.changes.noteShown()
        if !next.isVisible { return shown }
        counters.deliveries += 1
        shown.changes = changes(next)
        shown.hasOtherSections = !next.changes.changeSet.sectionChanges.isEmpty
        return shown
    }

    /// The changes that led to a state, which the list shows now, as observers receive them.
    private func changes(_ shown: PreparedState) -> ListChanges {
        ListChanges(shown.changes, newCounts: (list?.sectionCount ?? 0, list?.count ?? 0))
    }

    /// Whether `commit` has anything to do.
    package var hasPrepared: Bool {
        prepared != nil || superseded != nil || mappedSections != nil || groups?.hasPrepared ?? false
    }

    /// Drops the state that the delivery has prepared.
    package func drop(_ next: PreparedState?) throws {
        if case .fetched(let fetched) = next?.newList { fetched.cancel() }
        try restore()
    }

    /// Undoes what was prepared.
    func restore() throws {
        defer {
            prepared = nil
            restoreSuperseded()
        }
        try mappedSections?.restore()
        try prepared?.restoreOld()
        try groups?.restore()
    }

    /// Releases the identities of rows that are not in the list. After a reread, some may have left
    /// it unnoticed.
    func releaseIdentities(after next: PreparedState? = nil) {
        guard let list, decoder.identities.count > 0 else { return }
        let contents = next?.changes.contents ?? RowDictionary()
        let ids = contents.ids.indices.filter { contents[at: $0].new == nil }.map { contents.id(at: $0) }
        decoder.identities.release(ids) { id in
            // Faster than a search in the list.
            contents.index(of: id).map { contents[at: $0].new != nil } ?? false || list.holds(id)
        }
        if case .replacement = next?.newList, decoder.identities.count > list.count {
            decoder.identities.releaseAll(unless: list.holds)
        }
    }
}
