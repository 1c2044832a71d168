internal import SQLiteKit

/// A cache of the contents that the program received: the whole content of rows that were read
/// recently, and a hash of the other contents, which shows what changed where no hook reports it.
///
/// The cache has two generations. When the young one has half of the rows or bytes that the limits
/// allow, the old one is dropped, and only its hashes stay. Computing them together is faster than
/// one lookup in a large table for each row. The content that was inserted last is always cached,
/// whatever the limits are.
package final class ContentCache {
    private var young = Generation()
    private var old = Generation()
    /// Hashes of contents. Hashes of rows whose content is cached do not count, and may be out of
    /// date.
    private var fingerprints = RowDictionary<UInt64>()
    private var unreported: Set<Int64> = []
    /// The greatest number of rows whose contents are cached.
    package var limit: Int {
        didSet { if young.count + old.count > limit { dropAll() } }
    }
    /// The greatest number of bytes that the contents have. One row alone may have more.
    package var byteLimit: Int {
        didSet { if byteCount > byteLimit { dropAll() } }
    }

    init(limit: Int, byteLimit: Int) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// The memory of the contents.
    var byteCount: Int { young.byteCount + old.byteCount }

    /// Whether nothing is known of any row.
    var isEmpty: Bool { young.count + old.count + fingerprints.count == 0 }

    func find(_ id: Int64) -> RowValues? {
        if let rowValues = young[id] { return rowValues }
        guard let rowValues = old.remove(id) else { return nil }
        insert(id, rowValues)
        return rowValues
    }

    /// Reads a content without marking the row as used.
    func peek(_ id: Int64) -> RowValues? { young[id] ?? old[id] }

    /// Whether a row's content is cached.
    func contains(_ id: Int64) -> Bool { young.contains(id) || old.contains(id) }

    /// The hash of the content of a row that the program received; nil if it received none.
    func fingerprint(of id: Int64) -> UInt64? { peek(id)?.fingerprint ?? fingerprints[id] }

    /// The rows of which the program received a content.
    var ids: [Int64] { young.ids + old.ids + fingerprints.ids.filter { !contains($0) } }

    /// Caches a content that the program is about to receive.
    func insert(_ id: Int64, _ rowValues: consuming RowValues) {
        young.remove(id)
        old.remove(id)
        makeRoom(for: rowValues.byteCount)
        young.add(id, rowValues)
    }

    private func makeRoom(for byteCount: Int) {
        if young.count >= max(limit / 2, 1) || young.byteCount + byteCount > byteLimit / 2 {
            swap(&young, &old)
            young.drop(leaving: &fingerprints)
        }
        if young.count + old.count >= limit || self.byteCount + byteCount > byteLimit {
            old.drop(leaving: &fingerprints)
        }
    }

    /// Notes a content that the program received in another way than by reading the list. It uses
    /// no room of the contents for which the list was read.
    func noteGiven(_ id: Int64, _ rowValues: RowValues) {
        if contains(id) { return }
        if young.count < limit / 2, young.byteCount + rowValues.byteCount <= byteLimit / 2 {
            young.add(id, rowValues)
        } else if fingerprints.index(of: id) == nil {
            fingerprints.add(id, rowValues.fingerprint)
        }
    }

    /// Stores a row's new content if the program is known to have an older one.
    func update(_ id: Int64, _ rowValues: RowValues) {
        unreported.remove(id)
        if !young.replace(id, rowValues), !old.replace(id, rowValues) {
            if let index = fingerprints.index(of: id) { fingerprints[at: index] = rowValues.fingerprint }
        } else if byteCount > byteLimit {
            dropAll()
        }
    }

    func remove(_ id: Int64) {
        young.remove(id)
        old.remove(id)
        fingerprints.remove(id)
        unreported.remove(id)
    }

    /// Discards the contents: the list shows other columns now. A row that the program received
    /// counts as changed until the list has reported it, even if the program reads the row
    /// meanwhile: a view may still show the old columns.
    func discardContents() {
        dropAll()
        unreported.formUnion(fingerprints.ids)
    }

    /// Whether the program received a content in other columns, which no change set has reported.
    func isUnreported(_ id: Int64) -> Bool { unreported.contains(id) }

    func removeAll() {
        young = Generation()
        old = Generation()
        fingerprints = RowDictionary()
        unreported = []
    }

    private func dropAll() {
        old.drop(leaving: &fingerprints)
        young.drop(leaving: &fingerprints)
    }
}

extension ContentCache {
    /// Contents with their memory.
    private struct Generation {
        private var contents = RowDictionary<RowValues>()
        private(set) var byteCount = 0

        var count: Int { contents.count }
        var ids: [Int64] { contents.ids }

        subscript(id: Int64) -> RowValues? { contents[id] }

        func contains(_ id: Int64) -> Bool { contents.index(of: id) != nil }

        mutating func add(_ id: Int64, _ rowValues: consuming RowValues) {
            byteCount += rowValues.byteCount
            contents.add(id, rowValues)
        }

        /// False if there is no content to replace.
        mutating func replace(_ id: Int64, _ rowValues: RowValues) -> Bool {
            guard let index = contents.index(of: id) else { return false }
            byteCount += rowValues.byteCount - contents[at: index].byteCount
            contents[at: index] = rowValues
            return true
        }

        @discardableResult
        mutating func remove(_ id: Int64) -> RowValues? {
            guard let rowValues = contents.remove(id) else { return nil }
            byteCount -= rowValues.byteCount
            return rowValues
        }

        /// Removes all contents, and stores their hashes.
        mutating func drop(leaving fingerprints: inout RowDictionary<UInt64>) {
            // By number, as `zip` would count references to each row's values.
            for index in 0..<contents.count {
                fingerprints.set(contents.id(at: index), contents[at: index].fingerprint)
            }
            contents.removeAll()
            byteCount = 0
        }
    }
}
