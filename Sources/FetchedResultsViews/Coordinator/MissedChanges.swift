internal import FetchedResults

/// The changes that a view did not get, stored such that they can be delivered as one change set.
///
/// Change sets are composed when the last is not much smaller than the one before it, so each
/// record is copied a logarithmic number of times, however small the transactions are. Rows that
/// were inserted and deleted again drop out in the composition: no more is stored than twice the
/// difference. (A copy of the list from the beginning of the pause was rejected: it costs two walks
/// over all rows even if none of them changes, and does not show which rows' content changed.)
struct MissedChanges {
    private var parts: [ChangeSet] = []

    /// Whether there are no changes.
    var isEmpty: Bool { parts.isEmpty }

    /// Adds the next change set.
    mutating func add(_ changes: ChangeSet) {
        if changes.isReload {
            parts = [.reload]
            return
        }
        guard !changes.isEmpty, !(parts.last?.isReload ?? false) else { return }
        parts.append(changes)
        while parts.count > 1, parts[parts.count - 2].recordCount < 2 * parts[parts.count - 1].recordCount {
            mergeLast()
        }
    }

    /// Returns all of it as one change set, and discards it.
    mutating func take() -> ChangeSet {
        while parts.count > 1 { mergeLast() }
        return parts.popLast() ?? ChangeSet()
    }

    private mutating func mergeLast() {
        let last = parts.removeLast()
        let before = parts.removeLast()
        parts.append(before.followed(by: last))
    }
}

extension ChangeSet {
    fileprivate var recordCount: Int { sectionChanges.count + objectChanges.count }
}
