internal import CSQLite

/// Reading the current row.
extension Statement {
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column, valid until the statement is next stepped.
    package func columnName(_ index: Int) -> UnsafePointer<CChar>? { sqlite3_column_name(handle, Int32(clamping: index)) }

    package func storageClass(_ column: Int) -> StorageClass { reader(column).storageClass }
    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column)) }
    package func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(truncatingIfNeeded: column)) }

    /// The bytes of a text or blob, valid until the statement is next stepped.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let reader = reader(column)
        return reader.bytes(reader.storageClass)
    }

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// A record of `count` columns from `first` on.
    package func record(from first: Int, count: Int) -> Record {
        Record(count: count) { reader(first + $0) }
    }

    /// A record of the given columns.
    package func record(columns: [Int]) -> Record {
        Record(count: columns.count) { reader(columns[$0]) }
    }

    package func encode(_ column: Int, _ component: KeyComponent, into encoder: inout KeyEncoder) {
        encoder.append(reader(column), component)
    }

    func reader(_ column: Int) -> ValueReader {
        ValueReader(value: sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)), isUTF8: isUTF8)
    }
}
