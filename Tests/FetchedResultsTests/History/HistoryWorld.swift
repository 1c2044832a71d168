import FetchedResults
import SQLiteKit
import TestSupport

/// Two random tables that write to each other, and random statements of a program that uses plain
/// SQLite.
struct HistoryWorld {
    struct Table {
        let name: String
        /// All but a generated one.
        var columns: [String]
        var definitions: [String] = []
        /// The declared key; none where the rowid identifies a row.
        var key: [String] = []
        var hasRowid = true
        /// Indexes and triggers.
        var others: [String] = []
        var isGenerated = false
    }

    var random: SeededRandom
    private(set) var tables: [Table] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let names = random.chance(30) ? ["new", "old"] : ["t", "s"]
        tables = names.map { Table(name: $0, columns: ["a", "b", random.chance(15) ? "oid" : "c"]) }
        for index in tables.indices { declare(index) }
        for index in tables.indices where random.chance(40) { addTrigger(index) }
    }

    var schema: [String] {
        tables.map { table in
            "CREATE TABLE \(table.name) (\(table.definitions.joined(separator: ", ")))"
                + (table.hasRowid ? "" : " WITHOUT ROWID")
        } + tables.flatMap(\.others)
    }

    // MARK: The schema

    private mutating func conflict() -> String {
        random.chance(40)
            ? " ON CONFLICT " + random.pick(["REPLACE", "REPLACE", "IGNORE", "FAIL", "ABORT", "ROLLBACK"]) : ""
    }

    private mutating func value() -> String {
        random.pick(["1", "1", "2", "2", "'a'", "'a'", "'A'", "'a '", "NULL", "1.0", "x'61'", "'1'", "5"])
    }

    private mutating func declare(_ index: Int) {
        var table = tables[index]
        let other = tables[1 - index].name
        let columns = table.columns
        let single = random.pick([
            "", "", "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "INT PRIMARY KEY", "TEXT PRIMARY KEY",
            "TEXT COLLATE NOCASE PRIMARY KEY",
        ])
        let isComposite = single.isEmpty && random.chance(50)
        if !single.isEmpty && single != "INTEGER PRIMARY KEY" { table.key = [columns[0]] }
        if isComposite { table.key = [columns[0], columns[1]] }
        table.hasRowid = single.isEmpty && !isComposite || random.chance(70)
        if !table.hasRowid, single == "INTEGER PRIMARY KEY" { table.key = [columns[0]] }
        for (column, name) in columns.enumerated() {
            var definition = name + " "
            if column == 0, !single.isEmpty {
                definition += single + conflict()
            } else {
                definition += random.pick(["", "TEXT", "INT", "REAL", "NUMERIC", "BLOB", "INTEGER"])
                if random.chance(25) { definition += " UNIQUE" + conflict() }
            }
            if random.chance(30) { definition += " NOT NULL" + conflict() }
            if random.chance(35) { definition += " DEFAULT " + random.pick(["1", "2", "'a'", "5"]) }
            if random.chance(20) { definition += " COLLATE " + random.pick(["NOCASE", "RTRIM"]) }
            if random.chance(15) { definition += " REFERENCES \(other)" + action() }
            table.definitions.append(definition)
        }
        if random.chance(35) {
            let expression = random.pick(["b || \(columns[2])", "abs(b)", "lower(\(columns[2]))"])
            table.definitions.append(
                "g \(random.pick(["", "TEXT", "INT"])) AS (\(expression)) \(random.pick(["STORED", "VIRTUAL"]))"
                    + (random.chance(50) ? " UNIQUE" + conflict() : ""))
            table.isGenerated = true
        }
        if isComposite {
            table.definitions.append(
                "PRIMARY KEY (a \(random.pick(["", "DESC"])), b COLLATE \(random.pick(["NOCASE", "BINARY"])))"
                    + conflict())
        }
        if random.chance(25) { table.definitions.append("UNIQUE (b, \(columns[2]))" + conflict()) }
        for number in 0..<random.below(3) { table.others.append(makeIndex(table, number)) }
        tables[index] = table
    }

    private mutating func action() -> String {
        random.pick([
            "", " ON DELETE CASCADE", " ON DELETE SET NULL ON UPDATE CASCADE",
            " ON UPDATE SET DEFAULT ON DELETE SET DEFAULT", " ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
        ])
    }

    private mutating func makeIndex(_ table: Table, _ number: Int) -> String {
        let last = table.columns[2]
        let isUnique = random.chance(70)
        var columns = ["a", "b DESC", "\(last) COLLATE NOCASE", "b, \(last) DESC"]
        if table.isGenerated { columns.append("g") }
        // REPLACE deletes rows by unique ones of these unnoticed, and a history is refused.
        if !isUnique { columns += ["lower(b)", "a, b || 'x'"] }
        let condition = random.pick([
            "\(last) = 1", "b IS NOT NULL", "\(table.name).b > 1", "lower(a) = \"a\"", "\"b\" <> 2 -- not 2",
            "main.\(table.name).b IN (1, .5, 2)",
        ])
        return "CREATE \(isUnique ? "UNIQUE " : "")INDEX of_\(table.name)_\(number) ON \(table.name) "
            + "(\(random.pick(columns)))" + (random.chance(60) ? " WHERE \(condition)" : "")
    }

    private mutating func addTrigger(_ index: Int) {
        let (table, other) = (tables[index], tables[1 - index])
        let event = random.pick(["INSERT", "UPDATE", "DELETE"])
        let row = event == "DELETE" ? "OLD" : "NEW"
        let time = random.pick(["AFTER", "BEFORE"])
        let values = table.columns.map { "\(row).\($0)" }.joined(separator: ", ")
        var bodies = [
            "INSERT OR \(random.pick(["REPLACE", "IGNORE"])) INTO \(other.name) "
                + "(\(other.columns.joined(separator: ", "))) VALUES (\(values))",
            "UPDATE OR REPLACE \(other.name) SET b = \(row).b WHERE a = \(value())",
            "DELETE FROM \(other.name) WHERE b = \(row).b",
            "SELECT RAISE(IGNORE) WHERE \(row).b = \(value())",
        ]
        // Otherwise the row itself may be changed before it is updated, and a history is refused.
        if time == "AFTER" || event == "INSERT" {
            bodies.append("UPDATE \(table.name) SET \(table.columns[2]) = \(value()) WHERE b = \(value())")
        }
        tables[index].others.append(
            "CREATE TRIGGER of_\(table.name) \(time) \(event) ON \(table.name) BEGIN \(random.pick(bodies)); END")
    }

    // MARK: Statements

    mutating func statement() -> String {
        let table = random.pick(tables)
        let columns = table.columns + (table.hasRowid && random.chance(20) ? ["_rowid_"] : [])
        let clause = random.pick([
            "", "OR REPLACE ", "OR REPLACE ", "OR REPLACE ", "OR REPLACE ", "OR REPLACE ", "OR IGNORE ", "OR FAIL ",
            "OR ABORT ", "OR ROLLBACK ",
        ])
        let used = random.some(columns)
        let condition = random.pick([
            "\(random.pick(table.columns)) = \(value())", "1", "\(random.pick(table.columns)) > \(value())",
            "\(random.pick(table.columns)) IS NULL",
        ])
        let source = random.pick(tables)
        switch random.below(10) {
        case 0...3:
            let rows = (0...random.below(2)).map { _ in
                "(" + used.map { _ in value() }.joined(separator: ", ") + ")"
            }
            var sql = "INSERT \(clause)INTO \(table.name) (\(used.joined(separator: ", "))) "
            sql += "VALUES " + rows.joined(separator: ", ")
            if random.chance(20) {
                let value = random.chance(50) ? value() : "excluded.\(used[0])"
                sql += " ON CONFLICT DO UPDATE SET \(random.pick(used)) = \(value)"
            }
            return random.chance(10) ? sql + " RETURNING *" : sql
        case 4:
            return "INSERT \(clause)INTO \(table.name) (\(table.columns.joined(separator: ", "))) "
                + "SELECT \(source.columns.joined(separator: ", ")) FROM \(source.name)"
        case 5: return random.chance(90) ? "DELETE FROM \(table.name) WHERE \(condition)" : "DELETE FROM \(table.name)"
        case 6:
            return
                "UPDATE \(clause)\(table.name) SET \(used[0]) = z.\(random.pick(source.columns)) FROM \(source.name) "
                + "AS z WHERE z.b = \(table.name).\(random.pick(table.columns))"
        default:
            let changes = used.map { "\($0) = \(random.chance(65) ? value() : random.pick(table.columns))" }
            return "UPDATE \(clause)\(table.name) SET \(changes.joined(separator: ", ")) WHERE \(condition)"
        }
    }
}
