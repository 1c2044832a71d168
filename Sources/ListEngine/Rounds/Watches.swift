package import SQLiteKit

/// The receiver of rounds that touch what watches are of.
package protocol WatchReceiver: AnyObject {
    /// Called when watches end.
    func remove(_ watches: Watches)
}

/// The watches of one list: the tables that the rows of a compiled request depend on.
package final class Watches {
    private let tables: WatchedTables
    private let compiled: CompiledRequest
    package let receiver: (any WatchReceiver)?
    /// The number that the receiver gave them.
    package let serial: Int

    package init(
        _ compiled: CompiledRequest, in capture: ChangeCapture, receiver: (any WatchReceiver)? = nil, serial: Int = 0
    ) throws {
        self.compiled = compiled
        self.receiver = receiver
        self.serial = serial
        tables = try WatchedTables.of(compiled.plan, in: capture)
    }

    /// The watch of the entity's own table; nil where no hook observes it.
    package var entity: TableWatch? { tables.entity }
    /// The watches of tables whose touched rows have the rowids of the rows that depend on them:
    /// the documents of full-text indexes.
    var documents: [TableWatch] { tables.documents }
    /// While `body` runs, documents that a round touched are searched by their texts.
    func searchingTexts<Result>(of round: Round, _ body: () throws -> Result) rethrows -> Result {
        for (index, tables) in tables.searched { index.documents = tables.map { round.rows(of: $0) ?? TouchedRows() } }
        defer { for (index, _) in tables.searched { index.documents = [] } }
        return try body()
    }

    package var related: [(watch: TableWatch, dependency: Dependencies.Related)] { tables.related }
    /// The watches of tables of which any change may change any row.
    package var opaque: [TableWatch] { tables.opaque }
    /// The watches of the words of indexes: where another connection has changed these, documents
    /// may have changed without a row that differs.
    package var words: [TableWatch] { tables.words }
    /// Whether any write may change any row.
    package var isAnyWrite: Bool { compiled.dependencies.isAnyWrite }
    package var all: [TableWatch] { tables.all }

    /// The condition that a row of a table must satisfy to be in the list; nil if any change of the
    /// table may affect the list.
    package func conditions(of watch: TableWatch) -> BoundConditions? {
        guard tables.entity === watch, tables.isEntityAlone, compiled.hasConditions else { return nil }
        let conditions = compiled.conditions
        return conditions.isEmpty ? nil : conditions
    }

    /// Ends watching.
    package func cancel() { receiver?.remove(self) }
}
