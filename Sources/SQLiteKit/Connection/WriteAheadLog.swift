internal import CSQLite
internal import Glibc

/// A database in WAL mode needs files beside it also for reading: the log and its index
/// (https://www.sqlite.org/wal.html#read_only_databases).
extension StoreError {
    /// Whether this can mean that these files can neither be opened nor made.
    package var isMissingLog: Bool { sqliteCode == Self.readOnlyDirectory || sqliteCode & 0xff == SQLITE_CANTOPEN }

    /// SQLITE_READONLY_DIRECTORY, which the compiler does not take from the header.
    private static var readOnlyDirectory: Int32 { SQLITE_READONLY | 6 << 8 }
}

extension Connection {
    /// Whether the file of the main database says that it is in WAL mode (https://www.sqlite.org/fileformat.html).
    package var isFileInWALMode: Bool {
        guard let fileName else { return false }
        let descriptor = Glibc.open(fileName, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        var version: UInt8 = 0
        return pread(descriptor, &version, 1, 19) == 1 && version == 2
    }
}
