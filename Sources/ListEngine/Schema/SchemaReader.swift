package import SQLiteKit

/// Reads entities out of a connection's schema.
package struct SchemaReader {
    let connection: Connection

    package init(connection: Connection) { self.connection = connection }

    /// The entity called "table" or "database.table"; a name without database is searched as SQLite
    /// does, in "temp" first.
    func entity(_ name: String, identity: [String] = []) throws(StoreError) -> Entity {
        let (schema, table) = try resolve(name)
        if identity.isEmpty || identity.count == 1 && Entity.isRowid(identity[0]),
            let documents = try textIndexEntity(schema: schema, table: table)
        {
            return documents
        }
        let found = try entity(schema: schema, table: table, displayName: name, identity: identity)
        return found.storage == .unobserved ? try rowView(found) ?? found : found
    }

    /// A table or view of a database.
    package func entity(schema: String, table: String) throws(StoreError) -> Entity {
        let displayName = schema == "main" ? table : "\(schema).\(table)"
        return try entity(schema: schema, table: table, displayName: displayName, identity: [])
    }

    /// A table, whose rows hooks report.
    package func table(_ name: String) throws(StoreError) -> Entity {
        let (schema, table) = try resolve(name)
        guard try kind(AccessLog.TableName(schema: schema, table: table)) == .table else {
            throw StoreError(.schema, "\(name) is not a table")
        }
        return try entity(schema: schema, table: table, displayName: name, identity: [])
    }

    enum TableKind {
        case table
        case view
        case virtual
        /// A table-valued function, or a table that SQLite makes up.
        case other
    }

    func kind(_ table: AccessLog.TableName) throws(StoreError) -> TableKind {
        let types = try rows(
            "SELECT type FROM pragma_table_list(?1) WHERE schema = ?2", [.text(table.table), .text(table.schema)]
        ) { $0.text(0) }
        return switch types.first {
        case "table", "shadow": .table
        case "view": .view
        case "virtual": .virtual
        default: .other
        }
    }

    func resolve(_ name: String) throws(StoreError) -> (schema: String, table: String) {
        let databases = try rows("PRAGMA database_list") { $0.text(1) }
        if try !exists(name, in: "main") {
            for (schema, table) in splits(name, upTo: databases.map(\.utf8.count).max() ?? 0) {
                if let schema = databases.first(where: { isSameName($0, schema) }), try exists(table, in: schema) {
                    return (schema, table)
                }
            }
        }
        let others = databases.filter { $0 != "temp" && $0 != "main" }
        for schema in ["temp", "main"] + others {
            if try exists(name, in: schema) { return (schema, name) }
        }
        throw StoreError(.schema, "there is no table or view named \(name)")
    }

    /// A text before and after each of its dots, as far as what is before is no longer than some
    /// number of bytes.
    func splits(_ text: String, upTo longest: Int) -> some Sequence<(before: String, after: String)> {
        let bytes = text.utf8
        return bytes.indices.prefix(longest + 1).lazy.filter { bytes[$0] == 0x2e }.map {
            // A dot is a character of its own in UTF-8, so that both parts are valid.
            (before: String(text[..<$0]), after: String(text[bytes.index(after: $0)...]))
        }
    }

    /// Whether any database has a table or view of a name.
    func exists(_ table: String) throws(StoreError) -> Bool {
        try !rows("SELECT 1 FROM pragma_table_list(?1)", [.text(table)]) { _ in () }.isEmpty
    }

    /// The columns of a table that a statement can write; none if there is no such table.
    package func columnNames(schema: String, table: String) throws(StoreError) -> [String] {
        try rows(
            "SELECT name FROM pragma_table_xinfo(?1, ?2) WHERE hidden = 0", [.text(table), .text(schema)]
        ) { $0.text(0) }
    }

    private func exists(_ table: String, in schema: String) throws(StoreError) -> Bool {
        try !rows("SELECT 1 FROM pragma_table_list(?1) WHERE schema = ?2", [.text(table), .text(schema)]) { _ in () }
            .isEmpty
    }

    func entity(
        schema: String, table: String, displayName: String, identity: [String]
    ) throws(StoreError) -> Entity {
        let arguments: [Value] = [.text(table), .text(schema)]
        let kinds = try rows("SELECT name, type, wr FROM pragma_table_list(?1) WHERE schema = ?2", arguments) {
            (name: $0.text(0), type: $0.text(1), isWithoutRowid: $0.integer(2) != 0)
        }
        guard let kind = kinds.first else {
            throw StoreError(.schema, "there is no table or view named \(displayName)")
        }
        let infos = try rows("SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1, ?2)", arguments) {
            (
                name: $0.text(0), type: $0.text(1), isNotNull: $0.integer(2) != 0, keyPosition: Int($0.integer(3)),
                hidden: Int($0.integer(4))
            )
        }
        let isTable = kind.type == "table" || kind.type == "shadow"
        let columns = try columns(infos, schema: schema, table: kind.name, isTable: isTable)
        let storage: Entity.Storage
        if !isTable {
            storage = .unobserved
        } else if kind.isWithoutRowid {
            storage = .withoutRowid
        } else {
            storage = .rowid(name: try rowidName(infos, arguments, table: displayName))
        }
        let key = try identityColumns(
            identity, columns: columns, infos: infos, isTable: isTable, displayName: displayName)
        let isIdentityRowid = storage.hasRowid ? try isRowidKey(infos, arguments) : false
        return Entity(
            schema: schema, name: kind.name, storage: storage, columns: columns, identityColumns: key,
            isIdentityRowid: isIdentityRowid,
            isIdentityNullable: storage.hasRowid && !isIdentityRowid
                && infos.contains { $0.keyPosition > 0 && !$0.isNotNull },
            foreignKeys: try foreignKeys(schema: schema, table: kind.name))
    }

    /// A row of `pragma_table_xinfo`.
    private typealias ColumnInfo = (name: String, type: String, isNotNull: Bool, keyPosition: Int, hidden: Int)

    /// Whether the rowid identifies a row: no primary key is declared, or INTEGER PRIMARY KEY,
    /// which is the rowid under another name. Only the rowid has no index of its own
    /// (https://www.sqlite.org/lang_createtable.html#rowid).
    private func isRowidKey(_ infos: [ColumnInfo], _ arguments: [Value]) throws(StoreError) -> Bool {
        guard infos.contains(where: { $0.keyPosition > 0 }) else { return true }
        return try rows("SELECT 1 FROM pragma_index_list(?1, ?2) WHERE origin = 'pk'", arguments) { _ in () }.isEmpty
    }

    private func rowidName(_ infos: [ColumnInfo], _ arguments: [Value], table: String) throws(StoreError) -> String {
        for name in Entity.rowidNames where !infos.contains(where: { isSameName($0.name, name) }) {
            return name
        }
        if try isRowidKey(infos, arguments), let key = infos.first(where: { $0.keyPosition > 0 }) { return key.name }
        throw StoreError(.schema, "the columns of \(table) hide all three names of its rowid")
    }

    private func identityColumns(
        _ identity: [String], columns: [Entity.Column], infos: [ColumnInfo], isTable: Bool, displayName: String
    ) throws(StoreError) -> [Entity.Column] {
        if isTable {
            guard identity.isEmpty else {
                throw StoreError(.misuse, "\(displayName) is a table, which has an identity of its own")
            }
            let key = infos.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
            return key.compactMap { info in columns.first { isSameName($0.name, info.name) } }
        }
        guard !identity.isEmpty else {
            throw StoreError(
                .schema, "\(displayName) is not a table; its request must name the columns that identify a row")
        }
        var key: [Entity.Column] = []
        for name in identity {
            guard let column = columns.first(where: { isSameName($0.name, name) }) else {
                throw StoreError(.schema, "\(displayName) has no column named \(name)")
            }
            key.append(column)
        }
        return key
    }

    private func columns(
        _ infos: [ColumnInfo], schema: String, table: String, isTable: Bool
    ) throws(StoreError) -> [Entity.Column] {
        // The other columns of tables can always be read.
        let computed = infos.filter { !isTable || $0.hidden == 2 }.map { $0.name }
        let origins = try origins(of: computed, schema: schema, table: table)
        if !isTable, let problem = origins.last?.problem, origins.allSatisfy({ $0.problem != nil }) { throw problem }
        let byName = Dictionary(zip(computed.map { FoldedName($0) }, origins)) { first, _ in first }
        var columns: [Entity.Column] = []
        for info in infos where info.hidden != 1 {
            let origin = byName[FoldedName(info.name)]
            let collation =
                isTable
                ? connection.collationName(schema: schema, table: table, column: info.name) : origin?.collation
            columns.append(
                Entity.Column(
                    name: info.name, collation: try connection.declaredCollation(named: collation ?? "BINARY"),
                    isStored: info.hidden != 2, problem: origin?.problem, type: info.type))
        }
        return columns
    }

    /// The collations of the table columns that columns show, and why those can't be read that are
    /// computed by something which the connection lacks.
    private func origins(
        of columns: [String], schema: String, table: String
    ) throws(StoreError) -> [(collation: String?, problem: StoreError?)] {
        func read(_ columns: [String]) throws(StoreError) -> [(collation: String?, problem: StoreError?)] {
            try connection.originCollationNames(schema: schema, table: table, columns: columns).map { ($0, nil) }
        }
        do {
            return try read(columns)
        } catch let error where error.status == .sql {
            var origins: [(collation: String?, problem: StoreError?)] = []
            for column in columns {
                do {
                    origins += try read([column])
                } catch let error where error.status == .sql {
                    origins.append((nil, error))
                }
            }
            return origins
        }
    }

    private func foreignKeys(schema: String, table: String) throws(StoreError) -> [Entity.ForeignKey] {
        let parts = try rows(
            "SELECT id, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?1, ?2) ORDER BY id, seq",
            [.text(table), .text(schema)]
        ) {
            (
                id: $0.integer(0), column: $0.text(1), parent: $0.text(2),
                target: $0.storageClass(3) == .null ? nil : $0.text(3)
            )
        }
        var result: [Entity.ForeignKey] = []
        for (index, part) in parts.enumerated() where parts[..<index].allSatisfy({ $0.id != part.id }) {
            let key = parts.filter { $0.id == part.id }
            var targets = key.compactMap(\.target)
            if targets.isEmpty { targets = try primaryKey(schema: schema, table: part.parent) }
            if targets.count == key.count {
                result.append(
                    Entity.ForeignKey(columns: key.map(\.column), parentTable: part.parent, parentColumns: targets))
            }
        }
        return result
    }

    /// The columns that a foreign key without named targets refers to.
    private func primaryKey(schema: String, table: String) throws(StoreError) -> [String] {
        try rows(
            "SELECT name FROM pragma_table_xinfo(?1, ?2) WHERE pk > 0 ORDER BY pk", [.text(table), .text(schema)]
        ) { $0.text(0) }
    }

    func rows<Row>(
        _ sql: String, _ values: [Value] = [], _ row: (Statement) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try connection.prepare(sql)
        try statement.bind(values)
        var result: [Row] = []
        while try statement.step() { result.append(row(statement)) }
        return result
    }
}
