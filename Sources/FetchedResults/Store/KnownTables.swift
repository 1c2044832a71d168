internal import ListEngine
internal import SQLiteKit

/// Tables by the names under which the program wrote to them, and what their objects have in common.
struct KnownTables {
    /// The schema that they are of: versions come again after a rollback, so that changes are counted as well.
    let schema: (versions: [ExactText: Int64], changeCount: Int)
    private var entities: [ExactText: Entity] = [:]
    private var layouts: [ExactText: ObjectLayout] = [:]

    init(of schema: (versions: [ExactText: Int64], changeCount: Int) = ([:], 0)) { self.schema = schema }

    subscript(name: String) -> Entity? {
        get { entities[ExactText(name)] }
        set { entities[ExactText(name)] = newValue }
    }

    /// What objects with all columns of a table have in common.
    mutating func layout(of entity: Entity) -> ObjectLayout {
        let name = ExactText(entity.sqlName)
        if let layout = layouts[name] { return layout }
        let layout = ObjectLayout(entity: entity.displayName, columns: entity.columns.map(\.name))
        layouts[name] = layout
        return layout
    }
}
