internal import SQLiteKit

/// The known contents of a list that was fetched when changes were not delivered yet:
/// inside a transaction, or with queued delivery. Old images of rows touched before are older than
/// the list. A second touch of a row is not noted.
package final class EarlierContents {
    /// The contents at the fetch of the rows that had been touched before; nil if that is not
    /// known.
    private let contents: RowDictionary<RowValues>?
    /// Whether these are the only rows that may have differed from the state before.
    let isComplete: Bool
    private let counts: [ObjectIdentifier: Int]
    /// For entities that no hook observes: how much had been written anywhere.
    private let writeCount: Int?
    /// How often the connection had rolled back, if another rollback may change rows that are not
    /// among the known ones.
    private let rollbackCount: Int?

    /// - Parameters:
    ///   - isComplete: Whether all other rows showed the same as in the state that the other lists
    ///     show.
    ///   - writeCount: The capture's, if no hook observes the list's entity.
    ///   - rollbackCount: The capture's, if the list was fetched in a transaction, and rows that
    ///     are not among `contents` may have been touched in it.
    init(
        _ contents: RowDictionary<RowValues>?, isComplete: Bool, _ watches: Watches, writeCount: Int?,
        rollbackCount: Int?
    ) {
        self.contents = contents
        self.isComplete = isComplete
        self.writeCount = writeCount
        self.rollbackCount = rollbackCount
        counts = Dictionary(watches.all.map { (ObjectIdentifier($0), $0.touchCount) }) { first, _ in first }
    }

    var isKnown: Bool { contents != nil }

    /// The rows whose contents are known.
    var ids: Set<Int64> { Set(contents?.ids ?? []) }

    func content(of id: Int64) -> RowValues? { contents?[id] }

    /// Whether a rollback since the fetch may have changed rows whose contents are not known.
    func mayBeRolledBack(rollbackCount: Int) -> Bool { self.rollbackCount.map { $0 != rollbackCount } ?? false }

    /// Whether anything on which the list depends was touched since the fetch.
    func isTouched(_ watches: Watches, writeCount: Int) -> Bool {
        watches.all.contains { counts[ObjectIdentifier($0)] != $0.touchCount }
            || self.writeCount.map { $0 != writeCount } ?? false
    }
}

/// Where to read a row as the list shows it.
enum RowSource {
    /// It is known.
    case content(RowValues)
    /// From its old image, as the store itself has changed it since.
    case image(RowValues)
    /// In the database, which has the same, unless another connection has committed since.
    case database
    /// In the state that the lists show, or in which this one was fetched, if that is held.
    case heldState
    /// Nothing has it any more.
    case nothing
}
