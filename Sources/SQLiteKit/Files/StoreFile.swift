internal import CSQLite

/// What `StoreFiles` adds to a database file. It lies behind the structure of SQLite's VFS.
///
/// SQLite finds the functions through the file, and they find this structure, whose beginning they
/// are: the methods of SQLite's VFS, except the one that locks the index of the log. What SQLite
/// writes does not pass through here.
///
/// Safe, although it has addresses: it exists from the file's opening to its closing.
@safe struct StoreFile: ~Copyable {
    typealias Base = UnsafePointer<sqlite3_io_methods>
    typealias File = UnsafeMutablePointer<sqlite3_file>

    private let methods: sqlite3_io_methods
    let base: Base
    var locks = LogLocks()

    private init(_ base: Base) {
        unsafe methods = Self.databaseMethods(of: base.pointee)
        unsafe self.base = base
    }

    /// Replaces the functions of a database file that was just opened.
    ///
    /// - Parameter memory: The file's memory behind the structure of SQLite's VFS.
    @unsafe static func begin(_ file: File, in memory: UnsafeMutableRawPointer) {
        guard let base = unsafe file.pointee.pMethods else { return }
        let added = unsafe memory.bindMemory(to: StoreFile.self, capacity: 1)
        unsafe added.initialize(to: StoreFile(base))
        unsafe file.pointee.pMethods = UnsafeRawPointer(added).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    static func of(_ file: File?) -> UnsafeMutablePointer<StoreFile>? {
        unsafe UnsafeMutableRawPointer(mutating: file?.pointee.pMethods)?.assumingMemoryBound(to: StoreFile.self)
    }

    /// Closes a file, and ends what was added to it.
    @unsafe static func end(_ added: UnsafeMutablePointer<StoreFile>, _ file: File?) -> Int32 {
        let code = unsafe added.pointee.base.pointee.xClose?(file) ?? SQLITE_IOERR
        unsafe added.deinitialize(count: 1)
        return code
    }
}
