internal import SQLiteKit

/// The contents that lists show of rows that the store itself has changed since the state of a
/// snapshot.
package struct LaterContents {
    private struct ListContents {
        /// The rows that no round has changed since.
        enum Rest {
            case asInSnapshot
            /// They are as they were when the list was read from scratch.
            case read(RowDictionary<RowValues>)
            case unknown
        }

        /// In the order of the rounds.
        var changed: [(id: Int64, content: RowValues)] = []
        var rest = Rest.asInSnapshot

        mutating func note(_ contents: RowDictionary<ContentTransition>) {
            // By number, as an iterator would count references to each row's contents.
            for index in 0..<contents.count {
                if let content = contents[at: index].new { changed.append((contents.id(at: index), content)) }
            }
        }
    }

    /// By list. The rows of a list that is not among them are as in the snapshot.
    private var lists: [ObjectIdentifier: ListContents] = [:]
    /// Whether there are lists whose differing rows are not known.
    package private(set) var hasUnknown = false
    private var count = 0

    package init() {}

    /// Whether there are so many rows that a later snapshot costs less.
    package var isLong: Bool { count > 1000 }

    /// Notes the contents that a list shows of rows that a round has changed.
    ///
    /// - Parameter isBehind: Whether the snapshot is behind the state that the list shows, here and
    ///   below.
    mutating func note(_ contents: RowDictionary<ContentTransition>, in list: AnyObject, isBehind: Bool) {
        guard isBehind, contents.count > 0 else { return }
        count += contents.count
        lists[ObjectIdentifier(list), default: ListContents()].note(contents)
    }

    /// Notes that a list was read from scratch.
    ///
    /// - Parameter contents: The contents of all its rows, if they were read.
    mutating func noteRead(_ list: AnyObject, _ contents: RowDictionary<RowValues>?, isBehind: Bool) {
        guard isBehind else { return lists[ObjectIdentifier(list)] = nil }
        lists[ObjectIdentifier(list)] = ListContents(rest: contents.map { .read($0) } ?? .unknown)
        if let contents { count += contents.count } else { hasUnknown = true }
    }

    /// The known content of a row.
    enum LaterContent {
        case content(RowValues)
        case asInSnapshot
        case unknown
    }

    func content(of id: Int64, in list: AnyObject) -> LaterContent {
        guard let rows = lists[ObjectIdentifier(list)] else { return .asInSnapshot }
        if let row = rows.changed.last(where: { $0.id == id }) { return .content(row.content) }
        switch rows.rest {
        case .asInSnapshot: return .asInSnapshot
        case .read(let contents): return contents[id].map { .content($0) } ?? .asInSnapshot
        case .unknown: return .unknown
        }
    }
}
