internal import CSQLite
internal import SQLiteKit

/// A connection whose read transaction keeps one committed state readable, as rows and as pages.
///
/// Safe to use: the connection owns the files and their memory, and they are not used after it is
/// closed.
@safe
final class Snapshot {
    let connection: Connection
    /// The name of the database on the connection.
    private let name: String
    private let beginning: Statement
    private let touch: Statement
    private let ending: Statement
    let file: UnsafeMutablePointer<sqlite3_file>
    private let log: UnsafeMutablePointer<sqlite3_file>
    let index: LogIndex
    /// The state that the read transaction shows; nil if none is open.
    private(set) var position: LogPosition?
    /// Whether the database file contained all of that state when the transaction began.
    private(set) var isInFile = false
    /// How many use the connection.
    private var users = 1

    /// Opens a connection to a database in WAL mode; nil if its pages are inaccessible. Throws if
    /// the database can't be opened.
    init?(_ database: DatabaseFile) throws(StoreError) {
        name = database.name
        connection = try Connection.open(database)
        do {
            // Which of the two connections is open must not determine whether the log is written
            // back.
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.readEncoding()
            beginning = try connection.prepare("BEGIN")
            touch = try connection.prepare("SELECT 1 FROM \(quoted(name)).sqlite_schema LIMIT 1")
            ending = try connection.prepare("COMMIT")
            // Opens the log.
            try beginning.run()
            try touch.run()
            try ending.run()
        } catch {
            connection.close()
            throw error
        }
        guard let file = unsafe Self.file(SQLITE_FCNTL_FILE_POINTER, of: name, connection),
            let log = unsafe Self.file(SQLITE_FCNTL_JOURNAL_POINTER, of: name, connection),
            let index = unsafe LogIndex(file)
        else {
            connection.close()
            return nil
        }
        unsafe (self.file, self.log) = unsafe (file, log)
        self.index = index
    }

    static func file(
        _ kind: Int32, of name: String, _ connection: Connection
    ) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(connection.handle, name, kind, &file) == SQLITE_OK,
            let file = unsafe file, unsafe file.pointee.pMethods != nil
        else { return nil }
        return unsafe file
    }

    /// Keeps the connection open until `unshare` is called, for a user that reads the index only.
    func share() -> Snapshot {
        users += 1
        return self
    }

    func unshare() {
        users -= 1
        if users == 0 { connection.close() }
    }

    func close() {
        // Can fail only without memory. Then closing the connection ends the transaction.
        try? end()
        unshare()
    }

    /// Begins a read transaction whose state is known exactly. Throws if that is impossible now.
    func begin() throws(StoreError) -> LogPosition {
        for _ in 0..<1000 {
            let before = index.position()
            do {
                try beginning.run()
                try touch.run()
            } catch {
                try end()
                throw error
            }
            let isInFile = connection.isInFile(before, of: name, index)
            // Nothing was committed since: this is the state that the transaction shows.
            if let before, index.position() == before {
                position = before
                self.isInFile = isInFile
                return before
            }
            try end()
        }
        throw StoreError(.busy, "others commit too often for a snapshot")
    }

    /// Ends the read transaction, if there is one.
    func end() throws(StoreError) {
        position = nil
        if !connection.isAutocommit { try ending.run() }
    }

    // MARK: Schema

    func schemaCookie() throws(StoreError) -> Int64 {
        let statement = try connection.prepare("PRAGMA \(quoted(name)).schema_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// All tables and indexes, with the names of the tables.
    func trees() throws(StoreError) -> [(table: ExactText, root: UInt32)] {
        let statement = try connection.prepare(
            "SELECT type, name, rootpage FROM \(quoted(name)).sqlite_schema WHERE rootpage > 0")
        defer { statement.reset() }
        var trees: [(table: ExactText, root: UInt32)] = []
        while try statement.step() {
            let table = statement.text(0) == "table" ? statement.text(1) : ""
            trees.append((ExactText(table), UInt32(clamping: statement.integer(2))))
        }
        return trees
    }

    // MARK: Checkpoints

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
        guard position != nil else { return false }
        // The mark is 0: there was nothing to write.
        if isInFile { return true }
        let statement = try connection.prepare("PRAGMA \(quoted(name)).wal_checkpoint(PASSIVE)")
        defer { statement.reset() }
        do {
            guard try statement.step() else { return false }
        } catch {
            guard error.status == .readOnly else { throw error }
            return false
        }
        return statement.integer(0) == 0 && statement.integer(1) == statement.integer(2)
    }

    // MARK: Pages

    /// A page of the database file. Throws if it can't be read.
    func page(_ number: UInt32, size: Int) throws(Uncertainty) -> [UInt8] {
        guard number > 0 else { throw .pages }
        return try unsafe Self.read(file, count: size, at: Int64(number - 1) * Int64(size))
    }

    /// The page in a frame of the log (https://www.sqlite.org/walformat.html).
    func page(inFrame frame: UInt32, size: Int) throws(Uncertainty) -> [UInt8] {
        try unsafe Self.read(log, count: size, at: 32 + Int64(frame - 1) * Int64(24 + size) + 24)
    }

    /// The header before the page in a frame of the log.
    func frameHeader(_ frame: UInt32, pageSize: Int) throws(Uncertainty) -> [UInt8] {
        try unsafe Self.read(log, count: 24, at: 32 + Int64(frame - 1) * Int64(24 + pageSize))
    }

    /// The first bytes of the database file.
    func fileHeader() throws(Uncertainty) -> [UInt8] { try unsafe Self.read(file, count: 100, at: 0) }

    /// The size of the database file in bytes.
    func fileSize() throws(Uncertainty) -> Int64 { try unsafe Self.size(of: file) }

    /// The size of the log in bytes.
    func logSize() throws(Uncertainty) -> Int64 { try unsafe Self.size(of: log) }

    private static func size(of file: UnsafeMutablePointer<sqlite3_file>) throws(Uncertainty) -> Int64 {
        var size: sqlite3_int64 = 0
        guard let ask = unsafe file.pointee.pMethods.pointee.xFileSize, unsafe ask(file, &size) == SQLITE_OK else {
            throw .pages
        }
        return size
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>, count: Int, at offset: Int64
    ) throws(Uncertainty) -> [UInt8] {
        guard let read = unsafe file.pointee.pMethods.pointee.xRead else { throw .pages }
        var code = SQLITE_OK
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // SQLite fills the rest of the buffer with zeros if the file ends early.
            code = unsafe read(file, buffer.baseAddress, Int32(count), offset)
            initialized = code == SQLITE_OK ? count : 0
        }
        guard code == SQLITE_OK else { throw .pages }
        return bytes
    }
}
