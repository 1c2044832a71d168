internal import SQLiteKit

/// The triggers that write to a full-text index whose texts a table has.
struct IndexTriggers {
    private typealias Tokens = ArraySlice<(token: SQLTokens.Token, text: String)>

    /// One trigger that names the index.
    private struct Trigger {
        let tokens: Tokens
        /// Whether it is a trigger of the table, in the same database.
        let isOfTable: Bool
        /// The place of ON.
        let on: Int
    }

    private let index: String
    private let columns: [String]
    private let table: Entity
    private let triggers: [Trigger]

    /// - Parameter columns: The names of the index's columns.
    init(of index: AccessLog.TableName, _ columns: [String], on table: Entity, _ schema: SchemaReader)
        throws(StoreError)
    {
        self.index = index.table
        self.columns = columns
        self.table = table
        let texts = try schema.rows(
            """
            SELECT sql, tbl_name = ?1 COLLATE NOCASE FROM \(quoted(table.schema)).sqlite_schema WHERE type = 'trigger' \
            UNION ALL SELECT sql, 0 FROM temp.sqlite_schema WHERE type = 'trigger'
            """, [.text(table.name)]
        ) { ($0.text(0), $0.integer(1) != 0) }
        triggers = texts.compactMap { text, isOfTable in
            let bytes = Array(text.utf8)
            let tokens: Tokens = SQLTokens(text).map { ($0.token, String(decoding: bytes[$0.range], as: UTF8.self)) }[
                ...]
            guard let on = tokens.firstIndex(where: { $0.token.isWord("ON") }),
                tokens[on...].contains(where: { $0.token.name.map { isSameName($0, index.table) } ?? false })
            else { return nil }
            return Trigger(tokens: tokens, isOfTable: isOfTable, on: on)
        }
    }

    private static let events = ["INSERT", "DELETE", "UPDATE"]

    /// Whether they write to the index with each row that is inserted, updated and deleted: so no
    /// document changes alone.
    var follow: Bool {
        Self.events.allSatisfy { event in
            triggers.contains { $0.isOfTable && $0.tokens[..<$0.on].contains { $0.token.isWord(event) } }
        }
    }

    /// Whether they write the row's texts, and nothing else, with each row, in the form of FTS5's
    /// manual (https://www.sqlite.org/fts5.html#external_content_tables).
    var writeTexts: Bool {
        triggers.count == Self.events.count
            && Self.events.allSatisfy { event in
                triggers.contains { $0.isOfTable && writesTexts($0, after: event) }
            }
    }

    private func writesTexts(_ trigger: Trigger, after event: String) -> Bool {
        let (tokens, on) = (trigger.tokens, trigger.on)
        // Not an UPDATE OF some columns, and without WHEN.
        guard on >= 2, tokens[on - 1].token.isWord(event), tokens[on - 2].token.isWord("AFTER"),
            let begin = tokens.firstIndex(where: { $0.token.isWord("BEGIN") }),
            let end = tokens.lastIndex(where: { $0.token.isWord("END") }), begin < end,
            begin == on + 2 || begin == on + 5 && tokens[on + 2].token.isWord("FOR")
        else { return false }
        let statements = tokens[(begin + 1)..<end].split { $0.token == .punctuation(";") }
        switch event {
        case "INSERT": return statements.count == 1 && writes(statements[0], "new")
        case "DELETE": return statements.count == 1 && writes(statements[0], "old")
        default: return statements.count == 2 && writes(statements[0], "old") && writes(statements[1], "new")
        }
    }

    /// Whether a statement is `INSERT INTO words (rowid, body) VALUES (new.id, new.body)`, or the
    /// same with the command 'delete' and the old row.
    private func writes(_ statement: Tokens, _ row: String) -> Bool {
        var rest = statement
        func take(_ isExpected: (SQLTokens.Token) -> Bool) -> Bool {
            guard let first = rest.first, isExpected(first.token) else { return false }
            rest.removeFirst()
            return true
        }
        /// The parts between parentheses, at commas.
        func takeList() -> [Tokens]? {
            guard take({ $0 == .punctuation("(") }), let end = rest.firstIndex(where: { $0.token == .punctuation(")") })
            else { return nil }
            defer { rest = rest[(end + 1)...] }
            return rest[..<end].split(omittingEmptySubsequences: false) { $0.token == .punctuation(",") }
        }
        guard take({ $0.isWord("INSERT") }), take({ $0.isWord("INTO") }) else { return false }
        guard take({ $0.name.map { isSameName($0, index) } ?? false }), let names = takeList(),
            take({ $0.isWord("VALUES") }), let values = takeList(), rest.isEmpty, names.count == values.count
        else { return false }
        var missing = Set(columns.map(FoldedName.init))
        var (hasRowid, isDelete) = (false, false)
        for (name, value) in zip(names, values) {
            guard name.count == 1, let name = name.first?.token.name else { return false }
            if isSameName(name, index) {
                isDelete = value.count == 1 && value.first.map { isSameName($0.text, "'delete'") } ?? false
                guard isDelete else { return false }
                continue
            }
            guard value.count == 3, let first = value.first?.token.name, isSameName(first, row),
                value.dropFirst().first?.token == .punctuation("."), let column = value.last?.token.name
            else { return false }
            if missing.remove(FoldedName(name)) != nil {
                guard isSameName(name, column) else { return false }
            } else {
                guard !hasRowid, Entity.isRowid(name), table.hasRowid(named: column) else { return false }
                hasRowid = true
            }
        }
        return missing.isEmpty && hasRowid && isDelete == (row == "old")
    }
}
