import FetchedResults
import SQLiteKit
import TestSupport

/// One write: a statement with its parameters, or a call for one row.
enum Write {
    case execute(String, [Value])
    case insert(String, [(column: String, value: Value)])
    case update(String, identity: [Value], [(column: String, value: Value)])
    case delete(String, identity: [Value])
    case script(String)

    init(_ sql: String, _ parameters: [Value] = []) { self = .execute(sql, parameters) }

    func run(_ store: Store) throws {
        switch self {
        case .execute(let sql, let parameters): try store.execute(sql, parameters)
        case .insert(let entity, let values): _ = try store.insert(into: entity, values)
        case .update(let entity, let identity, let values): try store.update(entity, identity: identity, values)
        case .delete(let entity, let identity): try store.delete(from: entity, identity: identity)
        case .script(let sql):
            // One transaction, wherever it runs.
            do {
                try store.executeScript("SAVEPOINT script; \(sql); RELEASE script")
            } catch {
                try? store.executeScript("ROLLBACK TO script; RELEASE script")
                throw error
            }
        }
    }

    /// The same as a step of a scenario.
    var step: [(String, JSON)] {
        func columns(_ values: [(column: String, value: Value)]) -> JSON {
            JSON(values.map { [JSON($0.column), JSON(Cell($0.value))] })
        }
        switch self {
        case .execute(let sql, let parameters):
            return [("execute", JSON(sql))] + (parameters.isEmpty ? [] : [("parameters", JSON(values: parameters))])
        case .insert(let entity, let values): return [("insert", JSON(entity)), ("values", columns(values))]
        case .update(let entity, let identity, let values):
            return [("update", JSON(entity)), ("identity", JSON(values: identity)), ("values", columns(values))]
        case .delete(let entity, let identity): return [("delete", JSON(entity)), ("identity", JSON(values: identity))]
        case .script(let sql): return [("script", JSON(sql))]
        }
    }
}

extension Write: CustomStringConvertible {
    var description: String {
        switch self {
        case .execute(let sql, let parameters):
            parameters.isEmpty ? sql : "\(sql) -- \(parameters.map { "\(Cell($0))" }.joined(separator: ", "))"
        case .insert(let entity, let values): "insert \(values) into \(entity)"
        case .update(let entity, let identity, let values): "update \(identity) of \(entity) with \(values)"
        case .delete(let entity, let identity): "delete \(identity) from \(entity)"
        case .script(let sql): "script \(sql)"
        }
    }
}

/// Makes random writes that the schema may allow or not.
struct Writer {
    let schema: Schema
    let connection: Connection
    /// Whether others repeat the writes: then there are fewer rows, and no largest rowid, after
    /// which SQLite assigns random ones.
    var isRepeated = false

    /// One write, or a few that belong together.
    func randomWrites(_ random: inout SeededRandom) -> [Write] {
        if let search = schema.search, random.chance(75) { return search.randomWrites(&random) }
        let table = random.pick([schema.items, schema.items, schema.items, schema.lists, schema.folders, schema.tags])
        switch random.below(100) {
        case 0..<30: return [insert(table, &random)]
        case 30..<62: return [update(table, &random)]
        case 62..<72: return [delete(table, &random)]
        case 72..<78: return [typed(table, &random)]
        case 78..<82: return thereAndBack(table, &random)
        case 82..<86: return swapKeys(table, &random)
        case 86..<90: return [upsert(table, &random)]
        case 90..<94: return [sameValue(table, &random)]
        case 94..<96: return [insertMany(&random)]
        case 96..<97: return [Write("DELETE FROM \(table.name)")]
        case 97..<98: return [script(table, &random)]
        default:
            let columns = list(table.writable.map(quote))
            return [Write("INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM \(table.name) WHERE 0")]
        }
    }

    // MARK: Values

