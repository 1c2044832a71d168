internal import ChangeSets
internal import SQLiteKit

/// The changes of a delivery in the rows of a section map's sections. They edit the table of these
/// rows, which can be undone and done again.
package final class SectionRowChanges {
    /// The changes by the ids of the rows.
    let all: RowDictionary<SectionRowChange>
    /// The next state of the rows' own engine.
    let rows: PreparedState?
    private let table: SectionRowTable
    private let oldOrder: List
    private let newOrder: List
    private var isApplied = false

    /// Throws if two rows have the same key; the table is then as it was.
    init(
        applying changes: RowDictionary<SectionRowChange>, to table: SectionRowTable, newOrder: List,
        _ rows: PreparedState?
    ) throws {
        all = changes
        self.rows = rows
        self.table = table
        oldOrder = table.order
        self.newOrder = newOrder
        try apply()
    }

    // MARK: The table

    /// Puts the new rows into the table, unless they are there.
    func apply() throws {
        guard !isApplied else { return }
        do {
            try setRows(\.new)
            table.order = newOrder
            isApplied = true
        } catch {
            try setRows(\.old)
            throw error
        }
    }

    /// Puts the old rows back.
    func revert() throws {
        guard isApplied else { return }
        try setRows(\.old)
        table.order = oldOrder
        isApplied = false
    }

    private func setRows(_ state: (SectionRowChange) -> SectionRow?) throws {
        let changed = all.lazy.map(\.value).filter { $0.old != $0.new }
        for change in changed { try table.set(change.id, nil) }
        for change in changed { try table.set(change.id, state(change)) }
    }

    // MARK: Rows

    private var changes: EngineChanges? { rows?.changes }

    subscript(row: Int64) -> SectionRowChange? { all[row] }

    /// Whether items may have another section.
    var mayMoveItems: Bool { all.contains { $0.value.mayMoveItems } }

    /// The old content of a row that changed, as far as it is known.
    func oldContent(of row: Int64) -> RowValues? { changes?.oldContent(of: row, isDeleted: isDeleted(row)) }

    /// The same for one column.
    func oldValue(of row: Int64, column: Int) -> (content: RowValues, column: Int)? {
        changes?.oldValue(of: row, column: column, isDeleted: isDeleted(row))
    }

    private func isDeleted(_ row: Int64) -> Bool { self[row].map { $0.new == nil } ?? false }

    /// The row of a section: its new state, or, of a deleted one, its last known state. nil if no
    /// row changed.
    func sectionObject(_ id: Int64) throws -> FetchedObject? {
        isDeleted(id) ? changes?.object(deleted: id) : try changes?.object(id)
    }
}
