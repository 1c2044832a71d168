internal import CSQLite

extension Statement {
    package var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(handle)) }

    /// The name of a parameter with its prefix; nil for a plain "?".
    package func parameterName(_ index: Int) -> String? {
        unsafe sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { unsafe String(cString: $0) }
    }

    /// The number of a named parameter; nil if none has that name. A name without prefix stands for
    /// ":name".
    package func parameterIndex(_ name: String) -> Int? {
        let isPrefixed = name.first.map { ":@$?".contains($0) } ?? false
        let index = unsafe sqlite3_bind_parameter_index(handle, isPrefixed ? name : ":" + name)
        return index == 0 ? nil : Int(index)
    }

    /// Binds values to all positional parameters.
    package func bind(_ values: [Value]) throws(StoreError) {
        guard values.count == parameterCount else {
            throw StoreError(
                .sql,
                "the statement has \(counted(parameterCount, "parameter")), but was given \(counted(values.count, "value"))",
                sql: sql)
        }
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    /// Binds values to all named parameters.
    package func bind(named values: [(name: String, value: Value)]) throws(StoreError) {
        var missing = Set(1...(parameterCount + 1)).subtracting([parameterCount + 1])
        for (name, value) in values {
            guard let index = parameterIndex(name) else {
                throw StoreError(.sql, "the statement has no parameter named \(name)", sql: sql)
            }
            missing.remove(index)
            try bind(value, at: index)
        }
        if let index = missing.min() {
            throw StoreError(.sql, "no value is given for parameter \(parameterName(index) ?? "?\(index)")", sql: sql)
        }
    }

    /// Binds an argument of a SQL function, which SQLite copies. On a connection that keeps no
    /// bindings.
    func bind(value: OpaquePointer?, at index: Int) throws(StoreError) {
        unsafe try check(sqlite3_bind_value(handle, Int32(clamping: index), value))
    }

    /// Binds a value, which SQLite copies, to parameter `index`, counted from 1.
    package func bind(_ value: Value, at index: Int) throws(StoreError) {
        bindings?[index] = value
        let index = Int32(clamping: index)
        switch value {
        case .null: unsafe try check(sqlite3_bind_null(handle, index))
        case .integer(let integer): unsafe try check(sqlite3_bind_int64(handle, index, integer))
        case .real(let real): unsafe try check(sqlite3_bind_double(handle, index, real))
        case .text(var text):
            let code = text.withUTF8 { unsafe bind(text: UnsafeRawBufferPointer($0), index) }
            try check(code)
        case .blob(let bytes):
            let code = unsafe bytes.withUnsafeBytes { unsafe bind(blob: $0, index) }
            try check(code)
        }
    }

    package func bind(_ integer: Int64, at index: Int) throws(StoreError) {
        bindings?[index] = .integer(integer)
        unsafe try check(sqlite3_bind_int64(handle, Int32(clamping: index), integer))
    }

    /// Binds value number `column` of row values to parameter `index`.
    package func bind(_ rowValues: RowValues, _ column: Int, at index: Int) throws(StoreError) {
        unsafe try bind(
            rowValues.storageClass(column), integer: rowValues.integer(column), real: rowValues.real(column),
            bytes: rowValues.bytes(column), at: index)
    }

    /// Binds a value in its parts to a parameter. The storage class determines which part is used.
    package func bind(
        _ storageClass: StorageClass, integer: Int64, real: Double, bytes: UnsafeRawBufferPointer, at index: Int
    ) throws(StoreError) {
        if bindings != nil {
            bindings?[index] =
                switch storageClass {
                case .null: .null
                case .integer: .integer(integer)
                case .real: .real(real)
                case .text: unsafe .text(String(decoding: bytes, as: UTF8.self))
                case .blob: unsafe .blob([UInt8](bytes))
                }
        }
        let index = Int32(clamping: index)
        let code =
            switch storageClass {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer: unsafe sqlite3_bind_int64(handle, index, integer)
            case .real: unsafe sqlite3_bind_double(handle, index, real)
            case .text: unsafe bind(text: bytes, index)
            case .blob: unsafe bind(blob: bytes, index)
            }
        try check(code)
    }

    // An empty buffer may have no address, which SQLite would bind as NULL.
    private func bind(text: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        guard let start = text.baseAddress else {
            return unsafe sqlite3_bind_text(handle, index, "", 0, fr_sqlite_transient())
        }
        return unsafe sqlite3_bind_text64(
            handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), fr_sqlite_transient(),
            UInt8(SQLITE_UTF8))
    }

    private func bind(blob: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        guard let start = blob.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
        return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(blob.count), fr_sqlite_transient())
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        guard unsafe handle != nil else { throw StoreError(.closed, "the store is closed") }
        if code == SQLITE_RANGE {
            throw StoreError(.range, "the statement has no parameter with that number", sqliteCode: code, sql: sql)
        }
        throw unsafe StoreError(code: code, connection: sqlite3_db_handle(handle), sql: sql)
    }
}
