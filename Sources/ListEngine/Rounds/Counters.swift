/// Why a list was read from scratch rather than a few rows of it. Raw values equal those of the C
/// interface.
public enum RereadReason: Int, Sendable, CaseIterable {
    /// performFetch.
    case fetch = 0
    /// The request was changed.
    case request = 1
    /// DDL, VACUUM, ATTACH, DETACH.
    case schema = 2
    /// A table changed that a subquery of the predicate reads.
    case related = 3
    /// The entity is a view or a virtual table.
    case view = 4
    /// The request has a limit or an offset, and the touched rows are not enough to follow it.
    case window = 5
    /// Another connection committed.
    case foreign = 6
    /// So many rows changed that reading all of them is cheaper.
    case many = 7
    /// The list was fetched inside a transaction that has now ended.
    case transaction = 8
    /// After an error.
    case recovery = 9
    /// Its deliveries were paused.
    case pause = 10
}

/// What a controller has done since it was created.
public struct Counters: Sendable {
    package init() {}

    /// Rows of the entity that SQLite read: keys and contents.
    public package(set) var rowsRead = 0
    /// SQL statements executed.
    public package(set) var statementsRun = 0
    /// Nodes of the ordered tree that were visited.
    public package(set) var nodesVisited = 0
    /// Memory of the list's index and of its rows' identities now, in bytes, without the cache of
    /// objects.
    public package(set) var bytesHeld = 0
    /// Change sets delivered.
    public package(set) var deliveries = 0
    /// Fetches that took the list from the cache of its name.
    public package(set) var cachedFetches = 0
    /// Full reads by reason.
    public var rereads: [RereadReason: Int] {
        fetchReads > 0 ? otherRereads.merging([.fetch: fetchReads]) { $1 } : otherRereads
    }

    /// Most lists are read by their first fetch alone, and need no dictionary.
    private var fetchReads = 0
    private var otherRereads: [RereadReason: Int] = [:]

    mutating func countReread(_ reason: RereadReason) {
        if reason == .fetch { fetchReads += 1 } else { otherRereads[reason, default: 0] += 1 }
    }
}
