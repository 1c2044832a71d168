internal import SQLiteKit

/// The contents that lists show of rows that the store itself has changed since the state of a
/// snapshot.
package struct LaterContents {
    /// By list: the contents that are known, and whether all other rows are as in the snapshot. So
    /// are all rows of a list that is not among them.
    private var lists: [ObjectIdentifier: (contents: RowDictionary<RowValues>, areOthersSame: Bool)] = [:]
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
        func add(to known: inout RowDictionary<RowValues>) {
            // By number, as an iterator would count references to each row's contents.
            for index in 0..<contents.count {
                if let content = contents[at: index].new { known.set(contents.id(at: index), content) }
            }
        }
        add(to: &lists[ObjectIdentifier(list), default: (RowDictionary(), true)].contents)
    }

    /// Notes that a list was read from scratch.
    ///
    /// - Parameter contents: The contents of all its rows, if they were read.
    mutating func noteRead(_ list: AnyObject, _ contents: RowDictionary<RowValues>?, isBehind: Bool) {
        guard isBehind else { return lists[ObjectIdentifier(list)] = nil }
        lists[ObjectIdentifier(list)] = (contents ?? RowDictionary(), contents != nil)
        if let contents { count += contents.count } else { hasUnknown = true }
    }

    /// The content of a row, or nil in place of a content that is as in the snapshot; nil if it is
    /// not known.
    func content(of id: Int64, in list: AnyObject) -> RowValues?? {
        guard let (contents, areOthersSame) = lists[ObjectIdentifier(list)] else { return .some(nil) }
        if let content = contents[id] { return content }
        return areOthersSame ? .some(nil) : nil
    }
}
