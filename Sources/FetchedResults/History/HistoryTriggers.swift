internal import ListEngine
internal import SQLiteKit

/// The triggers that note the keys of the rows of one table which any connection touches.
///
/// Where REPLACE deletes rows to make room for another, delete triggers do not run unless recursive
/// triggers are enabled (https://www.sqlite.org/lang_conflict.html). So the rows that a new one may
/// replace are noted before it is inserted, for each unique index. Whether an update changes a
/// column of one is determined by the values: `UPDATE OF` compares names, and generated columns and
/// the rowid change under other names.
///
/// Rows that are deleted or updated are noted before that: afterwards, when SQLite has compared
/// their keys with the keys of rows that refer to them, a text may have become a number.
struct HistoryTriggers {
    let tableID: Int64
    let table: Entity
    /// By which REPLACE can delete a row with another row key.
    let uniqueKeys: [UniqueKey]
    /// Columns with unique or noted values in which REPLACE exchanges NULL for a default, when the
    /// triggers have run.
    let defaultedColumns: [String]

    /// The beginning of the names of all triggers of a table.
    static func prefix(_ tableID: Int64) -> String { "\(HistoryTables.entries)_\(tableID)_" }

    private func name(_ event: String) -> String { quoted(Self.prefix(tableID) + event) }

    var creation: [String] {
        var triggers = [
            trigger("insert", "AFTER INSERT", [note("NEW"), HistoryTables.pruning]),
            trigger("delete", "BEFORE DELETE", [note("OLD"), HistoryTables.pruning]),
            trigger(
                "update", "BEFORE UPDATE",
                [note("NEW", where: canExist), note("OLD", where: differs(table.notedColumns)), HistoryTables.pruning]),
        ]
        for (index, key) in uniqueKeys.enumerated() {
            let note = noteRows(equalBy: key)
            triggers.append(trigger("replace_\(index)", "BEFORE INSERT", [note]))
            triggers.append(trigger("exchange_\(index)", "BEFORE UPDATE", when: differs(key.origins), [note]))
        }
        if !defaultedColumns.isEmpty {
            let isNull = defaultedColumns.map { "NEW.\(quoted($0)) IS NULL" }.joined(separator: " OR ")
            for event in ["INSERT", "UPDATE"] {
                triggers.append(
                    trigger("gap_\(event.lowercased())", "BEFORE \(event)", when: isNull, [HistoryTables.gap(tableID)]))
            }
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
        (["table_id"] + (table.rowidName == nil ? [] : ["row_id"])
            + table.declaredKey.indices.map(HistoryTables.keyColumn))
            .joined(separator: ", ")
    }

    private func keyValues(_ row: String) -> String {
        ([String(tableID)] + table.notedColumns.map { "\(row).\(quoted($0))" }).joined(separator: ", ")
    }

    private func note(_ row: String, where condition: String? = nil) -> String {
        "INSERT INTO \(HistoryTables.entries) (generation, \(keyColumns)) "
            + "SELECT \(HistoryTables.nextGeneration), \(keyValues(row))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    private func differs(_ columns: [String]) -> String {
        columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)) COLLATE BINARY" }.joined(separator: " OR ")
    }

    /// Whether an updated row can exist: before that, its key may hold a NULL which the table does
    /// not allow.
    private var canExist: String? {
        let key = table.declaredKey
        return table.isIdentityNullable || key.isEmpty
            ? nil : key.map { "NEW.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
    }

    /// Notes the rows that agree with the new one. Their generations are consecutive. The table has
    /// another name in it, since its own may be "new" or "old".
    private func noteRows(equalBy key: UniqueKey) -> String {
        let test = key.columns.map {
            "other.\(quoted($0.name)) = NEW.\(quoted($0.name)) COLLATE \(quoted($0.collation))"
        }
        let condition = key.condition.map { ["(\($0))"] } ?? []
        return "INSERT INTO \(HistoryTables.entries) (\(keyColumns)) SELECT \(keyValues("other")) "
            + "FROM \(quoted(table.name)) AS other WHERE \((test + condition).joined(separator: " AND "))"
    }
}

extension Entity {
    /// The columns of the declared key; none where only the rowid identifies a row.
    var declaredKey: [String] { isIdentityRowid ? [] : identityColumns.map(\.name) }

    /// The columns that a history notes of the rows of the table.
    fileprivate var notedColumns: [String] { [rowidName].compactMap(\.self) + declaredKey }
}

/// Columns by whose values REPLACE deletes the row that has them: the columns of a unique index, or
/// the rowid.
struct UniqueKey {
    let columns: [(name: String, collation: String)]
    /// Which rows a partial index contains.
    let condition: String?
    /// The columns from which follows whether and how a row is contained. There are no generated
    /// ones: in a BEFORE UPDATE trigger these have their values only if it reads the columns from
    /// which they are computed.
    let origins: [String]
}
