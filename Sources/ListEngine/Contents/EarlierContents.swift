internal import SQLiteKit

/// Finds the contents of a list that was fetched when changes were not delivered yet: inside a
/// transaction, or with queued delivery. Old images of rows touched before are older than the list,
/// so their contents were read at the fetch. A second touch of a row is not noted, so they are not
/// read again.
package final class EarlierContents {
    private let ids: Set<Int64>?
    private let counts: [ObjectIdentifier: Int]
    /// For entities that no hook observes: how much had been written anywhere.
    private let writeCount: Int?

    /// - Parameters:
    ///   - ids: The rows of the list that were touched before its fetch, whose contents are in the
    ///     cache; nil if they are not known.
    ///   - writeCount: Of the capture, if no hook observes the list's entity.
    init(ids: Set<Int64>?, _ watches: Watches, writeCount: Int?) {
        self.ids = ids
        self.writeCount = writeCount
        counts = Dictionary(watches.all.map { (ObjectIdentifier($0), $0.touchCount) }) { first, _ in first }
    }

    /// Whether a row that is not in the cache is as it was at the fetch.
    func shownImage(of id: Int64, _ watches: Watches, writeCount: Int) -> ShownImage {
        let isTouched = watches.all.contains { counts[ObjectIdentifier($0)] != $0.touchCount }
        let isWritten = self.writeCount.map { $0 != writeCount } ?? false
        return ids?.contains(id) ?? true || isTouched || isWritten ? .unknown : .untouched
    }
}

/// How a row that was touched since the list's state looked in that state.
enum ShownImage {
    case untouched
    case image(RowValues)
    /// As in the state that the lists show, which writes of the store itself that are not delivered
    /// yet may have changed.
    case delivered
    case unknown
}
