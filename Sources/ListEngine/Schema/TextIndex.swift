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
    /// How documents are searched by their texts in place of the index: where these are the texts
    /// that it was given, and an index in memory finds the same in them; nil elsewhere.
    let layout: DocumentIndex.Layout?

    fileprivate init(
        _ name: AccessLog.TableName, _ tables: [Entity], texts: (table: Entity, columns: [Int])?, words: Entity?,
        layout: DocumentIndex.Layout? = nil
    ) {
        (self.name, self.tables, self.texts, self.words, self.layout) = (name, tables, texts, words, layout)
    }

    var displayName: String { name.schema == "main" ? name.table : "\(name.schema).\(name.table)" }

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
            return TextIndex(
                virtual, [own], texts: texts, words: nil, layout: DocumentIndex.Layout(declaration.arguments, names))
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
        let triggers = try IndexTriggers(of: virtual, names, on: table, self)
        return TextIndex(
            virtual, [table, sizes], texts: texts, words: triggers.follow ? nil : data,
            layout: triggers.writeTexts ? DocumentIndex.Layout(declaration.arguments, names) : nil)
    }

    private static func texts(_ table: Entity, _ names: [String]) -> (table: Entity, columns: [Int])? {
        let columns = names.compactMap(table.columnIndex)
        return columns.count == names.count ? (table, columns) : nil
    }
}

extension DocumentIndex.Layout {
    /// - Parameter arguments: What declares the index; nil if it has an option that is unknown
    ///   here.
    fileprivate init?(_ arguments: [String], _ columns: [String]) {
        var (kept, tokenizers): ([String], [String]) = ([], ["unicode61"])
        for argument in arguments {
            let tokens = SQLTokens(argument).map(\.token)
            guard tokens.count > 2, tokens[1] == .punctuation("="), let option = tokens[0].name else {
                kept.append(argument)
                continue
            }
            switch option.lowercased() {
            case "content", "content_rowid", "columnsize", "prefix": break
            case "detail": kept.append(argument)
            case "tokenize":
                kept.append(argument)
                // The one that the porter stemmer takes its words from follows it.
                let words = argument.drop { $0 != "=" }.split { " =\"'\n\t".contains($0) }.map(String.init)
                let isPorter = words.first.map { isSameName($0, "porter") } ?? false
                tokenizers = isPorter ? ["porter", words.dropFirst().first ?? "unicode61"] : Array(words.prefix(1))
            default: return nil
            }
        }
        self.init(kept, tokenizers: tokenizers, columns: columns)
    }
}
