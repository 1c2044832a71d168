/// The locks of a log's index that a connection holds.
///
/// It also decides whether the connection may lock the log against writers to repair the header of
/// the index. A reader that finds the header incomplete requests the write lock, as the process
/// that wrote it may have died (`walIndexReadHdr` in wal.c). Nearly always that process has just
/// completed it. If the reader has the lock then, even for a microsecond, another connection's
/// `BEGIN IMMEDIATE` fails if it has no busy timeout. So the first such requests are refused, and
/// SQLite reads the header again.
struct LogLocks {
    /// SQLite reads the header four more times without a pause (`walTryBeginRead` in wal.c).
    private static var limit: Int { 4 }

    /// A bit for each lock that is held. A transaction that writes has a read lock, and a
    /// checkpoint has the lock of checkpoints, before they request the write lock.
    private var held: UInt32 = 0
    /// How many requests were refused since the connection last began to read or to write.
    private var refused = 0

    /// Whether the connection reads the database file alone, because the file had all of the log
    /// when the transaction began (`walTryBeginRead` in wal.c).
    var readsFileAlone: Bool { held & LockRequest.readersOfFile != 0 }

    /// Whether a request is refused, as if another connection held the lock.
    mutating func refuses(_ request: LockRequest) -> Bool {
        guard request.isForWriting, held == 0, refused < Self.limit else { return false }
        refused += 1
        return true
    }

    /// Notes a request that was granted.
    mutating func note(_ request: LockRequest) {
        if request.isRelease { held &= ~request.locks } else { held |= request.locks }
        if request.isForWriting || request.isForReading { refused = 0 }
    }
}
