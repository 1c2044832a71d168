internal import ChangeSets
internal import SQLiteKit

/// Maps the columns that a list showed to its present columns, after a change of the schema.
///
/// A column is identified by its name, spelled the same. So a renamed column counts as one that was
/// removed and one that was added, as it is for a program that shows columns by their names.
struct LayoutChange {
    /// By new column: its number among the old ones; nil for one that was added.
    private let sources: [Int?]
    /// Whether columns were removed.
    private let hasLost: Bool

    init(from old: ObjectLayout, to new: ObjectLayout) {
        var numbers: [ExactText: ArraySlice<Int>] = [:]
        for (number, name) in old.columns.enumerated() { numbers[ExactText(name), default: []].append(number) }
        sources = new.columns.map { numbers[ExactText($0)]?.popFirst() }
        hasLost = sources.count(where: { $0 != nil }) < old.columns.count
    }

    /// The number of a new column among the old ones; nil for one that was added.
    func source(of column: Int) -> Int? { sources.indices.contains(column) ? sources[column] : nil }

    /// The new columns that were added or have another value. Unknown if the only change is that
    /// columns were removed, which have no number any more.
    func changedColumns(_ old: RowValues, _ new: RowValues) -> ColumnSet {
        var changed = ColumnSet()
        for (column, source) in sources.enumerated() {
            if let source, source < old.count, new.isSame(column, as: old, source) { continue }
            changed.insert(column)
        }
        return changed.isEmpty && hasLost ? .unknown : changed
    }

    /// A new content in the order of the old columns; nil if it has other columns.
    func inOldOrder(_ new: RowValues) -> RowValues? {
        guard !hasLost, new.count == sources.count else { return nil }
        var places = Array(repeating: 0, count: sources.count)
        for (column, source) in sources.enumerated() {
            guard let source else { return nil }
            places[source] = column
        }
        return places.elementsEqual(0..<new.count) ? new : RowValues(new, columns: places)
    }

    /// An old content in the new columns; nil if one of these was added.
    func translated(_ old: RowValues) -> RowValues? {
        let columns = sources.compactMap(\.self)
        guard columns.count == sources.count, columns.allSatisfy({ $0 < old.count }) else { return nil }
        return columns.elementsEqual(0..<old.count) ? old : RowValues(old, columns: columns)
    }
}
