internal import CSQLite

/// The locks of a log's index that a connection holds.
struct HeldLocks {
    /// A bit for each.
    private var bits: UInt32 = 0

    var isEmpty: Bool { bits == 0 }

    /// Whether the connection reads the database file alone, as that had all of the log when the
    /// transaction began (`walTryBeginRead` in wal.c).
    var readsFileAlone: Bool { bits & LockRequest.readersOfFile != 0 }

    /// Notes a request that was granted.
    mutating func note(_ request: LockRequest) {
        if request.isRelease { bits &= ~request.locks } else { bits |= request.locks }
    }
}

extension Connection {
    /// Whether the read transaction reads a database from its file alone, so that others may
    /// restart the log; nil if that is unknown, because the program's own VFS has opened the file.
    package func readsFileAlone(_ database: String) -> Bool? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(handle, database, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK,
            unsafe StoreFiles.isOwn(vfs),
            unsafe sqlite3_file_control(handle, database, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK
        else { return nil }
        return unsafe StoreFile.of(file)?.pointee.repairs.held.readsFileAlone
    }
}
