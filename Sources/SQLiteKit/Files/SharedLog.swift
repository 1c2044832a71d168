internal import CSQLite
internal import Glibc

/// A log that this process has open: one file of SQLite's VFS, with one descriptor, for all
/// connections. SQLite would open it once for each.
///
/// A log has no locks of its own (they are on its index), so connections can't release each
/// other's. Each call is passed on as it comes, one at a time: SQLite may have been built to seek
/// before it reads.
///
/// Safe, although it has addresses: the file is open until the last connection has closed it.
@safe
final class SharedLog {
    typealias File = UnsafeMutablePointer<sqlite3_file>
    typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

    /// The file object of a connection.
    @unsafe private struct Reference {
        let methods: UnsafePointer<sqlite3_io_methods>
        let log: Unmanaged<SharedLog>
    }

    /// The files of this process; after a fork, also its parent's.
    nonisolated(unsafe) private static var logs: [SharedLog] = []

    /// Followed in memory by its path, to which it refers.
    private let file: File
    private let status: stat
    private let flags: (requested: Int32, granted: Int32)
    /// A child process does not use the files of its parent: both would seek in them.
    private let forks = Forks.counted()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var users = 1

    /// Opens a log for a connection, whose file is in `memory`.
    @unsafe static func open(
        _ path: UnsafePointer<CChar>, in memory: UnsafeMutableRawPointer, _ requested: Int32,
        _ granted: UnsafeMutablePointer<Int32>?, of vfs: VFS
    ) -> Int32 {
        ProcessLock.locked {
            let log: SharedLog
            if let other = unsafe find(path, requested) {
                other.users += 1
                log = other
            } else {
                var code = SQLITE_NOMEM
                guard let opened = unsafe SharedLog(path, requested, of: vfs, &code) else { return code }
                unsafe logs.append(opened)
                log = opened
            }
            unsafe granted?.pointee = log.flags.granted
            let reference = unsafe Reference(methods: methods, log: .passUnretained(log))
            unsafe memory.initializeMemory(as: Reference.self, to: reference)
            return SQLITE_OK
        }
    }

    private static func find(_ path: UnsafePointer<CChar>, _ requested: Int32) -> SharedLog? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return unsafe logs.first {
            $0.status.st_ino == status.st_ino && $0.status.st_dev == status.st_dev && $0.flags.requested == requested
                && $0.forks == Forks.count
        }
    }

    /// nil, with SQLite's code, if the file can't be opened.
    @unsafe private init?(_ path: UnsafePointer<CChar>, _ requested: Int32, of vfs: VFS, _ code: inout Int32) {
        // A file name of SQLite's ends with several zeros (sqlite3_create_filename).
        let (length, size) = unsafe (strlen(path), Int(vfs.pointee.szOsFile))
        guard let memory = unsafe calloc(1, size + length + 4) else { return nil }
        let copy = unsafe (memory + size).assumingMemoryBound(to: CChar.self)
        unsafe memcpy(copy, path, length)
        unsafe file = memory.assumingMemoryBound(to: sqlite3_file.self)
        var granted = requested
        code = unsafe vfs.pointee.xOpen(vfs, copy, file, requested, &granted)
        flags = (requested, granted)
        var status = stat()
        if code == SQLITE_OK, unsafe stat(copy, &status) != 0 {
            // It was removed meanwhile. Nothing was written that closing could lose.
            _ = unsafe file.pointee.pMethods.pointee.xClose(file)
            code = SQLITE_CANTOPEN
        }
        self.status = status
        unsafe pthread_mutex_init(mutex, nil)
        if code != SQLITE_OK { return nil }
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe free(file)
    }

    /// Closes a connection's file; the shared one if it was the last.
    private func close() -> Int32 {
        ProcessLock.locked {
            users -= 1
            if users > 0 { return SQLITE_OK }
            unsafe Self.logs.removeAll { $0 === self }
            return unsafe file.pointee.pMethods.pointee.xClose(file)
        }
    }

    /// Passes a call of a connection on.
    private static func pass(_ file: File?, _ call: (sqlite3_io_methods, File) -> Int32) -> Int32 {
        guard let log = unsafe of(file) else { return SQLITE_IOERR }
        unsafe pthread_mutex_lock(log.mutex)
        defer { unsafe pthread_mutex_unlock(log.mutex) }
        return unsafe call(log.file.pointee.pMethods.pointee, log.file)
    }

    private static func of(_ file: File?) -> SharedLog? {
        unsafe UnsafeRawPointer(file)?.assumingMemoryBound(to: Reference.self).pointee.log.takeUnretainedValue()
    }

    /// SQLite's functions for files, of the first version: the later ones are for a database file.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        unsafe methods.xClose = { unsafe SharedLog.of($0)?.close() ?? SQLITE_IOERR }
        unsafe methods.xRead = { file, bytes, count, offset in
            unsafe pass(file) { unsafe $0.xRead($1, bytes, count, offset) }
        }
        unsafe methods.xWrite = { file, bytes, count, offset in
            unsafe pass(file) { unsafe $0.xWrite($1, bytes, count, offset) }
        }
        unsafe methods.xTruncate = { file, size in unsafe pass(file) { unsafe $0.xTruncate($1, size) } }
        unsafe methods.xSync = { file, flags in unsafe pass(file) { unsafe $0.xSync($1, flags) } }
        unsafe methods.xFileSize = { file, size in unsafe pass(file) { unsafe $0.xFileSize($1, size) } }
        unsafe methods.xLock = { file, lock in unsafe pass(file) { unsafe $0.xLock($1, lock) } }
        unsafe methods.xUnlock = { file, lock in unsafe pass(file) { unsafe $0.xUnlock($1, lock) } }
        unsafe methods.xCheckReservedLock = { file, isHeld in
            unsafe pass(file) { unsafe $0.xCheckReservedLock($1, isHeld) }
        }
        unsafe methods.xFileControl = { file, operation, argument in
            unsafe pass(file) { unsafe $0.xFileControl($1, operation, argument) }
        }
        unsafe methods.xSectorSize = { file in unsafe pass(file) { unsafe $0.xSectorSize($1) } }
        unsafe methods.xDeviceCharacteristics = { file in unsafe pass(file) { unsafe $0.xDeviceCharacteristics($1) } }
        let shared = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe shared.initialize(to: methods)
        return unsafe UnsafePointer(shared)
    }()
}
