internal import CSQLite

/// What a statement reads: tables, and of each the columns.
package struct AccessLog: Equatable {
    package struct Table: Hashable, Sendable {
        package let schema: String
        package let table: String

        package init(schema: String, table: String) {
            self.schema = schema
            self.table = table
        }
    }

    package private(set) var columns: [Table: Set<String>] = [:]

    fileprivate mutating func note(schema: String, table: String, column: String) {
        columns[Table(schema: schema, table: table), default: []].insert(column)
    }
}

private final class AccessLogBox {
    var log = AccessLog()
}

extension Connection {
    /// Prepares a statement and learns from SQLite's authorizer what it reads, through views and subqueries alike
    /// (https://www.sqlite.org/c3ref/set_authorizer.html).
    package func prepareLoggingAccess(_ sql: String) throws(StoreError) -> (statement: Statement, log: AccessLog) {
        let box = AccessLogBox()
        sqlite3_set_authorizer(
            handle,
            { context, action, table, column, schema, _ in
                if action == SQLITE_READ, let context, let table {
                    Unmanaged<AccessLogBox>.fromOpaque(context).takeUnretainedValue().log.note(
                        schema: schema.map { String(cString: $0) } ?? "main", table: String(cString: table),
                        column: column.map { String(cString: $0) } ?? "")
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(box).toOpaque())
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        return try withExtendedLifetime(box) { () throws(StoreError) in (try prepare(sql), box.log) }
    }
}
