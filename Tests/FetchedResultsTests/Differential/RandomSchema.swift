import TestSupport

/// A table or view of the random database, in the test's own model.
final class EntityModel {
    struct Column {
        var name: String
        let type: String
        var collation = TextOrder.binary
        var generation: Generation?
    }

    enum Generation: String {
        case stored = "STORED"
        case virtual = "VIRTUAL"
    }

    /// A foreign key of one column.
    struct Reference {
        let column: String
        let parent: EntityModel
        let target: String
    }

    let name: String
    var columns: [Column]
    /// The columns of the identity; empty if it is the rowid.
    let key: [Column]
    /// Whether rows whose key holds NULL are identified by their rowid.
    let isKeyNullable: Bool
    let hasRowid: Bool
    let isView: Bool
    let reference: Reference?

    init(
        name: String, columns: [Column], key: [Column] = [], isKeyNullable: Bool = false, hasRowid: Bool = true,
        isView: Bool = false, reference: Reference? = nil
    ) {
        self.name = name
        self.columns = columns
        self.key = key
        self.isKeyNullable = isKeyNullable
        self.hasRowid = hasRowid
        self.isView = isView
        self.reference = reference
    }

    /// Whether SQLite (up to 3.40 at least) mixes up the classes of numbers in the hooks' old
    /// values: it looks for REAL affinity at a column's place in storage, which differs from that
    ///   in the table here.
    var hasHazyImages: Bool {
        columns.contains { $0.type == "REAL" } && (!hasRowid || columns.contains { $0.generation == .virtual })
    }

    var writable: [Column] { columns.filter { $0.generation == nil } }
}

/// The random database: items of lists of folders, tags of items, a view of items, and triggers
/// among them.
struct Schema {
    let folders: EntityModel
    let lists: EntityModel
    let items: EntityModel
    let tags: EntityModel
    let view: EntityModel?
    private(set) var statements: [String] = []
    /// A full-text index, where lists search.
    private(set) var search: SearchModel?

    var tables: [EntityModel] { [items, lists, folders, tags] }

