internal import CSQLite

/// What the first page of a database file says of it (https://www.sqlite.org/fileformat.html#the_database_header), be
/// it committed or not.
package struct FileHeader {
    private let bytes: [UInt8]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isInWALMode: Bool { bytes[19] == 2 }

    /// Counts the transactions of the rollback modes.
    package var changeCounter: UInt32 { bytes[24..<28].reduce(0) { $0 << 8 | UInt32($1) } }
}

extension Connection {
    /// The header in the file of the main database; nil if it can't be read. It is read through SQLite's own handle: if
    /// the file were opened beside it, closing it would drop the locks that the process has on it
    /// (https://www.sqlite.org/howtocorrupt.html, "Posix advisory locks canceled").
    package var fileHeader: FileHeader? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file = unsafe file, let methods = unsafe file.pointee.pMethods, let read = unsafe methods.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 100)
        guard unsafe read(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK else { return nil }
        return FileHeader(bytes)
    }
}
