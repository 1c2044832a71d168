internal import CSQLite
internal import Glibc

/// The VFS through which connections open files (https://www.sqlite.org/vfs.html). It is SQLite's
/// own one for Linux, with two exceptions: readers do not lock a write-ahead log against writers,
/// and all connections of the process to a log use one descriptor.
///
/// Safe: the structures that SQLite refers to exist as long as the process.
@safe enum StoreFiles {
    private static let name = "fetchedresults"

    private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

    /// SQLite's own VFS, and the one that is made of it, neither of which changes; nil if the
    /// program has made another VFS the default before the first connection was opened.
    nonisolated(unsafe) private static let own: (base: VFS, extended: VFS)? = {
        guard let base = unsafe sqlite3_vfs_find(nil), unsafe String(cString: base.pointee.zName) == "unix",
            let name = unsafe strdup(name)
        else { return nil }
        let extended = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // This VFS's functions use, of the structure that they receive, nothing, except xOpen.
        var vfs = unsafe base.pointee
        unsafe vfs.pNext = nil
        unsafe vfs.zName = UnsafePointer(name)
        unsafe vfs.szOsFile = Int32(extensionOffset(base) + MemoryLayout<StoreFile>.size)
        unsafe vfs.xOpen = { unsafe StoreFiles.open($1, $2, $3, $4) }
        unsafe extended.initialize(to: vfs)
        return unsafe sqlite3_vfs_register(extended, 0) == SQLITE_OK ? (base, extended) : nil
    }()

    /// The name of the VFS for `sqlite3_open_v2`; nil for the default one, if the program has made
    /// another one the default.
    static var nameToOpen: String? {
        guard let own = unsafe own, unsafe sqlite3_vfs_find(nil) == own.base else { return nil }
        return name
    }

    static func isOwn(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Bool { unsafe vfs != nil && vfs == own?.extended }

    /// Whether files that a VFS opens have the same locks as the default one's.
    static func isDefault(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Bool {
        guard let standard = unsafe sqlite3_vfs_find(nil) else { return false }
        if unsafe vfs == standard { return true }
        guard let own = unsafe own else { return false }
        return unsafe vfs == own.extended && standard == own.base
    }

    /// Where the structure of SQLite's VFS ends, and a `StoreFile` begins.
    private static func extensionOffset(_ base: UnsafeMutablePointer<sqlite3_vfs>) -> Int {
        let alignment = MemoryLayout<StoreFile>.alignment
        return unsafe (Int(base.pointee.szOsFile) + alignment - 1) / alignment * alignment
    }

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let own = unsafe own, let open = unsafe own.base.pointee.xOpen, let file = unsafe file else {
            return SQLITE_CANTOPEN
        }
        if flags & SQLITE_OPEN_WAL != 0, let path = unsafe path {
            return unsafe SharedLog.open(path, in: UnsafeMutableRawPointer(file), flags, outFlags, of: own.base)
        }
        let code = unsafe open(own.base, path, file, flags, outFlags)
        if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 {
            unsafe StoreFile.begin(file, in: UnsafeMutableRawPointer(file) + extensionOffset(own.base))
        }
        return code
    }
}