    init(_ random: inout SeededRandom) {
        folders = EntityModel(
            name: "folders",
            columns: [
                .init(name: "id", type: "INTEGER"), Self.column("name", "TEXT", &random),
                Self.column("rank", "", &random),
            ])
        lists = Self.lists(folders, &random)
        items = Self.items(lists, &random)
        tags = EntityModel(
            name: "tags",
            columns: [
                .init(name: "id", type: "INTEGER"), .init(name: "item", type: ""), Self.column("word", "TEXT", &random),
            ])
        view = random.chance(25) && !items.isKeyNullable ? Self.view(items, lists) : nil
        statements = [
            Self.create(folders, key: "\"id\" INTEGER PRIMARY KEY", &random), Self.create(lists, key: nil, &random),
            Self.create(items, key: nil, &random), Self.create(tags, key: "\"id\" INTEGER PRIMARY KEY", &random),
        ]
        if view != nil { statements.append(viewStatement) }
        addTriggers(&random)
        if random.chance(40) {
            statements.append(
                "CREATE INDEX \"by a\" ON items(\(random.pick(["a, \"b c\"", "list_id, a", "a COLLATE NOCASE"])))")
        }
    }

    /// Adds a full-text index.
    mutating func addSearch(_ random: inout SeededRandom, hasContentlessDelete: Bool) {
        let model = SearchModel(&random, hasContentlessDelete: hasContentlessDelete)
        statements += model.statements
        search = model
    }

    private static func column(_ name: String, _ type: String, _ random: inout SeededRandom) -> EntityModel.Column {
        let orders = TextOrder.builtIn + [.folded]
        return .init(name: name, type: type, collation: random.chance(50) ? .binary : random.pick(orders))
    }

    private static func lists(_ folders: EntityModel, _ random: inout SeededRandom) -> EntityModel {
        let isInteger = random.chance(50)
        let isUniqueColumn = !isInteger && random.chance(40)
        var id = EntityModel.Column(name: "id", type: isInteger ? "INTEGER" : "TEXT")
        if !isInteger { id = column("id", "TEXT", &random) }
        let other = [
            column("folder_id", "INTEGER", &random), column("name", "TEXT", &random), column("position", "", &random),
        ]
        let reference = EntityModel.Reference(column: "folder_id", parent: folders, target: "id")
        if isInteger { return EntityModel(name: "lists", columns: [id] + other, reference: reference) }
        if isUniqueColumn {
            let number = EntityModel.Column(name: "number", type: "INTEGER")
            return EntityModel(name: "lists", columns: [number, id] + other, reference: reference)
        }
        return EntityModel(
            name: "lists", columns: [id] + other, key: [id], isKeyNullable: false, hasRowid: random.chance(50),
            reference: reference)
    }

    private static func items(_ lists: EntityModel, _ random: inout SeededRandom) -> EntityModel {
        let parentID = lists.columns.first { $0.name == "id" }?.type ?? ""
        let types = ["", "", "INTEGER", "REAL", "TEXT", "NUMERIC"]
        var columns: [EntityModel.Column] = [
            column("list_id", random.chance(80) ? parentID : "", &random), column("a", "", &random),
            column("b c", random.pick(types), &random), column("order", random.pick(types), &random),
        ]
        if random.chance(25) {
            columns.insert(
                .init(name: "made", type: "TEXT", generation: random.pick([.stored, .virtual])), at: random.below(4))
        }
        let reference = EntityModel.Reference(column: "list_id", parent: lists, target: "id")
        func entity(_ key: [EntityModel.Column], nullable: Bool = false, rowid: Bool = true) -> EntityModel {
            var all = columns
            for (index, column) in key.reversed().enumerated() { all.insert(column, at: min(index * 3, all.count)) }
            return EntityModel(
                name: "items", columns: all, key: key, isKeyNullable: nullable, hasRowid: rowid, reference: reference)
        }
        let text = column("k", "TEXT", &random)
        let second = column("n", random.pick(["INTEGER", "", "REAL"]), &random)
        switch random.below(9) {
        case 0, 1:
            return EntityModel(
                name: "items", columns: [.init(name: "id", type: "INTEGER")] + columns, reference: reference)
        case 2: return EntityModel(name: "items", columns: columns, reference: reference)
        case 3: return entity([text])
        case 4: return entity([text], nullable: true)
        case 5: return entity([second, text])
        case 6: return entity([second, text], nullable: true)
        case 7: return entity([text], rowid: false)
        default: return entity([second, text], rowid: false)
        }
    }

    private static func view(_ items: EntityModel, _ lists: EntityModel) -> EntityModel {
        let key = items.key.isEmpty ? [EntityModel.Column(name: "rid", type: "")] : items.key
        let others = items.columns.filter { column in !key.contains { $0.name == column.name } && column.name != "id" }
        let listName = lists.columns.first { $0.name == "name" }?.collation ?? .binary
        return EntityModel(
            name: "shown", columns: key + others + [.init(name: "list name", type: "", collation: listName)], key: key,
            hasRowid: false, isView: true)
    }

    private var viewStatement: String {
        let columns = view?.columns.map { column in
            switch column.name {
            case "rid": "t.rowid AS rid"
            case "list name": "p.name AS \"list name\""
            default: "t.\"\(column.name)\""
            }
        }
        return """
            CREATE VIEW shown AS SELECT \(columns?.joined(separator: ", ") ?? "") FROM items AS t \
            LEFT JOIN lists AS p ON p.id = t.list_id WHERE t.a IS NOT 2
            """
    }

    /// `key` is the declaration of an INTEGER PRIMARY KEY; nil to make one from the entity.
    private static func create(_ entity: EntityModel, key: String?, _ random: inout SeededRandom) -> String {
        var parts: [String] = []
        for column in entity.columns {
            let isRowid = entity.key.isEmpty && ["id", "number"].contains(column.name) && column.type == "INTEGER"
            var text = "\"\(column.name)\" \(column.type)"
            if let key, column.name == "id" { text = key } else if isRowid { text += " PRIMARY KEY" }
            if column.collation != .binary { text += " COLLATE \(column.collation.rawValue)" }
            if let generation = column.generation { text += " AS (coalesce(a, '-') || '!') \(generation.rawValue)" }
            if entity.key.contains(where: { $0.name == column.name }), !entity.isKeyNullable { text += " NOT NULL" }
            if entity.name == "lists", column.name == "id", entity.key.isEmpty, !isRowid { text += " UNIQUE" }
            if let reference = entity.reference, reference.column == column.name {
                let actions = ["CASCADE", "SET NULL", "NO ACTION"]
                text +=
                    " REFERENCES \(reference.parent.name)(\"\(reference.target)\") ON DELETE \(random.pick(actions))"
                text += " ON UPDATE \(random.pick(actions))"
                if random.chance(25) { text += " DEFERRABLE INITIALLY DEFERRED" }
            }
            parts.append(text)
        }
        if !entity.key.isEmpty {
            parts.append("PRIMARY KEY (\(entity.key.map { "\"\($0.name)\"" }.joined(separator: ", ")))")
        }
        return
            "CREATE TABLE \(entity.name) (\(parts.joined(separator: ", ")))\(entity.hasRowid ? "" : " WITHOUT ROWID")"
    }

    private mutating func addTriggers(_ random: inout SeededRandom) {
        let item = items.key.first.map { "\"\($0.name)\"" } ?? "rowid"
        let triggers = [
            "CREATE TRIGGER t1 AFTER UPDATE OF a ON items BEGIN UPDATE tags SET word = NEW.a WHERE item = NEW.\(item); END",
            "CREATE TRIGGER t2 AFTER UPDATE OF name ON lists BEGIN UPDATE items SET \"order\" = NEW.name WHERE list_id = NEW.id; END",
            "CREATE TRIGGER t3 AFTER DELETE ON items BEGIN DELETE FROM tags WHERE item = OLD.\(item); END",
            "CREATE TRIGGER t4 AFTER INSERT ON tags BEGIN UPDATE items SET \"b c\" = NEW.word WHERE \(item) = NEW.item; END",
            "CREATE TRIGGER t5 AFTER DELETE ON lists BEGIN INSERT INTO tags (item, word) VALUES (OLD.id, OLD.name); END",
            "CREATE TRIGGER t6 BEFORE INSERT ON items WHEN NEW.a IS 3 BEGIN SELECT RAISE(IGNORE); END",
        ]
        for trigger in triggers where random.chance(25) { statements.append(trigger) }
    }
}
