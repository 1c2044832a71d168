internal import Glibc

/// The rows of one watched table that were touched since the last delivery.
///
/// A touched row is stored with its *old image*: all its columns before the first touch, which are
/// the values that the lists show. The image is nil if the row did not exist, or if the image is
/// unavailable. Later touches of the same row add nothing. After a rollback to a savepoint, a row
/// whose touch was undone stays in the watch, and proves to be unchanged.
package final class TableWatch {
    package let schema: String
    package let table: String
    /// The names in the form in which SQLite's hooks pass them.
    private let hookNames: (schema: [CChar], table: [CChar])
    private(set) var layout: ImageLayout

    private var rows = TouchedRows()
    /// The rows that were taken last, if they are few: their memory is used again.
    private var taken = TouchedRows()
    /// Counts all touches, including repeated touches of rows that were touched before.
    package private(set) var touchCount = 0
    /// How many of the touched rows are committed: a rollback must not discard these.
    private var committedRowids = 0
    private var committedKeys = 0

    /// Selects a row by its row key.
    private(set) var select: Statement
    /// The number of the take until which it may lack rows that were touched before it was created;
    /// nil if it lacks none.
    let incompleteTake: Int?

    init(schema: String, table: String, layout: ImageLayout, select: Statement, incompleteTake: Int?) {
        self.select = select
        self.incompleteTake = incompleteTake
        self.schema = schema
        self.table = table
        hookNames = (Array(schema.utf8CString), Array(table.utf8CString))
        self.layout = layout
    }

    /// Replaces how rows are read, once more columns can be read. Only lists that are read later
    /// show the new columns, so that earlier images lack nothing that an earlier list shows.
    func use(_ layout: ImageLayout, select: Statement) { (self.layout, self.select) = (layout, select) }

    /// Whether a hook names this table.
    func isNamed(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> Bool {
        unsafe strcmp(table, hookNames.table) == 0 && strcmp(schema, hookNames.schema) == 0
    }

    package var rowids: TouchedRows.Rowids { _read { yield rows.rowids } }
    package var keys: TouchedRows.Keys { _read { yield rows.keys } }
    package var isEmpty: Bool { rows.count == 0 }
    var count: Int { rows.count }
    /// Whether a row existed before whose image was unavailable.
    package var lacksImage: Bool { rows.lacksImage }

    /// Notes a row that existed before.
    func touch(rowid: Int64, image: @autoclosure () -> RowValues?) {
        willTouch()
        rows.touch(rowid: rowid, image: image())
    }

    func touch(key: RowValues, image: @autoclosure () -> RowValues?) {
        willTouch()
        rows.touch(key: key, image: image())
    }

    /// Notes a row that is being inserted.
    func touch(newRowid: Int64) {
        willTouch()
        rows.add(.rowid(newRowid, image: nil))
    }

    func touch(newKey: RowValues) {
        willTouch()
        rows.add(.key(newKey, image: nil))
    }

    private func willTouch() {
        touchCount &+= 1
        rows.reuse(&taken)
    }

    /// The present columns of a row; nil if it does not exist.
    package func currentValues(of row: TouchedRow) throws(StoreError) -> RowValues? {
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

    /// Discards what was touched since the last commit.
    func discardUncommitted() {
        rows.removeLast(downToRowids: committedRowids, keys: committedKeys)
    }

    func removeAll() {
        rows = TouchedRows()
        committedRowids = 0
        committedKeys = 0
    }
}

extension TableWatch {
    /// Returns the touched rows, and empties the watch.
    func take() -> TouchedRows {
        let rows = rows
        if rows.areFew { taken = rows }
        removeAll()
        return rows
    }

    /// Restores rows that were taken, as touched by the open transaction.
    func restore(_ rows: TouchedRows) { self.rows = rows }

    /// Replaces all touched rows by committed ones.
    func replaceAll(with rows: TouchedRows) {
        self.rows = rows
        touchCount &+= rows.count
        markCommitted()
    }

    /// Adds committed rows of which only the keys are known. The old values of all rows are then
    /// unknown: the images show intermediate states.
    func add(_ later: TouchedRows) {
        var rows = rows.withoutImages
        rows.add(later)
        replaceAll(with: rows)
    }
}

/// How the rows of a table are read before they change.
package struct ImageLayout {
    /// The number of columns.
    let columnCount: Int
    /// Whether the preupdate hook's values are the values that a SELECT returns. In SQLite 3.40
    /// they are not for a table with virtual generated columns, which the hook numbers differently.
    /// Nor are they where the key of a table WITHOUT ROWID is not declared first, if a REAL column
    /// is stored at the number of one that is not REAL: the hook applies the affinity of the wrong
    /// column.
    let isHookFaithful: Bool
    /// Selects all columns of a row by its row key; NULL in place of what can't be read.
    package let select: String
    /// Whether all columns can be read. That may change when the program registers a function.
    package let isComplete: Bool
    /// For a table WITHOUT ROWID: its key's columns by their numbers in old and inserted rows, and
    /// by their numbers in updated rows.
    package let key: (columns: [Int], updatedColumns: [Int])?
    /// How the columns are stored; nil if some are not stored.
    let record: RecordLayout?
    /// For a table WITHOUT ROWID: how its key's columns are stored.
    let recordKey: RecordLayout?

    package init(
        columnCount: Int, isHookFaithful: Bool, select: String, isComplete: Bool = true,
        key: (columns: [Int], updatedColumns: [Int])?,
        record: RecordLayout? = nil, recordKey: RecordLayout? = nil
    ) {
        self.columnCount = columnCount
        self.isHookFaithful = isHookFaithful
        self.select = select
        self.isComplete = isComplete
        self.key = key
        self.record = record
        self.recordKey = recordKey
    }
}
