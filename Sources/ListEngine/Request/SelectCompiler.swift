internal import SQLiteKit

/// Checks requests that are whole SELECTs.
extension RequestCompiler {
    func compile(select text: String, _ request: FetchRequest) throws(StoreError) -> RequestPlan {
        let numbered = NumberedText(withoutSemicolon(text))
        let select = numbered.sql
        let (keys, log) = try connection.prepareLoggingAccess(select)
        guard keys.isReadOnly, keys.columnCount > 0 else {
            throw StoreError(.sql, "the request is not a SELECT", sql: select)
        }
        let values = try numbered.values(request.parameters)
        try Self.bind(values, to: keys, ownParameters: 0)
        let columns = try resultColumns(keys)
        let identity = try request.identity.map { name throws(StoreError) in try column(name, columns, select) }
        guard !identity.isEmpty else {
            throw StoreError(.schema, "the request must name the columns that identify a row", sql: select)
        }
        let entity = Entity(
            schema: "main", name: "SELECT", storage: .unobserved, columns: columns,
            identityColumns: identity.map { columns[$0] }, isIdentityRowid: false, isIdentityNullable: false,
            foreignKeys: [])
        try checkIdentity(entity)
        var section: RequestSection?
        if let descriptor = request.section {
            let index = try column(descriptor.keyPath, columns, select)
            let component = KeyComponent(collation: try collation(descriptor.collation, of: columns[index]))
            section = RequestSection(
                order: try ValueOrder(component, connection), column: index, itemsSQL: "")
        }
        let content = columns.enumerated().map { (name: $1.name, keyPath: KeyPath(column: $1, at: $0)) }
        let tables = try tables(in: log)
        let rowIdentity = RowIdentity(of: entity, inKeys: IdentityColumns(identity, entity))
        return RequestPlan(
            request, numbered, entity, identity: rowIdentity,
            order: try RowOrder([], rowIdentity, firstColumn: 0, unordered(rowIdentity), connection),
            section: section,
            content: Content(
                columns: content, firstColumn: 0, reader: try reader(of: keys, select, entity, identity)),
            dependencies: Dependencies(opaque: tables.all, isAnyWrite: tables.hasOthers, log),
            keys: KeyReading(inOrder: keys))
    }

    /// Reads nothing: a SELECT has no sort values.
    private func unordered(_ identity: RowIdentity) -> RowReader {
        RowReader(
            connection, identity: identity.inKeys, firstColumn: 0, columnCount: 0, hasParameters: false,
            readsMany: false
        ) { _ in nil }
    }

    /// A text up to its first semicolon, where a single statement ends.
    private func withoutSemicolon(_ text: String) -> String {
        let end = SQLTokens(text).first { $0.token == .punctuation(";") }?.range.lowerBound
        guard let end, SQLTokens(text).allSatisfy({ $0.range.lowerBound < end || $0.token == .punctuation(";") }) else {
            return text
        }
        return String(decoding: Array(text.utf8)[..<end], as: UTF8.self)
    }

    private func resultColumns(_ statement: Statement) throws(StoreError) -> [Entity.Column] {
        var columns: [Entity.Column] = []
        for index in 0..<statement.columnCount {
            let name = unsafe statement.columnName(index).map { unsafe String(cString: $0) } ?? ""
            let collation = connection.originCollationName(statement, index) ?? "BINARY"
            columns.append(
                Entity.Column(name: name, collation: try connection.declaredCollation(named: collation), isStored: true)
            )
        }
        return columns
    }

    private func column(_ name: String, _ columns: [Entity.Column], _ select: String) throws(StoreError) -> Int {
        guard let index = columns.firstIndex(where: { isSameName($0.name, name) }) else {
            throw StoreError(.schema, "the SELECT has no column named \(name)", sql: select)
        }
        return index
    }

    /// Reads rows of the SELECT by their identities: all columns, under names of their own, as the
    /// SELECT's can be any text.
    private func reader(
        of keys: Statement, _ select: String, _ entity: Entity, _ identity: [Int]
    ) throws(StoreError) -> RowReader {
        let columns = entity.columns
        let reader = RowReader(
            connection, identity: IdentityColumns(identity, entity), firstColumn: 0, columnCount: columns.count,
            hasParameters: true, costs: SearchCosts(columnCount: columns.count), scan: keys
        ) { way in
            switch way {
            case .one(.identity): Self.search(select, identity, columns, count: 1)
            case .search(let count): Self.search(select, identity, columns, count: count)
            case .one(.rowid), .many, .range, .scan: nil
            }
        }
        try reader.prepareSingle(entity)
        return reader
    }

    /// The rows of the SELECT that have one of `count` identities.
    private static func search(_ select: String, _ identity: [Int], _ columns: [Entity.Column], count: Int) -> String {
        let (rows, key) = (unusedName("fr_rows", in: select), unusedName("fr_key", in: select))
        let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        let tests = (0..<count).map { number in
            let parts = identity.enumerated().map { index, column in
                "c\(column) COLLATE \(quoted(columns[column].collation.name)) IS :\(key)\(number)_\(index)"
            }
            return "(\(parts.joined(separator: " AND ")))"
        }
        let test = tests.joined(separator: " OR ")
        return "WITH \(rows)(\(names)) AS (\(select)\n) SELECT \(names) FROM \(rows) WHERE \(test)"
    }
}
