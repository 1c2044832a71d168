package import SQLiteKit

/// The watches of the tables that a plan depends on, which all lists of the plan share.
final class WatchedTables {
    /// The entity's own; nil where no hook observes it.
    let entity: TableWatch?
    let related: [(watch: TableWatch, dependency: Dependencies.Related)]
    /// Those of tables of which any change may change any row.
    let opaque: [TableWatch]
    /// Whether the rows of the entity's table matter only by the list's own predicate.
    let isEntityAlone: Bool

    private init(_ plan: RequestPlan, in capture: ChangeCapture) throws {
        func watch(_ entity: Entity) throws -> TableWatch {
            try capture.watch(schema: entity.schema, table: entity.name, layout: entity.imageLayout)
        }
        let own = plan.entity.storage == .unobserved ? nil : try watch(plan.entity)
        entity = own
        related = try plan.dependencies.related.map { (try watch($0.table), $0) }
        opaque = try plan.dependencies.opaque.map(watch)
        isEntityAlone = !(related.map(\.watch) + opaque).contains { $0 === own }
    }

    var all: [TableWatch] { [entity].compactMap(\.self) + related.map(\.watch) + opaque }

    /// Those of a plan: the ones that another of its lists has, if these are still watched.
    static func of(_ plan: RequestPlan, in capture: ChangeCapture) throws -> WatchedTables {
        if let known = plan.watchedTables, known.all.allSatisfy(capture.isWatched) { return known }
        let tables = try WatchedTables(plan, in: capture)
        plan.watchedTables = tables
        return tables
    }
}

/// An object that watches belong to, and that notes when they end.
package protocol WatchRegistry: AnyObject {
    func remove(_ watches: Watches)
}

/// What one list watches: the tables that the rows of a compiled request depend on.
package final class Watches {
    private let tables: WatchedTables
    private let compiled: CompiledRequest
    /// The receiver of rounds that touch the tables.
    package let subscriber: AnyObject?
    /// The registry, as long as the tables are watched, and the number by which it knows them.
    private var registry: (any WatchRegistry)?
    package private(set) var serial = 0

    package init(_ compiled: CompiledRequest, in capture: ChangeCapture, subscriber: AnyObject? = nil) throws {
        self.compiled = compiled
        self.subscriber = subscriber
        tables = try WatchedTables.of(compiled.plan, in: capture)
    }

    package func register(in registry: any WatchRegistry, serial: Int) {
        self.registry = registry
        self.serial = serial
    }

    /// The watch of the entity's own table; nil where no hook observes it.
    package var entity: TableWatch? { tables.entity }
    package var related: [(watch: TableWatch, dependency: Dependencies.Related)] { tables.related }
    /// Those of tables of which any change may change any row.
    package var opaque: [TableWatch] { tables.opaque }
    /// Whether any write may change any row.
    package var isAnyWrite: Bool { compiled.dependencies.isAnyWrite }
    package var all: [TableWatch] { tables.all }

    /// What a row of a table must satisfy to be in the list; nil if any change of the table may
    /// affect the list.
    package func conditions(of watch: TableWatch) -> BoundConditions? {
        guard tables.entity === watch, tables.isEntityAlone, compiled.hasConditions else { return nil }
        let conditions = compiled.conditions
        return conditions.isEmpty ? nil : conditions
    }

    /// Ends watching.
    package func cancel() {
        let registry = registry
        self.registry = nil
        registry?.remove(self)
    }
}
