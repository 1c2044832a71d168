internal import CSQLite
internal import Glibc

/// The log of a database file that was replaced, and the log's index, which are still beside the
/// new file. Whoever opens the new file takes them for its own: SQLite would read pages of the old
/// database as pages of the new one, and, in this process, cut off the index that the connections
/// to the old file have mapped.
package struct LeftLog {
    private let path: String
    private let files: [(path: String, inode: ino_t)]

    /// nil if there is none. A connection of this process has the log open, and with it the old
    /// file. So nothing is left of the old file if the process has the new one open as well.
    package init?(beside path: String) {
        guard BorrowedDescriptor(path: path) == nil else { return nil }
        let files = [path + "-wal", path + "-shm"].filter { BorrowedDescriptor(path: $0) != nil }
        if files.isEmpty { return nil }
        self.path = path
        self.files = files.compactMap { path in Self.inode(path).map { (path, $0) } }
    }

    private static func inode(_ path: String) -> ino_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_ino : nil
    }

    /// Removes it, as SQLite removes a log: under the exclusive lock of the file, so that nobody
    /// opens the file meanwhile. Throws if another connection uses the new file, with this log.
    ///
    /// Connections to the old file continue to use the files, which have no names any more.
    package func remove() throws(StoreError) {
        try StoreFiles.locking(path) { () throws(StoreError) in
            for file in files where Self.inode(file.path) == file.inode {
                guard unsafe unlink(file.path) == 0 || errno == ENOENT else {
                    throw StoreError(.io, "\(file.path) is of the file that was replaced, and can't be removed")
                }
            }
        }
    }
}

extension StoreFiles {
    /// Runs `body` while no other connection can read the database file.
    ///
    /// The file is opened and locked by SQLite's VFS: closing a descriptor of another one would
    /// release the locks that the process has on it.
    fileprivate static func locking(_ path: String, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard let vfs = unsafe sqlite3_vfs_find(nil), let open = unsafe vfs.pointee.xOpen,
            let name = unsafe sqlite3_create_filename(path, path + "-journal", path + "-wal", 0, nil)
        else { throw StoreError(.noMemory, "out of memory") }
        defer { unsafe sqlite3_free_filename(name) }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: unsafe Int(vfs.pointee.szOsFile), alignment: MemoryLayout<Int>.alignment)
        defer { unsafe memory.deallocate() }
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
        let file = unsafe memory.assumingMemoryBound(to: sqlite3_file.self)
        var code = unsafe open(vfs, name, file, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READWRITE, nil)
        // Without methods there is nothing to close (https://www.sqlite.org/c3ref/io_methods.html).
        defer { if let methods = unsafe file.pointee.pMethods { _ = unsafe methods.pointee.xClose(file) } }
        if code == SQLITE_OK, let methods = unsafe file.pointee.pMethods {
            code = unsafe methods.pointee.xLock(file, SQLITE_LOCK_SHARED)
            if code == SQLITE_OK { code = unsafe methods.pointee.xLock(file, SQLITE_LOCK_EXCLUSIVE) }
        }
        guard code == SQLITE_OK else {
            throw StoreError(
                code & 0xff == SQLITE_BUSY ? .busy : .io,
                "beside \(path) is the log of the file that was replaced, and the new file can't be locked",
                sqliteCode: code)
        }
        try body()
    }
}
