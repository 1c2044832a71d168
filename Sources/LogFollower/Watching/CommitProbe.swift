internal import CSQLite
internal import Glibc
internal import SQLiteKit

/// A database file, as the connection that reads it describes it.
package struct WatchedFile {
    package let path: String
    /// The name of the database on the connection.
    package let name: String
    package let isInWALMode: Bool
    /// The follower of the file's log; nil if there is none.
    let follower: LogFollower?

    package init(path: String, name: String, isInWALMode: Bool, follower: LogFollower?) {
        self.path = path
        self.name = name
        self.isInWALMode = isInWALMode
        self.follower = follower
    }
}

/// Distinguishes one committed state of a database file from another by reading a few bytes. Any
/// thread may use it, one at a time. It uses a connection of its own, which nothing else may use,
/// or the connection of a follower of the log, of which it reads the index only.
@safe
final class CommitProbe: @unchecked Sendable {
    /// A committed state, as far as the probe can distinguish states.
    enum CommittedState: Equatable {
        /// In WAL mode.
        case log(LogPosition)
        /// In the rollback modes: the counter of the database's header
        /// (https://www.sqlite.org/fileformat.html#file_change_counter). In an encrypted file these
        /// are other bytes after each commit as well, as each encrypts the page again.
        case counter(UInt32)

        /// Whether exactly one commit led here.
        func isNext(of former: CommittedState) -> Bool {
            switch (former, self) {
            case (.log(let a), .log(let b)): b.commitCount == a.commitCount &+ 1
            case (.counter(let a), .counter(let b)): b == a &+ 1
            default: false
            }
        }
    }

    let file: WatchedFile
    /// Whether only the store's own connection can read the file, because it is encrypted.
    let isEncrypted: Bool
    private let connection: Connection?
    private let reader: StateReader?
    private let handle: UnsafeMutablePointer<sqlite3_file>
    /// Whether commits are in the log.
    private let isInLog: Bool
    /// nil in a rollback mode, and until a connection that may write has initialized it.
    private var index: LogIndex?
    /// Whether the index was mapped here. SQLite unmaps only what it has mapped itself.
    private let unmapsIndex: Bool
    /// SQLite's own descriptor of the file that has the locks: the descriptor of the log's index,
    /// or of the database.
    private let descriptor: BorrowedDescriptor?

    /// nil if the file can't be probed.
    convenience init?(_ file: WatchedFile) {
        if let follower = file.follower {
            self.init(file, sharing: follower.sharedReader())
        } else {
            self.init(opening: file)
        }
    }

    private init?(_ file: WatchedFile, sharing reader: StateReader) {
        self.file = file
        self.reader = reader
        (connection, isEncrypted, isInLog, unmapsIndex) = (nil, false, true, false)
        unsafe handle = unsafe reader.file.file
        index = reader.file.index
        descriptor = BorrowedDescriptor(path: file.path + "-shm")
        guard descriptor != nil else {
            close()
            return nil
        }
    }

