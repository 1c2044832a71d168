internal import ChangeSets
internal import SQLiteKit

/// An edit of a section map's rows that can be undone and applied again.
final class SectionRowEdit {
    private let table: SectionRowTable
    private let oldOrder: List
    private let newOrder: List
    private let changes: [SectionRowChange]
    private(set) var isApplied = false

    init(_ table: SectionRowTable, newOrder: List, _ changes: RowTable<SectionRowChange>) {
        self.table = table
        oldOrder = table.order
        self.newOrder = newOrder
        self.changes = changes.lazy.map(\.value).filter { $0.old != $0.new }
    }

    /// Throws if two rows have the same key; the table is then as it was.
    func apply() throws {
        guard !isApplied else { return }
        do {
            for change in changes { try table.set(change.id, nil) }
            for change in changes { try table.set(change.id, change.new) }
            table.order = newOrder
            isApplied = true
        } catch {
            try putBack()
            throw error
        }
    }

    func revert() throws {
        guard isApplied else { return }
        try putBack()
        table.order = oldOrder
        isApplied = false
    }

    private func putBack() throws {
        for change in changes { try table.set(change.id, nil) }
        for change in changes { try table.set(change.id, change.old) }
    }
}

/// The changes of a delivery in the rows of a section map's sections.
package final class SectionRowChanges {
    /// The changes by the ids of the rows.
    let all: RowTable<SectionRowChange>
    let edit: SectionRowEdit
    /// The next state of the rows' own engine.
    let rows: PreparedState?

    init(_ changes: RowTable<SectionRowChange>, _ edit: SectionRowEdit, _ rows: PreparedState?) {
        all = changes
        self.edit = edit
        self.rows = rows
    }

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
