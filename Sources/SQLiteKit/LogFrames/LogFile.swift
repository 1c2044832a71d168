internal import CSQLite

/// What `FrameJoiningFiles` adds to the file of a log. It lies behind the structure of SQLite's
/// VFS.
///
/// SQLite finds the functions through the file, and they find this structure, whose beginning they
/// are: those of SQLite's VFS but for the few that have to know of a header that waits.
///
/// Safe, although it has addresses: it exists from the file's opening to its closing.
@safe struct LogFile: ~Copyable {
    typealias Base = UnsafePointer<sqlite3_io_methods>
    typealias File = UnsafeMutablePointer<sqlite3_file>

    private let methods: sqlite3_io_methods
    private let base: Base
    private var joiner = FrameJoiner()

    private init(_ base: Base) {
        unsafe methods = Self.methods(of: base.pointee)
        unsafe self.base = base
    }

    /// Joins the frames of a log that was just opened.
    ///
    /// - Parameter memory: The file's memory behind the structure of SQLite's VFS.
    @unsafe static func begin(_ file: File, in memory: UnsafeMutableRawPointer) {
        guard let base = unsafe file.pointee.pMethods else { return }
        let log = unsafe memory.bindMemory(to: LogFile.self, capacity: 1)
        unsafe log.initialize(to: LogFile(base))
        unsafe file.pointee.pMethods = UnsafeRawPointer(log).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    /// SQLite's VFS has all functions that are called here, and SQLite passes them files.
    private static func methods(of base: sqlite3_io_methods) -> sqlite3_io_methods {
        var methods = base
        unsafe methods.xWrite = { file, bytes, count, offset in
            guard let log = unsafe LogFile.of(file), let bytes = unsafe bytes else { return SQLITE_IOERR }
            return unsafe log.pointee.joiner.write(bytes, count, at: offset) {
                unsafe log.pointee.base.pointee.xWrite?(file, $0, $1, $2) ?? SQLITE_IOERR
            }
        }
        unsafe methods.xRead = { file, bytes, count, offset in
            unsafe LogFile.flushed(file) {
                unsafe $0.pointee.joiner.noteRead(at: offset)
                return unsafe $0.pointee.base.pointee.xRead?(file, bytes, count, offset)
            }
        }
        unsafe methods.xSync = { file, flags in
            unsafe LogFile.flushed(file) { unsafe $0.pointee.base.pointee.xSync?(file, flags) }
        }
        unsafe methods.xTruncate = { file, size in
            unsafe LogFile.flushed(file) { unsafe $0.pointee.base.pointee.xTruncate?(file, size) }
        }
        unsafe methods.xFileSize = { file, size in
            unsafe LogFile.flushed(file) { unsafe $0.pointee.base.pointee.xFileSize?(file, size) }
        }
        unsafe methods.xClose = { file in
            guard let log = unsafe LogFile.of(file) else { return SQLITE_IOERR }
            let written = unsafe LogFile.flushed(file) { _ in SQLITE_OK }
            let closed = unsafe log.pointee.base.pointee.xClose?(file) ?? SQLITE_IOERR
            unsafe log.deinitialize(count: 1)
            return written == SQLITE_OK ? closed : written
        }
        return methods
    }

    private static func of(_ file: File?) -> UnsafeMutablePointer<LogFile>? {
        unsafe UnsafeMutableRawPointer(mutating: file?.pointee.pMethods)?.assumingMemoryBound(to: LogFile.self)
    }

    /// Calls `body` when no header waits.
    @inline(__always)
    private static func flushed(_ file: File?, _ body: (UnsafeMutablePointer<LogFile>) -> Int32?) -> Int32 {
        guard let log = unsafe of(file) else { return SQLITE_IOERR }
        let code = unsafe log.pointee.joiner.flush {
            unsafe log.pointee.base.pointee.xWrite?(file, $0, $1, $2) ?? SQLITE_IOERR
        }
        guard code == SQLITE_OK else { return code }
        return unsafe body(log) ?? SQLITE_IOERR
    }
}