    private init?(opening file: WatchedFile) {
        guard let connection = try? Connection.open(path: file.path, readOnly: true, create: false) else { return nil }
        var handle: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &handle) == SQLITE_OK,
            let handle = unsafe handle, unsafe handle.pointee.pMethods != nil, let mode = Self.mode(connection, file)
        else {
            connection.close()
            return nil
        }
        self.file = file
        self.connection = connection
        reader = nil
        unsafe self.handle = unsafe handle
        (isInLog, isEncrypted) = mode
        unmapsIndex = isInLog && !Self.hasLog(connection)
        index = isInLog ? unsafe LogIndex(handle) : nil
        descriptor = BorrowedDescriptor(path: isInLog ? file.path + "-shm" : file.path)
        guard descriptor != nil else {
            close()
            return nil
        }
    }

    /// Whether the connection belongs to a follower.
    var isShared: Bool { reader != nil }

    /// Whether the file is in WAL mode, which maps the log's index; nil if that is unknown. In a
    /// rollback mode another connection may have locked the file exclusively; its header is
    /// readable nevertheless. If there is a log, the first statement opens it before it reads the
    /// header, so also the log of an encrypted file.
    private static func mode(_ connection: Connection, _ file: WatchedFile) -> (isInLog: Bool, isEncrypted: Bool)? {
        do {
            // The first statement detects the mode.
            try connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        } catch {
            if error.status == .corrupt { return (file.isInWALMode, true) }
            guard error.status == .busy, connection.fileHeader?.isInWALMode == false else { return nil }
        }
        return (connection.fileHeader?.isInWALMode ?? false, false)
    }

    /// Whether SQLite has opened the log. It does not if the file is encrypted and the log is made
    /// afterwards.
    private static func hasLog(_ connection: Connection) -> Bool {
        var journal: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe sqlite3_file_control(
            connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
        return unsafe code == SQLITE_OK && journal?.pointee.pMethods != nil
    }

    func close() {
        // The methods belong to the open file that mapped the index.
        if unmapsIndex { _ = unsafe handle.pointee.pMethods.pointee.xShmUnmap?(handle, 0) }
        connection?.close()
        reader?.unshare()
    }

    /// Whether the file was changed to WAL mode since it was opened.
    ///
    /// - Parameter isInWALMode: Whether the store's own connection finds it in that mode now.
    func isOutdated(_ isInWALMode: (WatchedFile) -> Bool) -> Bool {
        guard !isInLog else { return false }
        return isEncrypted ? isInWALMode(file) : connection?.fileHeader?.isInWALMode ?? false
    }

    /// The state that was committed last; nil if it can't be read now.
    func state() -> CommittedState? {
        if isInLog {
            if index == nil { index = unsafe LogIndex(handle) }
            return index?.position().map(CommittedState.log)
        }
        return connection?.fileHeader.map { .counter($0.changeCounter) }
    }

    /// The end of the log, and how much of it a checkpoint has written into the database file.
    struct Log: Equatable {
        let position: LogPosition?
        let backfilledFrame: UInt32
    }

    /// nil in a rollback mode, and if the log can't be read now.
    var log: Log? { index.map { Log(position: $0.position(), backfilledFrame: $0.backfilledFrame) } }

    /// The file that is at the path now.
    enum FileAtPath: Equatable {
        case file
        case nothing
        /// Another file, with the time of its last change, in seconds and nanoseconds: it may not
        /// be complete yet.
        case other(ino_t, changed: Int, Int)
    }

    /// The present one (SQLITE_FCNTL_HAS_MOVED).
    var place: FileAtPath {
        var hasMoved: Int32 = 0
        let code = unsafe handle.pointee.pMethods.pointee.xFileControl?(handle, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if code != SQLITE_OK || hasMoved == 0 { return .file }
        var status = stat()
        guard unsafe stat(file.path, &status) == 0 else { return .nothing }
        return .other(status.st_ino, changed: status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }

    /// Whether another state was committed. In a rollback mode the content of the file counts only
    /// while no connection writes it.
    func hasCommit(since state: CommittedState?) -> Bool {
        let current = self.state()
        return current != state && (isInLog || !isBeingWritten)
    }

    /// Whether any connection, including one of this process, is about to commit. A process that
    /// died holds no lock.
    var isBeingWritten: Bool {
        // The write lock of the log (https://www.sqlite.org/walformat.html#wal_locks), or the bytes
        // that readers lock together, and that a writer locks exclusively while it writes the file
        // (os_unix.c).
        isInLog ? isLocked(F_WRLCK, 120, 1) : isLocked(F_RDLCK, 0x4000_0002, 510)
    }

    /// Whether a connection writes the log into the database file, or waits to restart the log.
    var isBeingCheckpointed: Bool { isInLog && isLocked(F_WRLCK, 121, 1) }

    private func isLocked(_ kind: Int32, _ start: Int, _ count: Int) -> Bool {
        guard let descriptor, descriptor.isOpen else { return false }
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = start
        lock.l_len = count
        guard unsafe fcntl(descriptor.number, Self.findLock, &lock) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK)
    }

    /// F_OFD_GETLK, which the compiler does not import from the header: it also finds the locks of
    /// this process.
    private static var findLock: Int32 { 36 }
}
