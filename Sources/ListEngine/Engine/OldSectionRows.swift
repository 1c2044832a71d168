internal import SQLiteKit

/// The old contents of the rows of a section map's sections, before a delivery.
final class OldSectionRows {
    /// The names of the columns that the rows show.
    let columns: [String]
    private let changes: SectionRowChanges?
    private let rows: BackReference<ListEngine>
    /// If the rows' list was read again: the rows that the program had received. Only of these it
    /// is known whether they changed.
    private let given: Set<Int64>?
    /// The contents of rows that the delivery did not change. Stored, as the program borrows them.
    private var unchanged: [Int64: RowValues] = [:]

    /// nil where sections are not rows of a request.
    init?(_ map: ListEngine, _ changes: SectionRowChanges?) {
        guard let sections = map.mappedSections, let rows = sections.engine else { return nil }
        columns = rows.layout.columns
        self.changes = changes
        self.rows = rows.reference
        given =
            if case .replacement = changes?.rows?.newList {
                rows.superseded?.renaming == nil ? Set(rows.cache.ids) : []
            } else {
                nil
            }
    }

    /// The old value of one of the columns that the row shows now.
    ///
    /// - Parameter isShown: Whether the map still shows the state after the delivery.
    func value(of row: Int64, column: Int, isShown: Bool) -> (content: RowValues, column: Int)? {
        let value =
            if let changes, changes[row] != nil { changes.oldValue(of: row, column: column) } else {
                content(of: row, isShown: isShown).map { (content: $0, column: column) }
            }
        return value.flatMap { $0.column < $0.content.count ? $0 : nil }
    }

    /// nil if it is not known, or not any more.
    func content(of row: Int64, isShown: Bool) -> RowValues? {
        if let changes, changes[row] != nil { return changes.oldContent(of: row) }
        if let known = unchanged[row] { return known }
        guard let rows = rows.target, isShown else { return nil }
        guard given?.contains(row) ?? true else { return nil }
        let content = given == nil ? try? rows.content(of: row) : rows.cache.peek(row)
        unchanged[row] = content
        return content
    }
}
