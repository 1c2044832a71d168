internal import CSQLite
internal import SQLiteKit

/// The files of a database in WAL mode, as one connection has them open.
///
/// Safe to use: the connection owns the files and their memory, and they are not used after it is
/// closed.
@safe
final class LogFile {
    let file: UnsafeMutablePointer<sqlite3_file>
    private let log: UnsafeMutablePointer<sqlite3_file>
    let index: LogIndex

    /// nil if the files or the index of the log are inaccessible.
    ///
    /// - Parameter name: The database's name on the connection, which has read it.
    init?(_ name: String, of connection: Connection) {
        guard let file = unsafe Self.file(SQLITE_FCNTL_FILE_POINTER, of: name, connection),
            let log = unsafe Self.file(SQLITE_FCNTL_JOURNAL_POINTER, of: name, connection),
            let index = unsafe LogIndex(file)
        else { return nil }
        unsafe (self.file, self.log) = unsafe (file, log)
        self.index = index
    }

    private static func file(
        _ kind: Int32, of name: String, _ connection: Connection
    ) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(connection.handle, name, kind, &file) == SQLITE_OK,
            let file = unsafe file, unsafe file.pointee.pMethods != nil
        else { return nil }
        return unsafe file
    }

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
