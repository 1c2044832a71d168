internal import ChangeSets
internal import OrderedTree
package import SQLiteKit

/// What became of a prepared state.
package struct Shown {
    /// What changed; nil if that can't be seen.
    package var changes: ListChanges?
    /// Whether the list was read from scratch, and then whether it shows what was not delivered yet.
    package var showsUndelivered: Bool?
    package var cacheUse = CacheUse()
    /// Whether rows have identities of another kind.
    package var hasOtherIdentities = false
    /// Why the state could not be shown.
    package var failure: StoreError?
}

/// Showing the prepared state, or not.
extension ListEngine {
    /// Makes the state that the delivery has prepared the shown one, once all observers were notified that it will
    /// change.
    package func commit(_ next: PreparedState?) -> Shown {
        defer { list?.rows.assertInvariants() }
        mappedSections?.commit()
        var shown = Shown(hasOtherIdentities: superseded?.renaming != nil)
        commitSuperseded()
        // A list that was fetched meanwhile shows a later state.
        guard let prepared, prepared === next else { return shown }
        self.prepared = nil
        if case .fetched(let fetched) = prepared.form {
            show(fetched)
            counters.deliveries += 1
            return Shown(
                changes: prepared.listChanges, showsUndelivered: fetched.isInTransaction, cacheUse: fetched.cacheUse,
                hasOtherIdentities: true)
        }
        version += 1
        do {
            // Does again what was taken back for someone who read. That can't fail, as it was done before; if it did,
            // the list would have to be read from scratch.
            switch prepared.form {
            case .edit(let edit, true): try edit.reapply()
            case .edit(_, false), .fetched: break
            case .replacement(let list):
                self.list = list
                shown.showsUndelivered = prepared.showsUndelivered
                noteUndelivered(prepared.showsUndelivered)
            }
            try prepared.sectionRows?.edit.apply()
        } catch {
            shown.failure = StoreError(any: error)
        }
        for (id, contents) in zip(prepared.contents.ids, prepared.contents.values) {
            if let content = contents.new { cache.update(id, content) } else { cache.remove(id) }
        }
        releaseIdentities(after: prepared)
        if prepared.changes.changeSet.isEmpty { return shown }
        counters.deliveries += 1
        shown.changes = prepared.listChanges
        return shown
    }

    /// Whether `commit` has something to do.
    package var hasPrepared: Bool { prepared != nil || superseded != nil || mappedSections != nil }

    /// Gives the prepared state up.
    package func drop() throws {
        defer {
            prepared = nil
            restoreSuperseded()
        }
        try mappedSections?.drop()
        try prepared?.cancel()
    }

    /// Releases the identities of rows that are not in the list. After a reread, some may have left unnoticed.
    func releaseIdentities(after prepared: PreparedState? = nil) {
        guard let list, decoder.identities.count > 0 else { return }
        var ids: [Int64] = []
        if let contents = prepared?.contents {
            ids = contents.ids.indices.filter { contents[at: $0].new == nil }.map { contents.ids[$0] }
        }
        decoder.identities.release(ids, unless: list.rows.contains)
        if case .replacement = prepared?.form, decoder.identities.count > list.count {
            decoder.identities.releaseAll(unless: list.rows.contains)
        }
    }
}
