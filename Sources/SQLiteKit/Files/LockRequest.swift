internal import CSQLite

/// A request for locks of a log's index, or for their release
/// (https://www.sqlite.org/walformat.html#wal_locks).
struct LockRequest {
    let first: Int32
    let count: Int32
    /// `SQLITE_SHM_LOCK` or `SQLITE_SHM_UNLOCK`, and `SQLITE_SHM_SHARED` or `SQLITE_SHM_EXCLUSIVE`.
    let flags: Int32

    private static var writeLock: Int32 { 0 }
    private static var firstReadLock: Int32 { 3 }
    /// The lock of readers of the database file alone.
    static var readersOfFile: UInt32 { 1 << UInt32(firstReadLock) }

    var isRelease: Bool { flags & SQLITE_SHM_UNLOCK != 0 }
    var isForWriting: Bool { first == Self.writeLock && flags & SQLITE_SHM_EXCLUSIVE != 0 && !isRelease }
    var isForReading: Bool { first >= Self.firstReadLock && !isRelease }

    /// A bit for each lock.
    var locks: UInt32 { (1 << UInt32(count) - 1) << UInt32(first) }
}
