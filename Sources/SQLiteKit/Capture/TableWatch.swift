internal import Glibc

/// The rows of one watched table that were touched since the last delivery.
///
/// A touched row is kept with its *old image*: all its columns as they were when it was first touched, which is as the
/// lists show it; nil if it did not exist, or if it can't be told. Later touches of the same row add nothing, and a
/// savepoint that takes a touch back leaves a row behind that turns out to be unchanged.
package final class TableWatch {
    package let schema: String
    package let table: String
    /// The names as SQLite's hooks have them.
    private let hookNames: (schema: [CChar], table: [CChar])
    let layout: ImageLayout

    private var rows = TouchedRows()
    /// Counts all touches, those of rows that were touched before among them.
    package private(set) var touchCount = 0
    /// How many of the touched rows were committed: those that a rollback must not forget.
    private var committedRowids = 0
    private var committedKeys = 0

    /// Selects a row by its row key.
    let select: Statement

    init(schema: String, table: String, layout: ImageLayout, select: Statement) {
        self.select = select
        self.schema = schema
        self.table = table
        hookNames = (Array(schema.utf8CString), Array(table.utf8CString))
        self.layout = layout
    }

    /// Whether a hook means this table.
    func isNamed(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> Bool {
        unsafe strcmp(table, hookNames.table) == 0 && strcmp(schema, hookNames.schema) == 0
    }

    package var rowids: TouchedRows.Rowids { _read { yield rows.rowids } }
    package var keys: TouchedRows.Keys { _read { yield rows.keys } }
    package var isEmpty: Bool { rows.count == 0 }

    /// Notes a row that was there before.
    func touch(rowid: Int64, image: @autoclosure () -> RowValues?) {
        touchCount &+= 1
        rows.touch(rowid: rowid, image: image())
    }

    func touch(key: RowValues, image: @autoclosure () -> RowValues?) {
        touchCount &+= 1
        rows.touch(key: key, image: image())
    }

    /// Notes a row that comes to be.
    func touch(newRowid: Int64) {
        touchCount &+= 1
        rows.add(.rowid(newRowid, image: nil))
    }

    func touch(newKey: RowValues) {
        touchCount &+= 1
        rows.add(.key(newKey, image: nil))
    }

    /// The columns of a row as they are now; nil if it is not there.
    package func currentValues(of row: TouchedRows.Row) throws(StoreError) -> RowValues? {
        switch row {
        case .rowid(let rowid, _): try select.bind(rowid, at: 1)
        case .key(let key, _): for index in 0..<key.count { try select.bind(key, index, at: index + 1) }
        }
        defer { select.reset() }
        return try select.step() ? select.rowValues(from: 0, count: layout.columnCount) : nil
    }

    func markCommitted() {
        committedRowids = rows.rowids.all.count
        committedKeys = rows.keys.all.count
    }

    /// Forgets what was touched since the last commit.
    func forgetUncommitted() {
        rows.removeLast(downToRowids: committedRowids, keys: committedKeys)
    }

    func removeAll() {
        rows = TouchedRows()
        committedRowids = 0
        committedKeys = 0
    }
}

extension TableWatch {
    /// The touched rows as a value, and an empty watch from here on.
    func take() -> TouchedRows {
        defer { removeAll() }
        return rows
    }

    /// Puts rows back that were taken, as touched by the transaction that is open.
    func restore(_ rows: TouchedRows) { self.rows = rows }

    /// Has committed rows take the place of all that were touched.
    func replaceAll(with rows: TouchedRows) {
        self.rows = rows
        touchCount &+= rows.count
        markCommitted()
    }

    /// Adds committed rows of which only the keys are known. What any row showed before is then not known: the images
    /// are those of states in between.
    func add(_ keyed: [KeyedRow]) {
        var rows = rows.withoutImages
        rows.add(TouchedRows(keyed))
        replaceAll(with: rows)
    }
}

/// How the rows of a table are read when they are about to change.
package struct ImageLayout {
    /// The number of columns.
    let columnCount: Int
    /// Whether the preupdate hook's values are what a SELECT would say. In SQLite 3.40 they are not for a table with
    /// virtual generated columns, which it numbers otherwise, and for one WITHOUT ROWID that has REAL columns, of which
    /// it looks at the wrong one's affinity.
    let isHookFaithful: Bool
    /// Selects all columns of a row by its row key.
    let select: String
    /// For a table WITHOUT ROWID: its key's columns as old and inserted rows number them, and as updated rows do.
    let key: (columns: [Int], updatedColumns: [Int])?
    /// How the columns are stored; nil if some are not.
    let record: RecordLayout?
    /// For a table WITHOUT ROWID: how its key's columns are stored.
    let recordKey: RecordLayout?

    package init(
        columnCount: Int, isHookFaithful: Bool, select: String, key: (columns: [Int], updatedColumns: [Int])?,
        record: RecordLayout? = nil, recordKey: RecordLayout? = nil
    ) {
        self.columnCount = columnCount
        self.isHookFaithful = isHookFaithful
        self.select = select
        self.key = key
        self.record = record
        self.recordKey = recordKey
    }
}
