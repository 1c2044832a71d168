internal import SQLiteKit

/// The watches of the tables that a plan depends on, which all lists of the plan share.
final class WatchedTables {
    /// The entity's own; nil where no hook observes it.
    let entity: TableWatch?
    let related: [(watch: TableWatch, dependency: Dependencies.Related)]
    /// The watches of the tables in which a row is touched where a document is, but for the
    /// entity's own.
    let documents: [TableWatch]
    /// The indexes in memory that search touched documents, and the watches of the tables in which
    /// each of these has a touched row.
    let searched: [(index: DocumentIndex, tables: [TableWatch])]
    /// The watches of the words of indexes.
    let words: [TableWatch]
    /// The watches of tables of which any change may change any row.
    let opaque: [TableWatch]
    /// Whether the rows of the entity's table matter only by the list's own predicate.
    let isEntityAlone: Bool

    private init(_ plan: RequestPlan, in capture: ChangeCapture) throws {
        func watch(_ entity: Entity) throws -> TableWatch {
            try capture.watch(schema: entity.schema, table: entity.name, layout: entity.imageLayout)
        }
        let own = try plan.entity.table.map(watch)
        entity = own
        documents = try plan.dependencies.indexes.flatMap(\.tables).map(watch).filter { $0 !== own }
        searched = try plan.dependencies.documents.map { ($0.index, try $0.tables.map(watch)) }
        words = try plan.dependencies.indexes.compactMap(\.words).map(watch)
        related = try plan.dependencies.related.map { (try watch($0.table), $0) }
        opaque = try plan.dependencies.opaque.map(watch)
        isEntityAlone = !(documents + words + related.map(\.watch) + opaque).contains { $0 === own }
    }

    var all: [TableWatch] { [entity].compactMap(\.self) + documents + words + related.map(\.watch) + opaque }

    /// The watches of a plan: another list's watches, if the tables are still watched.
    static func of(_ plan: RequestPlan, in capture: ChangeCapture) throws -> WatchedTables {
        if let known = plan.watchedTables, known.all.allSatisfy(capture.isWatched) { return known }
        let tables = try WatchedTables(plan, in: capture)
        plan.watchedTables = tables
        return tables
    }
}
