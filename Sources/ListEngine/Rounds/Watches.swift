package import SQLiteKit

/// The watches of all tables that the rows of a compiled request depend on.
package final class Watches {
    /// The entity's own; nil where no hook observes it.
    package let entity: TableWatch?
    package let related: [(watch: TableWatch, dependency: Dependencies.Related)]
    /// Of tables of which any change may change any row.
    package let opaque: [TableWatch]
    /// Whether any write may change any row.
    package let isAnyWrite: Bool
    /// Called when the tables need not be watched any more.
    package var didCancel: (Watches) -> Void = { _ in }

    package init(_ compiled: CompiledRequest, in capture: ChangeCapture) throws {
        func watch(_ entity: Entity) throws -> TableWatch {
            try capture.watch(schema: entity.schema, table: entity.name, layout: entity.imageLayout)
        }
        let dependencies = compiled.dependencies
        entity = compiled.entity.storage == .unobserved ? nil : try watch(compiled.entity)
        related = try dependencies.related.map { (try watch($0.table), $0) }
        opaque = try dependencies.opaque.map(watch)
        isAnyWrite = dependencies.isAnyWrite
    }

    package var all: [TableWatch] { [entity].compactMap(\.self) + related.map(\.watch) + opaque }

    package func cancel() { didCancel(self) }
}
