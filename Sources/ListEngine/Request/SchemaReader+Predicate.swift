internal import SQLiteKit

extension SchemaReader {
    /// A predicate in SQL: each key path is replaced, which is a foreign key column followed by
    /// dots and names.
    ///
    /// - Parameter name: The SQL for a key path, given its number among those in the text; nil for
    ///   its own.
    func predicate(
        _ text: String, of entity: Entity, keyPathsAs name: ((Int) -> String)? = nil
    ) throws(StoreError) -> (sql: String, keyPaths: [KeyPath]) {
        let bytes = Array(text.utf8)
        let tokens = Array(SQLTokens(text))
        var sql = ""
        var copied = 0
        var keyPaths: [KeyPath] = []
        var index = 0
        while index < tokens.count {
            let names = dottedNames(tokens[index...])
            if names.count > 1, entity.hasForeignKey(names[0]) {
                let keyPath = try keyPath(names, of: entity, names.joined(separator: "."))
                keyPaths.append(keyPath)
                sql += String(decoding: bytes[copied..<tokens[index].range.lowerBound], as: UTF8.self)
                sql += name?(keyPaths.count - 1) ?? keyPath.sql(entity: entity)
                let end = index + names.count * 2 - 1
                // A subquery has no collation; in a comparison without one, the column's own is
                // expected.
                if !keyPath.column.collation.isBinary, !isCollationGiven(tokens[end...].map(\.token)) {
                    sql += " COLLATE \(quoted(keyPath.column.collation.name))"
                }
                copied = tokens[end - 1].range.upperBound
            }
            index += max(1, names.count * 2 - 1)
        }
        sql += String(decoding: bytes[copied...], as: UTF8.self)
        return (sql, keyPaths)
    }

    /// Whether the rest of a comparison has a COLLATE, for the operand itself or for the other one.
    private func isCollationGiven(_ rest: [SQLTokens.Token]) -> Bool {
        var depth = 0
        for token in rest {
            if token == .punctuation("(") { depth += 1 }
            if token == .punctuation(")") { depth -= 1 }
            if depth < 0 || depth == 0 && token == .punctuation(",") { return false }
            guard depth == 0, case .word(let word) = token else { continue }
            if isSameName(word, "COLLATE") { return true }
            if ["AND", "OR", "WHEN", "THEN", "ELSE", "END"].contains(where: { isSameName(word, $0) }) { return false }
        }
        return false
    }

    /// Whether each parenthesis is closed, and none is closed that was not opened: such a text
    /// stays between two parentheses of the statement's own.
    func isBalanced(_ text: String) -> Bool {
        var depth = 0
        for (token, _) in SQLTokens(text) {
            if token == .punctuation("(") { depth += 1 }
            if token == .punctuation(")") { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }

    /// The names at the beginning of some tokens that are joined by dots.
    private func dottedNames(_ tokens: ArraySlice<(token: SQLTokens.Token, range: Range<Int>)>) -> [String] {
        var names: [String] = []
        var rest = tokens
        while let name = rest.popFirst()?.token.name {
            names.append(name)
            guard rest.first?.token == .punctuation("."), rest.dropFirst().first?.token.name != nil else {
                return names
            }
            rest.removeFirst()
        }
        return names
    }
}
