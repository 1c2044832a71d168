internal import ListEngine
internal import SQLiteKit

/// The triggers that note the keys of the rows of one table which any connection touches.
///
/// Where REPLACE deletes rows to make room for another, delete triggers do not run unless recursive
/// triggers are enabled (https://www.sqlite.org/lang_conflict.html). So the rows that a new one may
/// replace are noted before it is inserted, for each unique index. Whether an update changes a
/// column of one is determined by the values: `UPDATE OF` compares names, and generated columns and
/// the rowid change under others.
struct HistoryTriggers {
    let tableID: Int64
    let table: HistoryTable
    /// Columns that are unique together, by which REPLACE can delete a row with another row key:
    /// those of indexes, and the rowid.
    let uniqueColumns: [[UniqueColumn]]

    struct UniqueColumn {
        let name: String
        let collation: String
    }

    /// The beginning of the names of all triggers of a table.
    static func prefix(_ tableID: Int64) -> String { "\(HistoryTables.entries)_\(tableID)_" }

    private func name(_ event: String) -> String { quoted(Self.prefix(tableID) + event) }

    var creation: [String] {
        var triggers = [
            trigger("insert", "AFTER INSERT", [note("NEW"), HistoryTables.pruning]),
            trigger("delete", "AFTER DELETE", [note("OLD"), HistoryTables.pruning]),
            trigger(
                "update", "AFTER UPDATE",
                [note("NEW"), note("OLD", where: differs(table.rowKey)), HistoryTables.pruning]),
        ]
        for (index, columns) in uniqueColumns.enumerated() {
            let note = noteRows(equalIn: columns)
            triggers.append(trigger("replace_\(index)", "BEFORE INSERT", [note]))
            triggers.append(trigger("exchange_\(index)", "BEFORE UPDATE", when: differs(columns.map(\.name)), [note]))
        }
        return triggers
    }

    private func trigger(
        _ event: String, _ time: String, when condition: String? = nil, _ statements: [String]
    ) -> String {
        let body = statements.map { "\($0); " }.joined()
        let condition = condition.map { "WHEN \($0) " } ?? ""
        return "CREATE TRIGGER main.\(name(event)) \(time) ON \(quoted(table.name)) \(condition)BEGIN \(body)END"
    }

    private var keyColumns: String {
        (["table_id"] + (table.rowid == nil ? [] : ["row_id"]) + table.key.indices.map(HistoryTables.keyColumn))
            .joined(separator: ", ")
    }

    private func keyValues(_ row: String) -> String {
        ([String(tableID)] + table.rowKey.map { "\(row).\(quoted($0))" }).joined(separator: ", ")
    }

    private func note(_ row: String, where condition: String? = nil) -> String {
        "INSERT INTO \(HistoryTables.entries) (generation, \(keyColumns)) "
            + "SELECT \(HistoryTables.nextGeneration), \(keyValues(row))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    private func differs(_ columns: [String]) -> String {
        columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)) COLLATE BINARY" }.joined(separator: " OR ")
    }

    /// Notes the rows that agree with the new one. Their generations are consecutive.
    private func noteRows(equalIn columns: [UniqueColumn]) -> String {
        let test = columns.map { "\(quoted($0.name)) = NEW.\(quoted($0.name)) COLLATE \(quoted($0.collation))" }
        return "INSERT INTO \(HistoryTables.entries) (\(keyColumns)) SELECT \(keyValues(quoted(table.name))) "
            + "FROM \(quoted(table.name)) WHERE \(test.joined(separator: " AND "))"
    }
}

/// The columns that a history notes of the rows of one table.
struct HistoryTable {
    let name: String
    /// A name by which SQL reaches the rowid; nil for a table WITHOUT ROWID.
    let rowid: String?
    /// The columns of the declared key; none where only the rowid identifies a row.
    let key: [String]

    /// All noted columns.
    var rowKey: [String] { [rowid].compactMap(\.self) + key }
}
