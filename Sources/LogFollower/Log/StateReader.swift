package import SQLiteKit

/// A connection whose read transaction keeps one committed state of each of its databases readable:
/// as rows and, file by file, as pages.
package final class StateReader {
    package let connection: Connection
    private let names: [String]
    private let files: [LogFile]
    private let beginning: Statement
    private let touches: [Statement]
    private let ending: Statement
    /// The states that the read transaction shows, by database; empty if none is open.
    package private(set) var positions: [LogPosition] = []
    /// Whether the file of each database contained all of its state when the transaction began.
    private var areInFiles: [Bool] = []
    /// How many use the connection.
    private var users = 1

    /// Opens a connection to databases in WAL mode, of which there is at least one; nil if their
    /// pages are inaccessible. Throws if a database can't be opened.
    package init?(_ databases: [DatabaseFile]) throws(StoreError) {
        names = databases.map(\.name)
        connection = try Connection.open(databases)
        do {
            // Which of the connections is open must not determine whether the log is written back.
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.readEncoding()
            beginning = try connection.prepare("BEGIN")
            touches = try names.map { [connection] name throws(StoreError) in
                try connection.prepare("SELECT 1 FROM \(quoted(name)).sqlite_schema LIMIT 1")
            }
            ending = try connection.prepare("COMMIT")
            // Opens the logs.
            try beginning.run()
            for touch in touches { try touch.run() }
            try ending.run()
        } catch {
            connection.close()
            throw error
        }
        files = names.compactMap { [connection] in LogFile($0, of: connection) }
        if !files.isEmpty, files.count == names.count { return }
        connection.close()
        return nil
    }

    /// Keeps the connection open until `unshare` is called, for a user that reads the index only.
    func share() -> StateReader {
        users += 1
        return self
    }

    func unshare() {
        users -= 1
        if users == 0 { connection.close() }
    }

    package func close() {
        guard connection.isOpen else { return }
        // Can fail only without memory. Then closing the connection ends the transaction.
        try? end()
        unshare()
    }

    // MARK: States

    package var isHeld: Bool { !positions.isEmpty }

    /// Begins a read transaction whose states are known exactly. Throws if that is impossible now.
    func begin() throws(StoreError) -> [LogPosition] {
        for _ in 0..<1000 {
            if try begin(showing: files.map { $0.index.position() }) { return positions }
        }
        throw StoreError(.busy, "other connections commit too often; try again")
    }

    /// Begins a read transaction, if it then shows these states; false if other states are
    /// committed now. Throws if that is impossible now.
    package func begin(at wanted: [LogPosition]) throws(StoreError) -> Bool {
        guard areCommitted(wanted) else {
            try end()
            return false
        }
        return try begin(showing: wanted)
    }

    /// - Parameter expected: The committed states, as far as they are known. The transaction
    ///   repairs the index of a log in which a process died.
    private func begin(showing expected: [LogPosition?]) throws(StoreError) -> Bool {
        try end()
        do {
            try beginning.run()
            // The first statement that reads a database determines its state.
            for touch in touches { try touch.run() }
        } catch {
            try end()
            throw error
        }
        areInFiles = files.indices.map { connection.isInFile(expected[$0], of: names[$0], files[$0].index) }
        // Nothing was committed since: these are the states that the transaction shows.
        let known = expected.compactMap(\.self)
        guard areCommitted(known) else {
            try end()
            return false
        }
        positions = known
        return true
    }

    private func areCommitted(_ wanted: [LogPosition]) -> Bool {
        wanted.count == files.count && zip(files, wanted).allSatisfy { $0.index.position() == $1 }
    }

    /// Ends the read transaction, if there is one.
    package func end() throws(StoreError) {
        positions = []
        if !connection.isAutocommit { try ending.run() }
    }

    /// Whether a log could be restarted without the read transaction.
    package var isInTheWay: Bool {
        positions.indices.contains {
            !areInFiles[$0] && files[$0].index.backfilledFrame == positions[$0].lastFrame
        }
    }

    // MARK: One database

    /// The files of the first database, which is the only one in the functions below.
    var file: LogFile { files[0] }

    /// The state that the read transaction shows; nil if none is open.
    var position: LogPosition? { positions.first }

    /// Whether the database file contained all of that state when the transaction began.
    var isInFile: Bool { positions.isEmpty ? false : areInFiles[0] }

    func schemaCookie() throws(StoreError) -> Int64 {
        let statement = try connection.prepare("PRAGMA \(quoted(names[0])).schema_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// All tables and indexes, with the names of the tables.
    func trees() throws(StoreError) -> [(table: ExactText, root: UInt32)] {
        let statement = try connection.prepare(
            "SELECT type, name, rootpage FROM \(quoted(names[0])).sqlite_schema WHERE rootpage > 0")
        defer { statement.reset() }
        var trees: [(table: ExactText, root: UInt32)] = []
        while try statement.step() {
            let table = statement.text(0) == "table" ? statement.text(1) : ""
            trees.append((ExactText(table), UInt32(clamping: statement.integer(2))))
        }
        return trees
    }

    /// Writes as much of the log into the database file as possible without waiting, up to the
    /// state of this read transaction. Returns whether the file then has all of the log. Does
    /// nothing if the user may only read the files: the connections that write them do it then.
    ///
    /// All checkpoints that the library starts are made here, and keep a rule: they begin only
    /// while a read transaction of the library prevents that the log is restarted. Up to SQLite
    /// 3.51.2 a checkpoint that begins while another connection restarts the log can leave out what
    /// that connection commits, which is then lost, or damages the file
    /// (https://www.sqlite.org/wal.html#walresetbug). The log can't be restarted as long as anyone
    /// has a read mark above 0 (`walRestartLog` in wal.c).
    ///
    /// - Parameter connection: Another one, which has no transaction.
    @discardableResult
    func checkpoint(through connection: Connection) throws(StoreError) -> Bool {
        guard isHeld else { return false }
        // The mark is 0: there was nothing to write.
        if isInFile { return true }
        let statement = try connection.prepare("PRAGMA \(quoted(names[0])).wal_checkpoint(PASSIVE)")
        defer { statement.reset() }
        do {
            guard try statement.step() else { return false }
        } catch {
            guard error.status == .readOnly else { throw error }
            return false
        }
        return statement.integer(0) == 0 && statement.integer(1) == statement.integer(2)
    }
}
