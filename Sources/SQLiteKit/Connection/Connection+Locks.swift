internal import CSQLite

extension Connection {
    /// Whether the read transaction reads a database, a file in WAL mode, from that file alone, so
    /// that other connections may restart the log. nil if that is unknown, because the program's
    /// own VFS has opened the file.
    package func readsFileAlone(_ database: String) -> Bool? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(handle, database, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK,
            unsafe StoreFiles.isOwn(vfs),
            unsafe sqlite3_file_control(handle, database, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK
        else { return nil }
        return unsafe StoreFile.of(file)?.pointee.locks.readsFileAlone
    }
}
