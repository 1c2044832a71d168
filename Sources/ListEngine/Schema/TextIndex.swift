internal import SQLiteKit

/// A full-text index of FTS5 whose touched documents are known by rows of ordinary tables.
///
/// SQLite reports no rows of virtual tables. But FTS5 writes a row of a table of its own for each
/// document that it indexes or removes, under the document's rowid
/// (https://www.sqlite.org/fts5.html#fts5_data_structures): its texts in `%_content`, if it has
/// them, and else the number of its words in `%_docsize`. So a document is read again where such a
/// row was touched, as a row of a table is. Merges of the index touch none.
final class TextIndex {
    private let name: AccessLog.TableName
    /// The tables in which a row is touched, with the document's rowid, where a document is; none
    /// if not all touched documents are known.
    let tables: [Entity]
    /// The one that has the texts, and the numbers of its columns that the index shows; nil for an
    /// index without texts, which shows NULL.
    let texts: (table: Entity, columns: [Int])?
    /// The words by documents, where these can change while all rows of `tables` stay the same:
    /// the log shows only rows that differ, and another text can have as many words.
    let words: Entity?

    fileprivate init(
        _ name: AccessLog.TableName, _ tables: [Entity], texts: (table: Entity, columns: [Int])?, words: Entity?
    ) {
        (self.name, self.tables, self.texts, self.words) = (name, tables, texts, words)
    }

    func isNamed(_ other: AccessLog.TableName) -> Bool {
        isSameName(name.schema, other.schema) && isSameName(name.table, other.table)
    }
}

extension SchemaReader {
    /// The entity of an FTS5 table, whose documents their rowids identify; nil for another table.
    func textIndexEntity(schema: String, table: String) throws(StoreError) -> Entity? {
        let virtual = AccessLog.TableName(schema: schema, table: table)
        guard try kind(virtual) == .virtual, let index = try textIndex(virtual),
            let first = try columnNames(schema: schema, table: table).first
        else { return nil }
        return Entity(
            try entity(schema: schema, table: table, displayName: table, identity: [first]), documentsOf: index)
    }

    /// A full-text index; nil for another table. Not all touched documents are known in the
    /// rollback modes, without the table of the documents' sizes, and if the texts are in no
    /// ordinary table.
    func textIndex(_ virtual: AccessLog.TableName) throws(StoreError) -> TextIndex? {
        guard let declaration = try declaration(of: virtual), isSameName(declaration.module, "fts5") else { return nil }
        let unknown = TextIndex(virtual, [], texts: nil, words: nil)
        guard try reportsShadows(of: virtual.schema) else { return unknown }
        let shadows = try shadows(of: virtual)
        func shadow(_ suffix: String) throws(StoreError) -> Entity? {
            guard let found = shadows.first(where: { isSameName($0.suffix, suffix) }) else { return nil }
            return try entity(schema: virtual.schema, table: found.name)
        }
        let names = try columnNames(schema: virtual.schema, table: virtual.table)
        guard let content = declaration.options["content"] else {
            guard let own = try shadow("content"), let texts = Self.texts(own, names.indices.map { "c\($0)" })
            else { return unknown }
            return TextIndex(virtual, [own], texts: texts, words: nil)
        }
        guard let sizes = try shadow("docsize"), let data = try shadow("data") else { return unknown }
        if content.isEmpty {
            guard try shadow("content") == nil else { return unknown }
            let writesEach = declaration.options["contentless_delete"].map { $0 != "0" } ?? false
            // The size has the number of the transaction that wrote it.
            return TextIndex(virtual, [sizes], texts: nil, words: writesEach ? nil : data)
        }
        guard try kind(AccessLog.TableName(schema: virtual.schema, table: content)) == .table else {
            return unknown
        }
        let table = try entity(schema: virtual.schema, table: content)
        guard table.hasRowid(named: declaration.options["content_rowid"] ?? "rowid"),
            let texts = Self.texts(table, names)
        else { return unknown }
        let follows = try isKeptByTriggers(virtual, on: table)
        return TextIndex(virtual, [table, sizes], texts: texts, words: follows ? nil : data)
    }

    private static func texts(_ table: Entity, _ names: [String]) -> (table: Entity, columns: [Int])? {
        let columns = names.compactMap(table.columnIndex)
        return columns.count == names.count ? (table, columns) : nil
    }

    /// Whether triggers write to the index with each row that is inserted, updated and deleted: so
    /// no document changes alone.
    private func isKeptByTriggers(_ index: AccessLog.TableName, on table: Entity) throws(StoreError) -> Bool {
        let texts = try rows(
            """
            SELECT sql FROM \(quoted(table.schema)).sqlite_schema \
            WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE
            """, [.text(table.name)]
        ) { $0.text(0) }
        var events: Set<String> = []
        for text in texts {
            let tokens = SQLTokens(text).map(\.token)
            guard let on = tokens.firstIndex(where: { $0.isWord("ON") }),
                tokens[on...].contains(where: { $0.name.map { isSameName($0, index.table) } ?? false })
            else { continue }
            for event in ["INSERT", "UPDATE", "DELETE"] where tokens[..<on].contains(where: { $0.isWord(event) }) {
                events.insert(event)
            }
        }
        return events.count == 3
    }
}
