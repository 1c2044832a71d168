internal import CSQLite

/// A SQL function that takes the rows of a scan one by one:
/// `SELECT 1 FROM t WHERE fr_collect(a, b, ...)`.
///
/// It is true for no row, so that a single step runs through the whole table or index. The function
/// gets the values directly from the virtual machine. That costs about two thirds of stepping from
/// row to row and reading each column.
///
/// Safe: SQLite and the connection retain it as long as the function is registered, and it has a
/// scan only while that scan runs.
@safe package final class RowCollector: Registration {
    package static let functionName = "fr_collect"

    /// Alive as long as it collects. Unmanaged, so that no row counts references.
    private var scan: Unmanaged<KeyScan>?
    private let isUTF8: Bool

    fileprivate init(isUTF8: Bool) { self.isUTF8 = isUTF8 }

    /// Passes the rows with which the function is called while `body` runs to a scan.
    func collect(for scan: KeyScan, during body: () throws(StoreError) -> Void) throws(StoreError) {
        unsafe self.scan = Unmanaged.passUnretained(scan)
        defer { unsafe self.scan = nil }
        try body()
    }

    /// Takes one row; false if that fails, or if no scan collects.
    @inline(__always)
    fileprivate func take(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
        let row = unsafe ResultRow(statement: nil, values: values, isUTF8: isUTF8)
        return unsafe scan?._withUnsafeGuaranteedRef { unsafe $0.take(row) } ?? false
    }

    func register(with connection: Connection) throws(StoreError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(self).toOpaque(),
            { context, _, values in
                guard let values = unsafe values, let data = unsafe sqlite3_user_data(context) else { return }
                // A function that sets no result returns NULL, which is not true.
                if unsafe !Unmanaged<RowCollector>.fromOpaque(data)._withUnsafeGuaranteedRef({
                    unsafe $0.take(values)
                }) {
                    unsafe sqlite3_result_error(context, "the rows are not wanted", -1)
                }
            }, nil, nil,
            { data in
                if let data = unsafe data { unsafe Unmanaged<RowCollector>.fromOpaque(data).release() }
            })
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    func remove(from connection: Connection) {
        unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
}

extension Connection {
    /// The connection's row collector. The first use registers its function.
    package func rowCollector() throws(StoreError) -> RowCollector {
        try registration { RowCollector(isUTF8: isUTF8) }
    }
}
