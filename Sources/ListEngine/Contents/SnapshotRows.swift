internal import SQLiteKit

/// The statement that reads one row, prepared on other connections.
final class SnapshotRows {
    private struct Prepared {
        let connection: Connection
        let compiled: CompiledRequest
        /// nil if the connection would read something else.
        let rows: RowLookup?
    }

    private var prepared: [Prepared] = []

    /// Reads a row through another connection; nil if that may not read it as the list's own
    /// connection does.
    func lookup(
        through other: Connection, _ own: Connection, _ compiled: CompiledRequest
    ) throws -> RowLookup? {
        if let known = prepared.first(where: { $0.connection === other && $0.compiled === compiled }) {
            return known.rows
        }
        prepared.removeAll { !$0.connection.isOpen || $0.compiled !== compiled || $0.connection === other }
        let hasFunctions = try own.hasSameFunctions(as: other, for: compiled.access)
        let rows = hasFunctions ? compiled.rows(on: other, of: own) : nil
        prepared.append(Prepared(connection: other, compiled: compiled, rows: rows))
        return rows
    }
}

extension CompiledRequest {
    /// The statements that read one row, on another connection; nil if it can't prepare them.
    fileprivate func rows(on connection: Connection, of own: Connection) -> RowLookup? {
        func copy(_ statement: Statement?) throws(StoreError) -> Statement? {
            guard let statement else { return nil }
            return try connection.prepare(statement.sql)
        }
        do {
            try own.shareCollations(with: connection)
            if access.readsTemporary { try connection.copyTemporaryViews(of: own) }
            // The statements of tables name the database of each table, those of views may not.
            if entity.storage == .unobserved, try !connection.findsTables(of: access, as: own) { return nil }
            // The parameters of a whole SELECT are bound to its statements.
            if isSelect { return try RequestCompiler(connection: connection).compile(request).content.rows }
            let rows = content.rows
            return RowLookup(
                byRowid: try copy(rows.byRowid), byIdentity: try copy(rows.byIdentity),
                firstParameter: rows.firstParameter)
        } catch {
            // A temporary table, or a collation that the program has registered by itself.
            return nil
        }
    }
}
