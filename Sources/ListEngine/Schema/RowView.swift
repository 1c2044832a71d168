internal import SQLiteKit

/// A view that shows the rows of one table, each by itself, and is followed as the table is.
///
/// The list's statements read the view's SELECT with the table's rowid as one more column
/// (`RowView.source`). Whether each of its rows is exactly one row of the table is left to SQLite:
/// it must be able to search the SELECT by that column as it searches the table by its rowid, in
/// one step. It can't if the SELECT has an aggregate, a window, DISTINCT, a limit, another SELECT,
/// or a second table.
final class RowView {
    let table: Entity
    /// The numbers of the identity's columns in the table.
    let identityColumns: [Int]
    /// The source that statements read instead of the view.
    let source: String
    /// Whether it has a WHERE.
    let hasCondition: Bool

    fileprivate init(_ table: Entity, identityColumns: [Int], source: String, hasCondition: Bool) {
        self.table = table
        self.identityColumns = identityColumns
        self.source = source
        self.hasCondition = hasCondition
    }
}

/// The parts of a view's text, as far as rows of one table can be meant.
private struct ViewText {
    /// The result columns.
    let columns: Substring
    let table: String
    let alias: String?
    /// WHERE and what follows it; empty if there is none.
    let rest: Substring

    /// nil unless the text is CREATE VIEW … AS SELECT … FROM table [AS alias] [WHERE …].
    init?(_ text: String) {
        let tokens = Array(SQLTokens(text))
        func part(_ range: Range<Int>) -> Substring {
            let bytes = text.utf8
            let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            return text[start..<bytes.index(start, offsetBy: range.count)]
        }
        func isWord(_ word: String, at index: Int) -> Bool { index < tokens.count && tokens[index].token.isWord(word) }
        /// The first word at no depth of parentheses, from an index on.
        func index(of word: String, from start: Int) -> Int? {
            var depth = 0
            for index in start..<max(start, tokens.count) {
                switch tokens[index].token {
                case .punctuation("("): depth += 1
                case .punctuation(")"): depth -= 1
                default: if depth == 0, isWord(word, at: index) { return index }
                }
            }
            return nil
        }
        guard let start = index(of: "AS", from: 0), isWord("SELECT", at: start + 1),
            let from = index(of: "FROM", from: start + 2), from > start + 2, from + 1 < tokens.count,
            let table = tokens[from + 1].token.name
        else { return nil }
        var next = from + 2
        if isWord("AS", at: next) { next += 1 }
        if next < tokens.count, !isWord("WHERE", at: next) {
            guard let alias = tokens[next].token.name else { return nil }
            self.alias = alias
            next += 1
        } else {
            alias = nil
        }
        guard next == tokens.count || isWord("WHERE", at: next) else { return nil }
        self.table = table
        columns = part(tokens[start + 2].range.lowerBound..<tokens[from].range.lowerBound)
        rest = next == tokens.count ? "" : part(tokens[next].range.lowerBound..<text.utf8.count)
    }
}

extension SchemaReader {
    /// The entity of a view whose rows are rows of one table; nil if they are not, or if the
    /// columns that identify them are not the table's key.
    func rowView(_ view: Entity) throws(StoreError) -> Entity? {
        guard view.schema != "temp", let text = try text(of: view), let parts = ViewText(text),
            try kind(AccessLog.TableName(schema: view.schema, table: parts.table)) == .table
        else { return nil }
        let table = try entity(schema: view.schema, table: parts.table)
        guard case .rowid(let tableRowid) = table.storage, !table.isIdentityNullable else { return nil }
        let rowid = unusedName("fr_rowid", in: text)
        let name = quoted(view.name)
        let columns = ([rowid] + view.columns.map(\.name)).map(quoted).joined(separator: ", ")
        let source = """
            (WITH \(name)(\(columns)) AS (SELECT \(quoted(parts.alias ?? table.name, tableRowid)), \(parts.columns)
            FROM \(table.sqlName)\(parts.alias.map { " AS \(quoted($0))" } ?? "") \(parts.rest)
            ) SELECT * FROM \(name)) AS \(name)
            """
        do {
            let search = "SELECT * FROM \(source) WHERE \(name).\(quoted(rowid)) = ?1"
            let (_, log) = try connection.prepareLoggingAccess(search)
            guard log.columns.keys.allSatisfy({ $0.schema == table.schema && isSameName($0.table, table.name) }),
                try isSearchByRowid(search), try changingPart(text, of: table, log) == nil,
                let identity = try identityNumbers(view, table)
            else { return nil }
            let rowView = RowView(
                table, identityColumns: identity, source: source, hasCondition: !parts.rest.isEmpty)
            return Entity(view, showing: rowView, rowidName: rowid)
        } catch  where error.status == .sql {
            // The text is not one of those that `ViewText` means, or lacks a function.
            return nil
        }
    }

    private func text(of view: Entity) throws(StoreError) -> String? {
        try rows(
            "SELECT sql FROM \(quoted(view.schema)).sqlite_schema WHERE type = 'view' AND name = ?1",
            [.text(view.name)]
        ) { $0.text(0) }.first
    }

    /// Whether SQLite runs a statement by searching one table by its rowid, and in no other step
    /// (https://www.sqlite.org/eqp.html).
    private func isSearchByRowid(_ sql: String) throws(StoreError) -> Bool {
        let plan = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
        var steps: [String] = []
        while try plan.step() { steps.append(plan.text(3)) }
        return steps.count == 1 && steps[0].hasPrefix("SEARCH ")
            && steps[0].hasSuffix(" USING INTEGER PRIMARY KEY (rowid=?)")
    }

    /// The numbers of the table's columns that a view's identity shows; nil unless they are the
    /// table's key.
    private func identityNumbers(_ view: Entity, _ table: Entity) throws(StoreError) -> [Int]? {
        let list = view.identityColumns.map { quoted($0.name) }.joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(list) FROM \(view.sqlName)")
        let names = view.identityColumns.indices.map { connection.originColumnName(statement, $0) }
        if table.isIdentityRowid {
            // A column that shows the rowid has the name of its key column, if there is one.
            guard names.count == 1, let name = names[0],
                table.identityColumns.contains(where: { isSameName($0.name, name) })
                    || table.columnIndex(name) == nil
            else { return nil }
            return []
        }
        let numbers = names.compactMap { $0.flatMap(table.columnIndex) }
        let key = Set(table.identityColumns.compactMap { table.columnIndex($0.name) })
        return numbers.count == names.count && numbers.count == key.count && Set(numbers) == key ? numbers : nil
    }
}
