package import SQLiteKit

/// The tables in which virtual tables keep their rows, whose changes hooks report.
extension SchemaReader {
    /// The tables that determine what a virtual table yields: its shadow tables
    /// (https://www.sqlite.org/vtab.html#xshadowname) and, of a full-text index, the table that has
    /// the texts. nil if not all of them are known, and in the rollback modes.
    ///
    /// A full-text index that has its texts yields the same as long as these, their sizes and its
    /// settings do. The words of one that has none can change alone, by `rebuild`.
    func tables(ofVirtual virtual: AccessLog.TableName) throws(StoreError) -> [Entity]? {
        guard try reportsShadows(of: virtual.schema) else { return nil }
        let shadows = try shadows(of: virtual)
        guard !shadows.isEmpty, let declaration = try declaration(of: virtual) else { return nil }
        func entities(_ suffixes: Set<String>?) throws(StoreError) -> [Entity] {
            let wanted = shadows.filter { shadow in suffixes?.contains { isSameName($0, shadow.suffix) } ?? true }
            return try wanted.map { shadow throws(StoreError) in try entity(schema: virtual.schema, table: shadow.name)
            }
        }
        guard ["fts3", "fts4", "fts5"].contains(declaration.module.lowercased()) else { return try entities(nil) }
        guard let content = declaration.options["content"] else {
            return shadows.contains { isSameName($0.suffix, "content") }
                ? try entities(["content", "docsize", "config"]) : nil
        }
        if content.isEmpty { return try entities(nil) }
        let table = AccessLog.TableName(schema: virtual.schema, table: content)
        guard try kind(table) == .table else { return nil }
        return try entities(nil) + [entity(schema: table.schema, table: table.table)]
    }

    /// Whether all changes of shadow tables are reported. In the rollback modes a history records
    /// what other connections commit, and these tables can't have one.
    func reportsShadows(of schema: String) throws(StoreError) -> Bool {
        if connection.fileName(of: schema) == nil { return true }
        return try connection.isWriteAhead(schema)
    }

    /// Whether an entity is a table of FTS5.
    func isFullTextIndex(_ entity: Entity) throws(StoreError) -> Bool {
        let table = AccessLog.TableName(schema: entity.schema, table: entity.name)
        guard try kind(table) == .virtual, let module = try declaration(of: table)?.module else { return false }
        return isSameName(module, "fts5")
    }

    /// The virtual table that keeps its rows in a shadow table, with its module, and the part of
    /// the shadow table's name after its own; nil for another table.
    package func owner(
        ofShadow table: String, in schema: String
    ) throws(StoreError) -> (name: String, module: String, suffix: String)? {
        let isShadow = try rows(
            "SELECT 1 FROM pragma_table_list(?1) WHERE schema = ?2 AND type = 'shadow'", [.text(table), .text(schema)]
        ) { $0.integer(0) }
        if isShadow.isEmpty { return nil }
        let virtuals = try rows(
            "SELECT name FROM pragma_table_list WHERE schema = ?1 AND type = 'virtual'", [.text(schema)]
        ) { AccessLog.TableName(schema: schema, table: $0.text(0)) }
        for virtual in virtuals {
            if let shadow = try shadows(of: virtual).first(where: { isSameName($0.name, table) }) {
                return (virtual.table, try declaration(of: virtual)?.module.lowercased() ?? "", shadow.suffix)
            }
        }
        return nil
    }

    /// The shadow tables of a virtual table, and the parts of their names after its own. A table
    /// that could belong to two belongs to the one with the longer name.
    func shadows(of virtual: AccessLog.TableName) throws(StoreError) -> [(name: String, suffix: String)] {
        let tables = try rows(
            "SELECT name, type FROM pragma_table_list WHERE schema = ?1 AND type IN ('shadow', 'virtual')",
            [.text(virtual.schema)]
        ) { (name: $0.text(0), isShadow: $0.text(1) == "shadow") }
        func suffix(_ name: String, _ owner: String) -> String? {
            let prefix = owner + "_"
            let (start, rest) = (name.utf8.prefix(prefix.utf8.count), name.utf8.dropFirst(prefix.utf8.count))
            return isSameName(String(decoding: start, as: UTF8.self), prefix)
                ? String(decoding: rest, as: UTF8.self) : nil
        }
        let owners = tables.filter { !$0.isShadow && $0.name.utf8.count > virtual.table.utf8.count }
        return tables.compactMap { table in
            guard table.isShadow, let rest = suffix(table.name, virtual.table),
                !owners.contains(where: { suffix(table.name, $0.name) != nil })
            else { return nil }
            return (table.name, rest)
        }
    }

    /// The module of a virtual table, its arguments, and of these the options, by their names in
    /// lower case. An option is an argument such as `content='notes'`, `content="notes"` or
    /// `content=notes`.
    func declaration(
        of virtual: AccessLog.TableName
    ) throws(StoreError) -> (module: String, arguments: [String], options: [String: String])? {
        let texts = try rows(
            "SELECT sql FROM \(quoted(virtual.schema)).sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
            [.text(virtual.table)]
        ) { $0.text(0) }
        guard let sql = texts.first else { return nil }
        var tokens = SQLTokens(sql).makeIterator()
        while let (token, _) = tokens.next() {
            if token.isWord("USING") { break }
        }
        guard let module = tokens.next().flatMap({ $0.token.name }) else { return nil }
        let bytes = Array(sql.utf8)
        var (arguments, options): ([String], [String: String]) = ([], [:])
        var (start, depth) = (0, 0)
        var (before, last): (SQLTokens.Token?, SQLTokens.Token?)
        while let (token, range) = tokens.next() {
            if last == .punctuation("="), let name = before?.name {
                options[name.lowercased()] =
                    token.name ?? SQLTokens.string(String(decoding: bytes[range], as: UTF8.self))
            }
            if token == .punctuation(")") { depth -= 1 }
            if depth == 0 && token == .punctuation(")") || depth == 1 && token == .punctuation(",") {
                arguments.append(String(decoding: bytes[start..<range.lowerBound], as: UTF8.self))
                start = range.upperBound
            }
            if token == .punctuation("(") {
                depth += 1
                if depth == 1 { start = range.upperBound }
            }
            (before, last) = (last, token)
        }
        return (module, arguments, options)
    }
}

extension SQLTokens {
    /// The text of a string literal, in which two quotes mean one; other literals as they are.
    fileprivate static func string(_ literal: String) -> String {
        guard literal.utf8.first == 0x27 else { return literal }
        var isFirst = false
        let bytes = literal.utf8.dropFirst().dropLast().filter { byte in
            isFirst = byte == 0x27 && !isFirst
            return byte != 0x27 || isFirst
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
