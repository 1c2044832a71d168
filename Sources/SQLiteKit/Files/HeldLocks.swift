/// The locks of a log's index that a connection holds.
struct HeldLocks {
    /// A bit for each.
    private var bits: UInt32 = 0

    var isEmpty: Bool { bits == 0 }

    /// Whether the connection reads the database file alone, because the file had all of the log
    /// when the transaction began (`walTryBeginRead` in wal.c).
    var readsFileAlone: Bool { bits & LockRequest.readersOfFile != 0 }

    /// Notes a request that was granted.
    mutating func note(_ request: LockRequest) {
        if request.isRelease { bits &= ~request.locks } else { bits |= request.locks }
    }
}