    private func value(_ column: EntityModel.Column, of table: EntityModel, _ random: inout SeededRandom) -> Value {
        if let reference = table.reference, reference.column == column.name {
            switch random.below(10) {
            case 0: return .null
            case 1: return random.pick(Values.keys)
            default: return existing(reference.target, in: reference.parent, &random) ?? .null
            }
        }
        if column.name == "item" {
            return existing(schema.items.key.first?.name ?? "rowid", in: schema.items, &random) ?? 1
        }
        let isKey = table.key.contains { $0.name == column.name } || ["id", "number"].contains(column.name)
        guard isKey else { return Values.any(&random) }
        if column.type == "INTEGER" {
            return random.chance(3)
                ? random.pick([.null, "a", isRepeated ? 31 : .integer(.max), 7.0])
                : .integer(Int64(1 + random.below(30)))
        }
        return random.chance(8) ? .null : random.chance(80) ? random.pick(Values.keys) : random.pick(Values.numbers)
    }

    /// A value that some row has in a column.
    private func existing(_ column: String, in table: EntityModel, _ random: inout SeededRandom) -> Value? {
        let name = column == "rowid" ? "rowid" : "\"\(column)\""
        let count = rows("SELECT count(*) FROM \(table.name)").first?.first?.integer ?? 0
        guard count > 0 else { return nil }
        let order = table.hasRowid ? "rowid" : table.key.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return rows("SELECT \(name) FROM \(table.name) ORDER BY \(order) LIMIT 1 OFFSET \(random.below(Int(count)))")
            .first?.first
    }

