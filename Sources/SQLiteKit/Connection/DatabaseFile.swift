/// A database file by the name under which the statements of a connection know it.
package struct DatabaseFile: Sendable {
    package let path: String
    /// "main", or the name under which the file is attached.
    package let name: String
    /// How the connection's databases hold their texts, all alike.
    let encoding: TextEncoding

    package init(path: String, name: String, encoding: TextEncoding) {
        self.path = path
        self.name = name
        self.encoding = encoding
    }

}

extension Connection {
    /// The file of a database whose write-ahead log can be followed; nil if it has none, or if another connection that
    /// opens the path would not see the same.
    package func loggedFile(of database: String) throws(StoreError) -> DatabaseFile? {
        guard let path = fileName(of: database), isPlainFile(database), !hasMoved(database),
            try isWriteAhead(database)
        else { return nil }
        return DatabaseFile(path: path, name: database, encoding: encoding ?? .utf8)
    }

    /// Opens a file that is there, so that statements know it by its name. An attached one is attached to an empty
    /// database, which has to hold texts alike (https://www.sqlite.org/lang_attach.html).
    package static func open(_ file: DatabaseFile) throws(StoreError) -> Connection {
        guard file.name != "main" else { return try open(path: file.path, readOnly: false, create: false) }
        let connection = try open(path: ":memory:", readOnly: false, create: false)
        do {
            try connection.execute("PRAGMA encoding = '\(file.encoding.pragmaName)'")
            let attach = try connection.prepare("ATTACH ?1 AS \(quoted(file.name))")
            try attach.bind(.text(file.path), at: 1)
            try attach.run()
        } catch {
            connection.close()
            throw error
        }
        return connection
    }
}
