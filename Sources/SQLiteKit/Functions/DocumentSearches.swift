internal import CSQLite

/// Searches of single documents by their texts, in place of the full-text index that has them.
///
/// For one document FTS5 opens each segment of its index for each word of the query. An index in
/// memory that has a few documents answers in a fraction of that time.
///
/// `fr_matches(search, rowid, query, text, …)` is 1 or 0. It is NULL where that is not known, and
/// the statement has to ask the index: for documents that are not among `DocumentIndex.documents`,
/// and if anything fails, such as a query with an error, which the index then reports.
///
/// Safe: SQLite and the connection retain it as long as the function is registered.
@safe package final class DocumentSearches: Registration {
    package static let functionName = "fr_matches"

    private typealias Search = (index: DocumentIndex, column: String?, select: Statement)
    /// By the function's first argument.
    private var searches: [Search] = []

    fileprivate init() {}

    /// The number of a search in documents of an index.
    ///
    /// - Parameter column: The column before MATCH; nil for the index itself.
    fileprivate func number(_ column: String?, _ layout: DocumentIndex.Layout, beside connection: Connection) -> Int? {
        do {
            let index = try searches.first { $0.index.layout == layout }?.index ?? DocumentIndex(layout)
            guard index.hasTokenizers(of: connection) else { return nil }
            let isKnown = { (search: Search) in
                search.index === index && search.column.map(ExactText.init) == column.map(ExactText.init)
            }
            if let known = searches.firstIndex(where: isKnown) { return known }
            searches.append((index, column, try index.select(column)))
            return searches.count - 1
        } catch {
            // The store's index has something that an index in memory can't have. It is asked then.
            return nil
        }
    }

    package subscript(number: Int) -> DocumentIndex { searches[number].index }

    /// nil if it is not known.
    fileprivate func matches(_ values: UnsafeBufferPointer<OpaquePointer?>) -> Bool? {
        guard values.count > 3, case let number = unsafe Int(sqlite3_value_int64(values[0])),
            searches.indices.contains(number)
        else { return nil }
        let (index, _, select) = searches[number]
        guard index.isKnown(unsafe sqlite3_value_int64(values[1])) else { return nil }
        do {
            return unsafe try index.matches(UnsafeBufferPointer(rebasing: values[3...]), select, query: values[2])
        } catch {
            // The store's index reports what is wrong with the query.
            index.removeAll()
            return nil
        }
    }

    func register(with connection: Connection) throws(StoreError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(self).toOpaque(),
            { context, count, values in
                guard let data = unsafe sqlite3_user_data(context) else { return }
                unsafe Unmanaged<DocumentSearches>.fromOpaque(data)._withUnsafeGuaranteedRef { searches in
                    let values = unsafe UnsafeBufferPointer(start: values, count: Int(count))
                    if let matches = unsafe searches.matches(values) {
                        unsafe sqlite3_result_int(context, matches ? 1 : 0)
                    }
                }
            }, nil, nil,
            { data in
                if let data = unsafe data { unsafe Unmanaged<DocumentSearches>.fromOpaque(data).release() }
            })
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    func remove(from connection: Connection) {
        unsafe sqlite3_create_function_v2(
            connection.handle, Self.functionName, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
}

extension Connection {
    /// The connection's searches of documents. The first use registers their function.
    package func documentSearches() throws(StoreError) -> DocumentSearches {
        try registration { DocumentSearches() }
    }

    /// The number of a search, and its index; nil if no index in memory finds what the store's
    /// index does.
    package func documentSearch(
        _ column: String?, _ layout: DocumentIndex.Layout
    ) throws(StoreError) -> (number: Int, index: DocumentIndex)? {
        guard layout.columns.count + 3 <= argumentLimit else { return nil }
        let searches = try documentSearches()
        return searches.number(column, layout, beside: self).map { ($0, searches[$0]) }
    }
}

/// An FTS5 index in memory, for the documents that are searched.
package final class DocumentIndex {
    /// The columns, tokenizer and detail of an index.
    package struct Layout: Equatable {
        /// The arguments in its declaration.
        private let arguments: [ExactText]
        fileprivate let tokenizers: [String]
        package let columns: [String]

        package init(_ arguments: [String], tokenizers: [String], columns: [String]) {
            self.arguments = arguments.map(ExactText.init)
            self.tokenizers = tokenizers
            self.columns = columns
        }

        /// Contentless and without sizes: only the words are needed.
        fileprivate var declaration: String {
            "CREATE VIRTUAL TABLE documents USING fts5("
                + (arguments.map(\.text) + ["content=''", "columnsize=0"]).joined(separator: ", ") + ")"
        }
    }

    /// So many documents are in the index at a time: to roll it back takes as long as half a
    /// search, but a word of many documents is found later among them.
    private static let limit = 32

    fileprivate let layout: Layout
    private let memory: Connection
    private let begin: Statement
    private let rollback: Statement
    private let insert: Statement
    /// How many documents the open transaction has inserted.
    private var count = 0
    /// The touched rows of each table that has a row for a document. The texts that a statement has
    /// of a document are the index's if all of them contain it.
    package var documents: [TouchedRows] = []

    fileprivate init(_ layout: Layout) throws(StoreError) {
        self.layout = layout
        memory = try Connection.open(path: ":memory:", readOnly: false, create: true)
        try memory.execute(layout.declaration)
        let names = (["rowid"] + layout.columns.map { quoted($0) }).joined(separator: ", ")
        let values = (0...layout.columns.count).map { "?\($0 + 1)" }.joined(separator: ", ")
        insert = try memory.prepare("INSERT INTO documents(\(names)) VALUES (\(values))")
        begin = try memory.prepare("BEGIN")
        rollback = try memory.prepare("ROLLBACK")
    }

    fileprivate func select(_ column: String?) throws(StoreError) -> Statement {
        try memory.prepare(
            "SELECT 1 FROM documents WHERE \(quoted(column ?? "documents")) MATCH ?1 AND rowid = ?2")
    }

    /// Whether a connection's tokenizers of these names are the ones of this index: a program can
    /// replace even FTS5's own.
    fileprivate func hasTokenizers(of connection: Connection) -> Bool {
        layout.tokenizers.allSatisfy { connection.hasTokenizer($0, of: memory) }
    }

    /// Whether the texts of a document are known.
    fileprivate func isKnown(_ rowid: Int64) -> Bool {
        !documents.isEmpty && documents.allSatisfy { $0.contains(rowid: rowid) }
    }

    fileprivate func matches(
        _ texts: UnsafeBufferPointer<OpaquePointer?>, _ select: Statement, query: OpaquePointer?
    ) throws(StoreError) -> Bool {
        if count == Self.limit { removeAll() }
        if count == 0 { try begin.run() }
        count += 1
        try insert.bind(Int64(count), at: 1)
        for column in texts.indices { unsafe try insert.bind(value: texts[column], at: column + 2) }
        try insert.run()
        unsafe try select.bind(value: query, at: 1)
        try select.bind(Int64(count), at: 2)
        defer { select.reset() }
        return try select.step()
    }

    /// Removes all documents.
    fileprivate func removeAll() {
        count = 0
        // After a failure there may be no transaction, which is the state that it leads to.
        try? rollback.run()
    }
}