    private func rows(_ sql: String) -> [[Value]] {
        guard let statement = try? connection.prepare(sql) else { return [] }
        var result: [[Value]] = []
        while (try? statement.step()) ?? false {
            result.append(statement.rowValues(from: 0, count: statement.columnCount).values)
        }
        return result
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    private func quote(_ column: EntityModel.Column) -> String { "\"\(column.name)\"" }

    /// A condition that holds for one row, some, or all.
    private func condition(_ table: EntityModel, _ random: inout SeededRandom) -> (sql: String, parameters: [Value]) {
        switch random.below(10) {
        case 0: return ("", [])
        case 1, 2:
            let column = random.pick(table.columns)
            return (" WHERE \(quote(column)) IS ?", [existing(column.name, in: table, &random) ?? .null])
        case 3: return (" WHERE \(quote(random.pick(table.columns))) > ?", [Values.any(&random)])
        default:
            let key = table.key.first.map { $0.name } ?? "rowid"
            guard let value = existing(key, in: table, &random) else { return (" WHERE 0", []) }
            return (" WHERE \(key == "rowid" ? key : "\"\(key)\"") IS ?", [value])
        }
    }

    // MARK: Writes

    private func insert(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let columns = random.chance(70) ? table.writable : random.some(table.writable)
        let rowCount = random.chance(75) ? 1 : 1 + random.below(5)
        let row = "(" + list(columns.map { _ in "?" }) + ")"
        let parameters = (0..<rowCount).flatMap { _ in columns.map { value($0, of: table, &random) } }
        let verb = random.pick([
            "INSERT", "INSERT", "INSERT", "INSERT OR IGNORE", "INSERT OR REPLACE", "REPLACE", "INSERT OR FAIL",
            "INSERT OR ROLLBACK",
        ])
        let rows = list(Array(repeating: row, count: rowCount))
        return Write("\(verb) INTO \(table.name) (\(list(columns.map(quote)))) VALUES \(rows)", parameters)
    }

    private func insertMany(_ random: inout SeededRandom) -> Write {
        let key = schema.items.key.map { column in
            column.type == "TEXT" ? "'many-' || (i % 90)" : "i % 70"
        }
        let columns = schema.items.key.map(quote) + ["a", "list_id"]
        let parent = existing("id", in: schema.lists, &random) ?? .null
        return Write(
            "WITH RECURSIVE n(i) AS (SELECT \(random.below(50)) UNION ALL SELECT i + 1 FROM n LIMIT \(isRepeated ? 12 : 10 + random.below(40))) "
                + "INSERT OR REPLACE INTO items (\(list(columns))) SELECT \(list(key + ["i * 37 % 11", "?"])) FROM n",
            [parent])
    }

    private func update(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let columns = Array(random.some(table.writable).prefix(random.chance(70) ? 1 : 3))
        let values = columns.map { value($0, of: table, &random) }
        let condition = condition(table, &random)
        let verb = random.pick([
            "UPDATE", "UPDATE", "UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR FAIL",
            "UPDATE OR ROLLBACK",
        ])
        return Write(
            "\(verb) \(table.name) SET \(list(columns.map { "\(quote($0)) = ?" }))\(condition.sql)",
            values + condition.parameters
        )
    }

    private func delete(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        var condition = condition(table, &random)
        if condition.sql.isEmpty { condition = (" WHERE 1", []) }
        return Write("DELETE FROM \(table.name)\(condition.sql)", condition.parameters)
    }

    private func upsert(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let columns = table.writable
        let set = random.pick(columns)
        return Write(
            "INSERT INTO \(table.name) (\(list(columns.map(quote)))) VALUES (\(list(columns.map { _ in "?" }))) "
                + "ON CONFLICT DO UPDATE SET \(quote(set)) = excluded.\(quote(set))",
            columns.map { value($0, of: table, &random) })
    }

    private func sameValue(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let column = random.pick(table.writable)
        let condition = condition(table, &random)
        return Write(
            "UPDATE \(table.name) SET \(quote(column)) = \(quote(column))\(condition.sql)", condition.parameters)
    }

    /// A change and its reversal: in one transaction, no change.
    private func thereAndBack(_ table: EntityModel, _ random: inout SeededRandom) -> [Write] {
        let id = table.columns.first { $0.name == "id" && $0.type == "INTEGER" }
        if let id, random.chance(50) {
            return [
                Write("UPDATE \(table.name) SET \(quote(id)) = -\(quote(id))"),
                Write("UPDATE \(table.name) SET \(quote(id)) = -\(quote(id))"),
            ]
        }
        guard let column = table.writable.first(where: { $0.name == "a" || $0.name == "name" || $0.name == "word" })
        else {
            return []
        }
        return [
            Write("UPDATE \(table.name) SET \(quote(column)) = \(quote(column)) || '!'"),
            Write(
                "UPDATE \(table.name) SET \(quote(column)) = substr(\(quote(column)), 1, length(\(quote(column))) - 1)"),
        ]
    }

    /// Two rows exchange their keys.
    private func swapKeys(_ table: EntityModel, _ random: inout SeededRandom) -> [Write] {
        guard let key = table.key.first?.name ?? (table.hasRowid ? "rowid" : nil),
            let a = existing(key, in: table, &random), let b = existing(key, in: table, &random), a != b
        else { return [] }
        let name = key == "rowid" ? key : "\"\(key)\""
        let other: Value = key == "rowid" ? .integer(-77) : "between"
        return [(a, other), (b, a), (other, b)].map { from, to in
            Write("UPDATE \(table.name) SET \(name) = ? WHERE \(name) IS ?", [to, from])
        }
    }

    private func typed(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let columns = random.some(table.writable)
        let values = columns.map { (column: $0.name, value: value($0, of: table, &random)) }
        let keys = table.key.isEmpty ? ["rowid"] : table.key.map { "\"\($0.name)\"" }
        let known = rows("SELECT \(list(keys)) FROM \(table.name) ORDER BY \(list(keys))")
        let name = table.name
        guard !known.isEmpty, random.chance(70) else {
            return .insert(name, values)
        }
        let identity = random.pick(known)
        if random.chance(30) { return .delete(name, identity: identity) }
        return .update(name, identity: identity, values)
    }

    private func script(_ table: EntityModel, _ random: inout SeededRandom) -> Write {
        let columns = (0..<2).map { _ in quote(random.pick(table.writable)) }
        return .script(
            "UPDATE \(table.name) SET \(columns[0]) = 1; -- and\n UPDATE \(table.name) SET \(columns[1]) = NULL")
    }
}
