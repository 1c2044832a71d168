internal import CSQLite

/// The functions of a database file, through which SQLite locks the index of its log.
extension StoreFile {
    /// SQLite passes these functions files.
    static func databaseMethods(of base: sqlite3_io_methods) -> sqlite3_io_methods {
        var methods = base
        unsafe methods.xShmLock = { file, first, count, flags in
            guard let database = unsafe StoreFile.of(file) else { return SQLITE_IOERR }
            let request = LockRequest(first: first, count: count, flags: flags)
            if unsafe database.pointee.locks.refuses(request) { return SQLITE_BUSY }
            let code = unsafe database.pointee.base.pointee.xShmLock?(file, first, count, flags) ?? SQLITE_IOERR
            if code == SQLITE_OK { unsafe database.pointee.locks.note(request) }
            return code
        }
        unsafe methods.xClose = { file in
            guard let database = unsafe StoreFile.of(file) else { return SQLITE_IOERR }
            return unsafe StoreFile.end(database, file)
        }
        return methods
    }
}
