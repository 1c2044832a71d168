internal import CSQLite

/// The functions of a log, which have to know of a header that waits.
extension StoreFile {
    /// SQLite's VFS has all functions that are called here, and SQLite passes them files.
    static func logMethods(of base: sqlite3_io_methods) -> sqlite3_io_methods {
        var methods = base
        unsafe methods.xWrite = { file, bytes, count, offset in
            guard let log = unsafe StoreFile.of(file), let bytes = unsafe bytes else { return SQLITE_IOERR }
            return unsafe log.pointee.joiner.write(bytes, count, at: offset) {
                unsafe log.pointee.base.pointee.xWrite?(file, $0, $1, $2) ?? SQLITE_IOERR
            }
        }
        unsafe methods.xRead = { file, bytes, count, offset in
            unsafe StoreFile.flushed(file) {
                unsafe $0.pointee.joiner.noteRead(at: offset)
                return unsafe $0.pointee.base.pointee.xRead?(file, bytes, count, offset)
            }
        }
        unsafe methods.xSync = { file, flags in
            unsafe StoreFile.flushed(file) { unsafe $0.pointee.base.pointee.xSync?(file, flags) }
        }
        unsafe methods.xTruncate = { file, size in
            unsafe StoreFile.flushed(file) { unsafe $0.pointee.base.pointee.xTruncate?(file, size) }
        }
        unsafe methods.xFileSize = { file, size in
            unsafe StoreFile.flushed(file) { unsafe $0.pointee.base.pointee.xFileSize?(file, size) }
        }
        unsafe methods.xClose = { file in
            guard let log = unsafe StoreFile.of(file) else { return SQLITE_IOERR }
            let written = unsafe StoreFile.flushed(file) { _ in SQLITE_OK }
            let closed = unsafe StoreFile.end(log, file)
            return written == SQLITE_OK ? closed : written
        }
        return methods
    }

    /// Calls `body` when no header waits.
    @inline(__always)
    private static func flushed(_ file: File?, _ body: (UnsafeMutablePointer<StoreFile>) -> Int32?) -> Int32 {
        guard let log = unsafe of(file) else { return SQLITE_IOERR }
        let code = unsafe log.pointee.joiner.flush {
            unsafe log.pointee.base.pointee.xWrite?(file, $0, $1, $2) ?? SQLITE_IOERR
        }
        guard code == SQLITE_OK else { return code }
        return unsafe body(log) ?? SQLITE_IOERR
    }
}
