/// Tables by the names under which the program wrote to them, and what their objects have in common.
struct KnownTables {
    private var entities: [String: Entity] = [:]
    private var layouts: [String: ObjectLayout] = [:]

    subscript(name: String) -> Entity? {
        get { entities[name] }
        set { entities[name] = newValue }
    }

    /// What objects with all columns of a table have in common.
    mutating func layout(of entity: Entity) -> ObjectLayout {
        if let layout = layouts[entity.sqlName] { return layout }
        let layout = ObjectLayout(entity: entity.displayName, columns: entity.columns.map(\.name))
        layouts[entity.sqlName] = layout
        return layout
    }
}
