internal import CSQLite

/// A place from which SQLite hands out one value: a column of the current row, or a value of a hook.
protocol ValueReader {
    var storageClass: StorageClass { get }
    var integer: Int64 { get }
    var real: Double { get }
    /// The bytes of a text or blob, valid until SQLite moves on; nil if empty or out of memory.
    var bytes: UnsafeRawBufferPointer { get }
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

/// A column of a statement's current row; NULL if there is none, as SQLite answers.
struct ColumnReader: ValueReader {
    let statement: OpaquePointer?
    let column: Int32

    var storageClass: StorageClass { StorageClass(sqliteType: sqlite3_column_type(statement, column)) }
    var integer: Int64 { sqlite3_column_int64(statement, column) }
    var real: Double { sqlite3_column_double(statement, column) }
    var bytes: UnsafeRawBufferPointer {
        // column_text before column_bytes: the length is that of the UTF-8 form (https://www.sqlite.org/c3ref/column_blob.html).
        let start =
            storageClass == .text
            ? UnsafeRawPointer(sqlite3_column_text(statement, column)) : sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
}

/// A protected `sqlite3_value`, as hooks and functions get it.
struct ProtectedValueReader: ValueReader {
    let value: OpaquePointer

    var storageClass: StorageClass { StorageClass(sqliteType: sqlite3_value_type(value)) }
    var integer: Int64 { sqlite3_value_int64(value) }
    var real: Double { sqlite3_value_double(value) }
    var bytes: UnsafeRawBufferPointer {
        let start = storageClass == .text ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}
