/// Columns of a statement's rows that make a key. They are in plain memory, so that reading a row
/// counts no references.
@safe package final class KeyColumns {
    private let columns: UnsafeMutablePointer<(column: Int, form: KeyForm)>
    private let count: Int
    /// The forms are valid as long as these.
    private let components: [KeyComponent]

    /// - Parameter components: How the values of the columns compare, one for each column.
    package init(_ columns: [Int], _ components: [KeyComponent]) {
        precondition(columns.count == components.count, "a key has one component for each column")
        self.components = components
        count = columns.count
        unsafe self.columns = .allocate(capacity: max(count, 1))
        for (index, column) in columns.enumerated() {
            unsafe (self.columns + index).initialize(to: (column, components[index].form))
        }
    }

    deinit { unsafe columns.deallocate() }

    /// Appends the key of the current row.
    ///
    /// - Parameter first: Is added to the number of each column.
    package func encode(_ statement: Statement, from first: Int, into key: inout KeyEncoder) {
        unsafe encode(statement.row, from: first, into: &key)
    }

    /// The same. Returns whether one of the values is NULL.
    @discardableResult
    func encode(_ row: ResultRow, from first: Int = 0, into key: inout KeyEncoder) -> Bool {
        var hasNull = false
        for index in 0..<count {
            let value = unsafe row.value(first + columns[index].column)
            if unsafe value.storageClass == .null { hasNull = true }
            unsafe key.append(value, columns[index].form)
        }
        return hasNull
    }

    /// Appends the values of the current row, as `RowValues.pack` does.
    func pack(_ row: ResultRow, into bytes: inout [UInt8]) {
        RowValues.pack(count: count, into: &bytes) { index in
            unsafe RowValues.ValueCell(reading: row.value(columns[index].column))
        }
    }
}
