internal import CSQLite

/// The reads of a statement: tables, the columns of each, and the functions that it calls.
package struct AccessLog: Equatable {
    package struct TableName: Hashable, Sendable {
        package let schema: String
        package let table: String

        package init(schema: String, table: String) {
            self.schema = schema
            self.table = table
        }

        package static func == (a: TableName, b: TableName) -> Bool {
            ExactText(a.schema) == ExactText(b.schema) && ExactText(a.table) == ExactText(b.table)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(schema))
            hasher.combine(ExactText(table))
        }
    }

    package private(set) var columns: [TableName: Set<String>] = [:]
    /// In lower case.
    package private(set) var functions: Set<String> = []

    /// The one database whose tables the statement reads, or the main one if it reads no tables;
    /// nil if there are several.
    package var database: ExactText? {
        let names = Set(columns.keys.map { ExactText($0.schema) })
        return names.count > 1 ? nil : names.first ?? .main
    }

    /// Whether the statement reads temporary tables or views.
    package var readsTemporary: Bool { columns.keys.contains { ExactText($0.schema) == .temp } }

    fileprivate mutating func note(schema: String, table: String, column: String) {
        columns[TableName(schema: schema, table: table), default: []].insert(column)
    }

    fileprivate mutating func note(function: String) { functions.insert(function.lowercased()) }
}

extension Connection {
    /// Prepares a statement, and records through SQLite's authorizer what it reads, including reads
    /// through views and subqueries (https://www.sqlite.org/c3ref/set_authorizer.html).
    package func prepareLoggingAccess(_ sql: String) throws(StoreError) -> (statement: Statement, log: AccessLog) {
        let box = Box(AccessLog())
        unsafe sqlite3_set_authorizer(
            handle,
            { context, action, first, second, schema, _ in
                guard let context = unsafe context else { return SQLITE_OK }
                let box = unsafe Unmanaged<Box<AccessLog>>.fromOpaque(context).takeUnretainedValue()
                if action == SQLITE_READ, let first = unsafe first {
                    unsafe box.value.note(
                        schema: schema.map { unsafe String(cString: $0) } ?? "main",
                        table: String(cString: first),
                        column: second.map { unsafe String(cString: $0) } ?? "")
                } else if action == SQLITE_FUNCTION, let second = unsafe second {
                    unsafe box.value.note(function: String(cString: second))
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(box).toOpaque())
        defer { unsafe sqlite3_set_authorizer(handle, nil, nil) }
        return try withExtendedLifetime(box) { () throws(StoreError) in (try prepare(sql), box.value) }
    }
}
