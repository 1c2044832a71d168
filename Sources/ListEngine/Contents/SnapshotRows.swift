internal import SQLiteKit

/// The readers of a list's rows on other connections.
final class SnapshotRows {
    private var known: [(connection: Connection, compiled: CompiledRequest, reader: RowReader?)] = []

    /// Reads rows through another connection; nil if that may not read them as the list's own
    /// connection does.
    func reader(
        through other: Connection, _ own: Connection, _ compiled: CompiledRequest
    ) throws -> RowReader? {
        if let known = known.first(where: { $0.connection === other && $0.compiled === compiled }) {
            return known.reader
        }
        known.removeAll { !$0.connection.isOpen || $0.compiled !== compiled || $0.connection === other }
        let hasFunctions = try own.hasSameFunctions(as: other, for: compiled.dependencies.access)
        let reader = hasFunctions ? compiled.reader(on: other, of: own) : nil
        known.append((other, compiled, reader))
        return reader
    }
}

extension CompiledRequest {
    /// Reads contents on another connection; nil if that can't prepare the statements.
    fileprivate func reader(on connection: Connection, of own: Connection) -> RowReader? {
        do {
            try own.shareCollations(with: connection)
            if dependencies.access.readsTemporary { try connection.copyTemporaryViews(of: own) }
            // The statements of tables name the database of each table, the statements of views may
            // not.
            if entity.storage == .unobserved, try !connection.findsTables(of: dependencies.access, as: own) {
                return nil
            }
            let reader = content.reader.copy(on: connection)
            try reader.prepareSingle(entity)
            return reader
        } catch {
            // A temporary table, or a collation that the program has registered by itself.
            return nil
        }
    }
}
