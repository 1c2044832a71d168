internal import CSQLite

/// One value as SQLite returns it: a column of the current row, or a value of a hook.
///
/// Columns are read through sqlite3_column_value, with one call per value. That is safe as long as
/// one thread at a time uses the connection (https://www.sqlite.org/c3ref/column_blob.html).
/// Unsafe, because it is valid only until the statement is stepped or the hook returns.
@unsafe struct ValueReader {
    let value: OpaquePointer?
    /// Whether texts are UTF-8 in the database, so that their bytes can be read unchanged. A
    /// request for the text would make SQLite copy it to append a NUL.
    let isUTF8: Bool

    var storageClass: StorageClass { unsafe StorageClass(sqliteType: sqlite3_value_type(value)) }
    var isText: Bool { unsafe sqlite3_value_type(value) == SQLITE_TEXT }
    var isInteger: Bool { unsafe sqlite3_value_type(value) == SQLITE_INTEGER }
    var integer: Int64 { unsafe sqlite3_value_int64(value) }
    var real: Double { unsafe sqlite3_value_double(value) }

    /// The bytes of a text or blob, valid until the statement is stepped or the hook returns.
    @inline(__always)
    func bytes(_ storageClass: StorageClass) -> UnsafeRawBufferPointer {
        let start =
            unsafe storageClass == .text && !isUTF8
            ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

extension StorageClass {
    init(sqliteType: Int32) {
        self =
            switch sqliteType {
            case SQLITE_INTEGER: .integer
            case SQLITE_FLOAT: .real
            case SQLITE_TEXT: .text
            case SQLITE_BLOB: .blob
            default: .null
            }
    }
}

/// A row: columns of a statement, or values that a function was called with. Unsafe for the same
/// reason.
@unsafe struct ResultRow {
    let statement: OpaquePointer?
    let values: UnsafeMutablePointer<OpaquePointer?>?
    let isUTF8: Bool

    @inline(__always)
    func value(_ column: Int) -> ValueReader {
        if let values = unsafe values { return unsafe ValueReader(value: values[column], isUTF8: isUTF8) }
        return unsafe ValueReader(
            value: sqlite3_column_value(statement, Int32(truncatingIfNeeded: column)), isUTF8: isUTF8)
    }
}
