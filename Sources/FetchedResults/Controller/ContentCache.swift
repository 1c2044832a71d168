internal import SQLiteKit

/// The contents of rows that were looked at lately. Bounded: rows are kept in two generations, and when the young one is
/// full the old one is dropped.
struct ContentCache {
    private var young: [Int64: Record] = [:]
    private var old: [Int64: Record] = [:]
    /// The greatest number of rows kept.
    var limit: Int {
        didSet { if young.count + old.count > limit { removeAll() } }
    }

    init(limit: Int) { self.limit = limit }

    mutating func find(_ id: Int64) -> Record? {
        if let record = young[id] { return record }
        guard let record = old.removeValue(forKey: id) else { return nil }
        insert(id, record)
        return record
    }

    /// Looks without marking the row as used.
    func peek(_ id: Int64) -> Record? { young[id] ?? old[id] }

    mutating func insert(_ id: Int64, _ record: Record) {
        if young.count >= max(limit / 2, 1) {
            old = young
            young = [:]
        }
        young[id] = record
    }

    /// Takes a row's new content if an older one is kept.
    mutating func update(_ id: Int64, _ record: Record) {
        if young[id] != nil { young[id] = record } else if old[id] != nil { old[id] = record }
    }

    mutating func remove(_ id: Int64) {
        young[id] = nil
        old[id] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
