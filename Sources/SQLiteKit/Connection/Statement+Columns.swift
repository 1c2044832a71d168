internal import CSQLite

/// Reading the current row.
extension Statement {
    package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    /// The name of a column, valid until the statement is next stepped.
    package func columnName(_ index: Int) -> UnsafePointer<CChar>? {
        unsafe sqlite3_column_name(handle, Int32(clamping: index))
    }

    /// The names of all columns.
    package var columnNames: [String] {
        (0..<columnCount).map { unsafe columnName($0).map { unsafe String(cString: $0) } ?? "" }
    }

    package func storageClass(_ column: Int) -> StorageClass { unsafe reader(column).storageClass }
    package func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }
    package func real(_ column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
    }

    /// The bytes of a text or blob, valid until the statement is next stepped.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let reader = unsafe reader(column)
        return unsafe reader.bytes(reader.storageClass)
    }

    package func text(_ column: Int) -> String { unsafe String(decoding: bytes(column), as: UTF8.self) }

    /// The values of `count` columns from `first` on.
    package func rowValues(from first: Int, count: Int) -> RowValues {
        let row = unsafe row
        return unsafe RowValues(count: count) { unsafe row.value(first + $0) }
    }

    /// The values of the given columns.
    package func rowValues(columns: [Int]) -> RowValues {
        let row = unsafe row
        return unsafe RowValues(count: columns.count) { unsafe row.value(columns[$0]) }
    }

    package func encode(_ column: Int, _ component: KeyComponent, into encoder: inout KeyEncoder) {
        unsafe encoder.append(reader(column), component)
    }

    func reader(_ column: Int) -> ValueReader { unsafe row.value(column) }

    /// The current row without a reference to the statement, which many reads would count.
    var row: ResultRow { unsafe ResultRow(statement: handle, values: nil, isUTF8: isUTF8) }
}
