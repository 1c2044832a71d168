public import ListEngine
public import SQLiteKit

/// Writing and reading single rows by their identity.
extension Store {
    /// Inserts a row and returns it as an object, with the values that defaults and triggers gave
    /// it.
    @discardableResult
    public func insert(into entity: String, _ values: [(column: String, value: Value)]) throws -> FetchedObject {
        try afterwardsDeliver {
            let (entity, identity) = try insertRow(into: entity, values)
            return try object(entity, identity)
        }
    }

    /// Inserts a row.
    package func insertOnly(into entity: String, _ values: [(column: String, value: Value)]) throws {
        _ = try afterwardsDeliver { try insertRow(into: entity, values) }
    }

    private func insertRow(
        into name: String, _ values: [(column: String, value: Value)]
    ) throws -> (Entity, identity: RowValues) {
        let entity = try table(name)
        let columns = try values.map { quoted(try column($0.column, of: entity).name) }.joined(separator: ", ")
        let parameters = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let content = values.isEmpty ? "DEFAULT VALUES" : "(\(columns)) VALUES (\(parameters))"
        let identity = entity.identityNames
        let statement = try statement(
            "INSERT INTO \(entity.sqlName) \(content) RETURNING \(identity.joined(separator: ", "))")
        try statement.bind(values.map(\.value))
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.notFound, "the row was not inserted", sql: statement.sql) }
        var rowValues = statement.rowValues(from: 0, count: identity.count)
        if entity.isIdentityNullable {
            let key = 0..<entity.identityColumns.count
            let hasNull = key.contains { rowValues.storageClass($0) == .null }
            rowValues =
                hasNull
                ? RowValues(standInRowid: rowValues.integer(key.count), keyCount: key.count)
                : RowValues(rowValues, columns: Array(key))
        }
        // The row exists only after the statement has run to its end.
        while try statement.step() {}
        return (entity, rowValues)
    }

    /// Sets columns of the one row with an identity. Throws `notFound` if there is none.
    public func update(
        _ name: String, identity: [Value], _ values: [(column: String, value: Value)]
    ) throws {
        guard !values.isEmpty else { throw StoreError(.range, "there are no columns to set") }
        let entity = try table(name)
        let columns = try values.map { "\(quoted(try column($0.column, of: entity).name)) = ?" }.joined(separator: ", ")
        try change("UPDATE \(entity.sqlName) SET \(columns)", entity, values.map(\.value), identity)
    }

    /// Deletes the one row with an identity. Throws `notFound` if there is none.
    public func delete(from name: String, identity: [Value]) throws {
        let entity = try table(name)
        try change("DELETE FROM \(entity.sqlName)", entity, [], identity)
    }

    /// The row with an identity, all its columns; nil if there is none. Inside a transaction, its
    /// present state in that.
    public func object(_ name: String, identity: [Value]) throws -> FetchedObject? {
        return try findObject(try table(name), RowValues(identity))
    }

    private func change(_ sql: String, _ entity: Entity, _ values: [Value], _ identity: [Value]) throws {
        let test = try identityTest(entity, RowValues(identity), firstParameter: values.count + 1)
        let statement = try statement("\(sql) WHERE \(test.sql)")
        try statement.bind(values + test.values)
        try afterwardsDeliver {
            try statement.run()
            guard connection.changes > 0 else { throw StoreError(.notFound, "\(entity.displayName) has no such row") }
        }
    }

    private func object(_ entity: Entity, _ identity: RowValues) throws -> FetchedObject {
        guard let object = try findObject(entity, identity) else {
            throw StoreError(.notFound, "the row of \(entity.displayName) does not exist any more")
        }
        return object
    }

    private func findObject(_ entity: Entity, _ identity: RowValues) throws -> FetchedObject? {
        let columns = entity.columns.map { quoted($0.name) }.joined(separator: ", ")
        let test = try identityTest(entity, identity, firstParameter: 1)
        let statement = try statement("SELECT \(columns) FROM \(entity.sqlName) WHERE \(test.sql)")
        try statement.bind(test.values)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return FetchedObject(
            key: identity, content: statement.rowValues(from: 0, count: entity.columns.count),
            layout: tables.layout(of: entity))
    }

    /// The condition that a row has an identity, with the values of its parameters.
    private func identityTest(
        _ entity: Entity, _ identity: RowValues, firstParameter: Int
    ) throws -> (sql: String, values: [Value]) {
        try entity.checkIdentity(count: identity.count)
        let columns = entity.identityExpressions.map(\.sql)
        let keyCount = entity.identityColumns.count
        if entity.isIdentityNullable, identity.count > keyCount {
            // A number of values that no key has: the rowid finds the row, if its key holds NULL.
            let rowid = identity.standInRowid(keyCount: keyCount).map(Value.integer) ?? .null
            let hasNull = columns[..<keyCount].map { "\($0) IS NULL" }.joined(separator: " OR ")
            return ("\(columns[keyCount]) = ?\(firstParameter) AND (\(hasNull))", [rowid])
        }
        let tests = columns.prefix(identity.count).enumerated().map { "\($1) = ?\(firstParameter + $0)" }
        return (tests.joined(separator: " AND "), identity.values)
    }

    private func table(_ name: String) throws -> Entity {
        try checkOpen()
        let schema = (versions: try connection.readSchemaVersions(), changeCount: delivery.versions.schemaChangeCount)
        if tables.schema != schema { tables = KnownTables(of: schema) }
        if let entity = tables[name] { return entity }
        let entity = try SchemaReader(connection: connection).table(name)
        tables[name] = entity
        return entity
    }

    private func column(_ name: String, of entity: Entity) throws -> Entity.Column {
        guard let column = entity.column(name) else {
            throw StoreError(.schema, "\(entity.displayName) has no column named \(name)")
        }
        return column
    }
}

/// Tables by the names under which the program wrote to them, and the common properties of their
/// objects.
struct KnownTables {
    /// The schema to which they belong: versions repeat after a rollback, so that changes are
    /// counted as well.
    let schema: (versions: [ExactText: Int64], changeCount: Int)
    private var entities: [ExactText: Entity] = [:]
    private var layouts: [ExactText: ObjectLayout] = [:]

    init(of schema: (versions: [ExactText: Int64], changeCount: Int) = ([:], 0)) { self.schema = schema }

    subscript(name: String) -> Entity? {
        get { entities[ExactText(name)] }
        set { entities[ExactText(name)] = newValue }
    }

    /// The common properties of objects with all columns of a table.
    mutating func layout(of entity: Entity) -> ObjectLayout {
        let name = ExactText(entity.sqlName)
        if let layout = layouts[name] { return layout }
        let layout = ObjectLayout(entity: entity.displayName, columns: entity.columns.map(\.name))
        layouts[name] = layout
        return layout
    }
}
