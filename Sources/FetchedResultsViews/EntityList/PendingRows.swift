internal import FetchedResults

/// The rows of a list that wait for a change that the program has sent elsewhere.
///
/// A row waits until it has other values or leaves the list. While rows wait, the list is observed,
/// so that one that returns does not wait any more. Other values are found when they are asked for,
/// because the view may draw its cells before this is notified.
final class PendingRows {
    private var rows: [FetchedObject] = []
    private var observation: ListObservation?

    /// Whether a row waits, and has the values that it had when that began.
    func contains(_ object: FetchedObject) -> Bool {
        place(of: object).map { rows[$0].values == object.values } ?? false
    }

    /// A row that the list does not have is not inserted.
    func insert(_ object: FetchedObject, in list: any LiveList) throws {
        guard let path = try list.indexPath(of: object) else { return }
        remove(object)
        rows.append(try list.object(at: path))
        guard observation == nil else { return }
        observation = list.observe { [weak self, weak list] _ in if let list { self?.settle(list) } }
    }

    func remove(_ object: FetchedObject) {
        if let place = place(of: object) { rows.remove(at: place) }
        if rows.isEmpty { observation = nil }
    }

    private func place(of object: FetchedObject) -> Int? {
        rows.firstIndex { $0.entity == object.entity && $0.identity == object.identity }
    }

    private func settle(_ list: any LiveList) {
        rows.removeAll { row in
            // A list that can't be read now is asked after its next change.
            (try? list.indexPath(of: row).map { try list.object(at: $0).values != row.values } ?? true) ?? false
        }
        if rows.isEmpty { observation = nil }
    }
}
