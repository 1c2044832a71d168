internal import FetchedResults

/// The changes that a view was not told of, kept such that they can be told as one.
///
/// Change sets are put together when the last is not much smaller than the one before it, so each record is copied a
/// logarithmic number of times, however small the transactions. What came and went again drops out on the way: no more
/// is kept than twice what differs. (Keeping the list as it was when the pause began was rejected: it costs a walk over
/// all rows twice, whether any of them change or not, and does not tell whose content did.)
struct MissedChanges {
    private var parts: [ChangeSet] = []

    /// Whether there was nothing.
    var isEmpty: Bool { parts.isEmpty }

    /// Adds what happened next.
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

    /// All of it as one change set, and forgets it.
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
