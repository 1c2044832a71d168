internal import CSQLite

extension Connection {
    /// The collation that a table's column was declared with; nil if there is no such column.
    package func collationName(schema: String, table: String, column: String) -> String? {
        var name: UnsafePointer<CChar>?
        guard
            unsafe sqlite3_table_column_metadata(handle, schema, table, column, nil, &name, nil, nil, nil) == SQLITE_OK
        else {
            return nil
        }
        return unsafe name.map { unsafe String(cString: $0) }
    }

    /// The collations of the table columns that a view's columns show; nil for a column that does
    /// not show exactly one.
    package func originCollationNames(schema: String, table: String, columns: [String]) throws(StoreError) -> [String?]
    {
        var names: [String?] = []
        var rest = columns[...]
        while !rest.isEmpty {
            let part = rest.prefix(max(columnLimit, 1))
            let list = part.map(quoted).joined(separator: ", ")
            let statement = try prepare("SELECT \(list) FROM \(quoted(schema, table))")
            names += part.indices.map { originCollationName(statement, $0 - part.startIndex) }
            rest = rest.dropFirst(part.count)
        }
        return names
    }

    /// The collation of the table column that a result column shows; nil if it does not show
    /// exactly one.
    package func originCollationName(_ statement: Statement, _ column: Int) -> String? {
        let index = Int32(truncatingIfNeeded: column)
        guard let schema = unsafe sqlite3_column_database_name(statement.handle, index),
            let table = unsafe sqlite3_column_table_name(statement.handle, index),
            let column = unsafe sqlite3_column_origin_name(statement.handle, index)
        else { return nil }
        return unsafe collationName(
            schema: String(cString: schema), table: String(cString: table), column: String(cString: column))
    }

    /// The name of the table column that a result column shows; nil if it does not show exactly
    /// one.
    package func originColumnName(_ statement: Statement, _ column: Int) -> String? {
        unsafe sqlite3_column_origin_name(statement.handle, Int32(truncatingIfNeeded: column)).map {
            unsafe String(cString: $0)
        }
    }

    /// The collation that a column was declared with, which the connection need not have.
    package func declaredCollation(named name: String) throws(StoreError) -> Collation {
        do {
            return try collation(named: name)
        } catch let error where error.status == .schema {
            return .missing(name)
        }
    }

    /// A collation by its name: one of SQLite's own, one that the program registered, or a locale
    /// of the system, which this call registers.
    package func collation(named name: String) throws(StoreError) -> Collation {
        if let builtIn = Collation(builtIn: name, encoding ?? .utf8) { return builtIn }
        if let locale = locales[name] { return .locale(locale) }
        if hasCollation(name) { return .custom(name) }
        // The empty name would be the locale of the environment.
        guard !name.isEmpty, let locale = Locale(name: name) else {
            throw StoreError(.schema, "there is no collation named \(name)")
        }
        try addCollation(locale)
        locales[name] = locale
        return .locale(locale)
    }
}
