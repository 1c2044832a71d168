internal import SQLiteKit

/// What is kept of the contents that the program was given: of rows that were looked at lately all of it, of others a hash,
/// to find out what changed where no hook tells.
///
/// Contents are kept in two generations. When the young one is full, the old one is dropped, and leaves its hashes behind;
/// to make them all at once is quicker than to look for a place in a large table at each row.
struct ContentCache {
    private var young = RowTable<Record>()
    private var old = RowTable<Record>()
    /// Hashes of contents. Those of rows whose content is kept do not count, and may be out of date.
    private var fingerprints = RowTable<UInt64>()
    /// The greatest number of rows whose contents are kept.
    var limit: Int {
        didSet { if young.count + old.count > limit { dropAll() } }
    }

    init(limit: Int) { self.limit = limit }

    mutating func find(_ id: Int64) -> Record? {
        if let record = young[id] { return record }
        guard let record = old.remove(id) else { return nil }
        insert(id, record)
        return record
    }

    /// Looks without marking the row as used.
    func peek(_ id: Int64) -> Record? { young[id] ?? old[id] }

    /// Whether a row's content is kept.
    func contains(_ id: Int64) -> Bool { young.index(of: id) != nil || old.index(of: id) != nil }

    /// The hash of what the program was given of a row; nil if it was given nothing.
    func fingerprint(of id: Int64) -> UInt64? { peek(id)?.fingerprint ?? fingerprints[id] }

    /// The rows of which the program was given something.
    var ids: [Int64] { young.ids + old.ids + fingerprints.ids.filter { !contains($0) } }

    /// Keeps a content that the program is about to be given.
    mutating func insert(_ id: Int64, _ record: consuming Record) {
        if young.count >= max(limit / 2, 1) {
            swap(&young, &old)
            Self.drop(&young, &fingerprints)
        }
        young.set(id, record)
    }

    /// Notes a content that the program was given by other ways than reading the list.
    mutating func noteGiven(_ id: Int64, _ record: Record) {
        if !contains(id), fingerprints.index(of: id) == nil { fingerprints.add(id, record.fingerprint) }
    }

    /// Takes a row's new content if it is known that the program has an older one.
    mutating func update(_ id: Int64, _ record: Record) {
        if let index = young.index(of: id) { return young[at: index] = record }
        if let index = old.index(of: id) { return old[at: index] = record }
        if let index = fingerprints.index(of: id) { fingerprints[at: index] = record.fingerprint }
    }

    mutating func remove(_ id: Int64) {
        young.remove(id)
        old.remove(id)
        fingerprints.remove(id)
    }

    mutating func removeAll() {
        young = RowTable()
        old = RowTable()
        fingerprints = RowTable()
    }

    private mutating func dropAll() {
        Self.drop(&old, &fingerprints)
        Self.drop(&young, &fingerprints)
    }

    private static func drop(_ contents: inout RowTable<Record>, _ fingerprints: inout RowTable<UInt64>) {
        // By number, as `zip` would count references to each record.
        for index in 0..<contents.count { fingerprints.set(contents.ids[index], contents[at: index].fingerprint) }
        contents.removeAll()
    }
}
