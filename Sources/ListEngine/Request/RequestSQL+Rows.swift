internal import SQLiteKit

/// The texts of the statements that read some columns of rows by their keys.
extension RequestSQL {
    var identityColumns: IdentityColumns { IdentityColumns(Array(identity.indices), entity) }

    /// Whether so many columns fit into one result with the identity before them.
    func fitsBehindIdentity(_ count: Int) -> Bool { identity.count + count <= columnLimit }

    /// The text of a statement of a `RowReader`; nil if no statement reads rows in that way.
    ///
    /// - Parameter filtered: Whether only rows are read that satisfy the predicate.
    func rows(_ way: RowReader.Way, _ columns: [String], filtered: Bool) -> String? {
        let fits = fitsBehindIdentity(columns.count)
        let result = fits ? identity + columns : columns
        let condition = filtered ? rowPredicate.map { "(\($0)\n) AND " } ?? "" : ""
        func select(_ result: [String], from source: String, _ test: String) -> String {
            "SELECT \(list(result)) FROM \(source) WHERE \(condition)\(test)"
        }
        switch way {
        case .one(let key): return select(result, from: entity.sqlName, isKey(key) { parameter(0, $0) })
        case .many(let key):
            guard fits, isListable(condition) else { return nil }
            switch key {
            case .rowid: return select(result, from: listed, isKey(key) { _ in number })
            case .identity:
                guard result.count < columnLimit else { return nil }
                return select(result + [number], from: listed, isKey(key, keyPart))
            }
        case .range:
            guard case .rowid(let name) = entity.storage, fits, !filtered else { return nil }
            let test = "\(quoted(entity.name, name)) BETWEEN ?1 AND ?2"
            return select(result, from: entity.sqlNameNotIndexed, test)
        case .search(let count):
            let tests = (0..<count).map { number in "(\(isKey(.identity) { parameter(number, $0) }))" }
            return select(result, from: entity.sqlName, tests.joined(separator: " OR "))
        case .scan:
            return isWindow ? ordered(rows(result)) : rows(result)
        }
    }

    /// Whether a row has a key.
    private func isKey(_ key: RowReader.KeyKind, _ value: (Int) -> String) -> String {
        switch (key, entity.storage) {
        case (.rowid, .rowid(let name)): "\(quoted(entity.name, name)) = \(value(0))"
        case (.rowid, _): "0"
        case (.identity, _):
            entity.identityColumns.enumerated().map { isIdentity($1, value($0)) }.joined(separator: " AND ")
        }
    }

    /// Whether a column of the identity has a value. Columns of a view can be NULL, and SQL can
    /// compare them by another collation. The list distinguishes its rows by the collation of the
    /// table's column.
    private func isIdentity(_ column: Entity.Column, _ value: String) -> String {
        let name = quoted(entity.name, column.name)
        return entity.storage == .unobserved
            ? "\(name) COLLATE \(quoted(column.collation.name)) IS \(value)" : "\(name) = \(value)"
    }

    /// A parameter for a value of a key. It has a name, so that it follows the predicate's,
    /// whatever form those have.
    private func parameter(_ key: Int, _ part: Int) -> String {
        ":\(unusedName("fr_key", in: predicate ?? ""))\(key)_\(part)"
    }

    /// Whether no name of the predicate could mean the column of the table of rowids.
    private func isListable(_ condition: String) -> Bool {
        entity.storage != .unobserved
            && unusedName(RowidVirtualTable.columnName, in: condition) == RowidVirtualTable.columnName
    }

    /// The rows of the entity for each entry of the connection's table of rowids.
    private var listed: String { "\(quoted(RowidVirtualTable.name)) CROSS JOIN \(entity.sqlName)" }

    /// The entry: a rowid, or a number in the list of keys.
    private var number: String { quoted(RowidVirtualTable.name, RowidVirtualTable.columnName) }

    /// A value of the key that has the number.
    private func keyPart(_ part: Int) -> String { "\(KeyList.functionName)(\(number), \(part))" }
}
