internal import CSQLite

/// A SQL function that returns the values of keys, through which one statement reads many rows
/// whose identity is not the rowid:
/// `FROM fetchedresults_rowids CROSS JOIN t WHERE t.a = fetchedresults_key(fetchedresults_rowid, 0)`.
///
/// The result of a function has neither an affinity nor a collation, so SQLite compares it as it
/// compares a parameter
/// (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
///
/// Safe: SQLite and the connection retain it as long as the function is registered.
@safe package final class KeyList: Registration {
    package static let functionName = "fetchedresults_key"

    /// The keys, by the number that is the function's first argument.
    package var keys: [RowValues] = []

    fileprivate init() {}

    /// Sets the function's result to a value of a key; NULL if there is no such value.
    fileprivate func setResult(_ context: OpaquePointer?, key: Int, part: Int) {
        guard keys.indices.contains(key), (0..<keys[key].count).contains(part) else { return }
        let key = keys[key]
        switch key.storageClass(part) {
        case .null: break
        case .integer: unsafe sqlite3_result_int64(context, key.integer(part))
        case .real: unsafe sqlite3_result_double(context, key.real(part))
        case .text:
            let bytes = unsafe key.bytes(part)
            let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_result_text64(
                context, text, UInt64(bytes.count), fr_sqlite_transient(), UInt8(SQLITE_UTF8))
        case .blob:
            let bytes = unsafe key.bytes(part)
            unsafe sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), fr_sqlite_transient())
        }
    }

    func register(with connection: Connection) throws(StoreError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(self).toOpaque(),
            { context, count, values in
                guard count == 2, let values = unsafe values, let data = unsafe sqlite3_user_data(context) else {
                    return
                }
                let key = unsafe Int(sqlite3_value_int64(values[0]))
                let part = unsafe Int(sqlite3_value_int64(values[1]))
                unsafe Unmanaged<KeyList>.fromOpaque(data)._withUnsafeGuaranteedRef {
                    unsafe $0.setResult(context, key: key, part: part)
                }
            }, nil, nil,
            { data in
                if let data = unsafe data { unsafe Unmanaged<KeyList>.fromOpaque(data).release() }
            })
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    func remove(from connection: Connection) {
        unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, 2, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
}

extension Connection {
    /// The connection's list of keys. The first use registers its function.
    package func keyList() throws(StoreError) -> KeyList {
        try registration { KeyList() }
    }
}
