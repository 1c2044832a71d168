/// Why a list was read from scratch rather than a few rows of it. Raw values are the C
/// interface's.
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
    /// So many rows changed that reading all of them is cheaper, or that the list is ranked again.
    case many = 7
    /// The list was fetched inside a transaction that has now ended.
    case transaction = 8
    /// After an error.
    case recovery = 9
    /// Its deliveries were paused.
    case pause = 10
}

/// The work of a controller since it was created.
public struct Counters: Sendable {
    private let work: WorkCounters
    /// Nodes of the ordered tree that were visited.
    public let nodesVisited: Int
    /// Memory of the list's index and of its rows' identities now, in bytes, without the cache of
    /// objects.
    public let bytesHeld: Int

    init(_ work: WorkCounters, nodesVisited: Int, bytesHeld: Int) {
        self.work = work
        self.nodesVisited = nodesVisited
        self.bytesHeld = bytesHeld
    }

    /// Rows of the entity that SQLite read: keys and contents.
    public var rowsRead: Int { work.rowsRead }
    /// SQL statements executed.
    public var statementsRun: Int { work.statementsRun }
    /// Change sets delivered.
    public var deliveries: Int { work.deliveries }
    /// Fetches that took the list from the cache of its name.
    public var cachedFetches: Int { work.cachedFetches }
    /// Full reads by reason.
    public var rereads: [RereadReason: Int] { work.rereads }
}

/// The counters of an engine.
package struct WorkCounters: Sendable {
    package var rowsRead = 0
    package var statementsRun = 0
    private var few: (deliveries: UInt32, cachedFetches: UInt32, reads: UInt32) = (0, 0, 0)
    /// Most lists are read by their first fetch alone, and need no dictionary.
    private var otherRereads: [RereadReason: Int] = [:]

    package init() {}

    /// The work of both. Groups are read as a whole when their rows are.
    func ofGroups(adding rows: WorkCounters) -> WorkCounters {
        var sum = self
        sum.rowsRead += rows.rowsRead
        sum.statementsRun += rows.statementsRun
        (sum.few.reads, sum.otherRereads) = (rows.few.reads, rows.otherRereads)
        return sum
    }

    package var deliveries: Int {
        get { Int(few.deliveries) }
        set { few.deliveries = UInt32(truncatingIfNeeded: newValue) }
    }
    package var cachedFetches: Int {
        get { Int(few.cachedFetches) }
        set { few.cachedFetches = UInt32(truncatingIfNeeded: newValue) }
    }
    package var rereads: [RereadReason: Int] {
        few.reads > 0 ? otherRereads.merging([.fetch: Int(few.reads)]) { $1 } : otherRereads
    }

    mutating func countReread(_ reason: RereadReason) {
        if reason == .fetch { few.reads &+= 1 } else { otherRereads[reason, default: 0] += 1 }
    }
}
