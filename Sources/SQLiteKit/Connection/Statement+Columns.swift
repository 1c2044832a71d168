internal import CSQLite

/// Reading the current row.
extension Statement {
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column, valid until the statement is next stepped.
    package func columnName(_ index: Int) -> UnsafePointer<CChar>? {
        sqlite3_column_name(handle, Int32(clamping: index))
    }

    package func storageClass(_ column: Int) -> StorageClass { reader(column).storageClass }
    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column)) }
    package func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(truncatingIfNeeded: column)) }

    /// The bytes of a text or blob, valid until the statement is next stepped.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let reader = reader(column)
        return reader.bytes(reader.storageClass)
    }

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The values of `count` columns from `first` on.
    package func rowValues(from first: Int, count: Int) -> RowValues {
        let row = row
        return RowValues(count: count) { row.value(first + $0) }
    }

    /// The values of the given columns.
    package func rowValues(columns: [Int]) -> RowValues {
        let row = row
        return RowValues(count: columns.count) { row.value(columns[$0]) }
    }

    package func encode(_ column: Int, _ component: KeyComponent, into encoder: inout KeyEncoder) {
        encoder.append(reader(column), component)
    }

    func reader(_ column: Int) -> ValueReader { row.value(column) }

    /// The current row without the statement, to which many reads would count references.
    var row: RowSource { RowSource(statement: handle, values: nil, isUTF8: isUTF8) }
}
