/// The rows of one table that were touched by the transactions of one delivery.
///
/// A value whose copies share their rows until one of them changes: a round passes it to each list.
package struct TouchedRows {
    private var storage: SharedRows

    package init() { storage = .empty }

    /// Sendable only because of the empty one, which is never changed.
    private final class SharedRows: @unchecked Sendable {
        var rowids = Rowids()
        var keys = Keys()
        var formerKeys: [(rowid: Int64, key: RowValues)] = []
        var hasImages = true
        var lacksImage = false

        static let empty = SharedRows()

        init() {}

        init(_ other: SharedRows) {
            rowids = other.rowids
            keys = other.keys
            formerKeys = other.formerKeys
            hasImages = other.hasImages
            lacksImage = other.lacksImage
        }

        /// Removes all rows, but retains their memory. O(n), and faster for few than removing them
        /// together.
        func removeAll() {
            while !rowids.all.isEmpty { rowids.removeLast() }
            while !keys.all.isEmpty { keys.removeLast() }
            formerKeys = []
            (hasImages, lacksImage) = (true, false)
        }
    }

    /// Takes over the memory of other rows, of which it removes all, unless these have copies, or
    /// this has rows itself.
    mutating func reuse(_ other: inout TouchedRows) {
        guard storage === SharedRows.empty, other.storage !== SharedRows.empty else { return }
        if isKnownUniquelyReferenced(&other.storage) {
            storage = other.storage
            storage.removeAll()
        }
        other.storage = .empty
    }

    /// Whether they are so few that their memory may be retained.
    var areFew: Bool { count <= Self.unindexedLimit }

    /// The storage to change.
    private var unique: SharedRows {
        mutating get {
            if storage === SharedRows.empty {
                storage = SharedRows()
            } else if !isKnownUniquelyReferenced(&storage) {
                storage = SharedRows(storage)
            }
            return storage
        }
    }

    package var rowids: Rowids { _read { yield storage.rowids } }
    package var keys: Keys { _read { yield storage.keys } }
    /// The declared keys that rows of a table with rowids had when they were touched, with their
    /// rowids. Only rows without images that may have been deleted are included.
    package var formerKeys: [(rowid: Int64, key: RowValues)] { storage.formerKeys }
    /// Whether the images of the rows are known, where they are available.
    package var hasImages: Bool { storage.hasImages }
    /// Whether a row existed before whose image was unavailable.
    package var lacksImage: Bool { storage.lacksImage }

    /// Whether keys identify some of the rows, now or before.
    package var hasKeys: Bool { !storage.keys.all.isEmpty || !storage.formerKeys.isEmpty }

    package var count: Int { storage.rowids.all.count + storage.keys.all.count }

    package var all: [TouchedRow] {
        zip(rowids.all, rowids.images).map { .rowid($0, image: $1) }
            + zip(keys.all, keys.images).map { .key($0, image: $1) }
    }

    /// Whether the row with a row key (a rowid, or the values of the key) was touched.
    package func contains(_ rowKey: RowValues) -> Bool {
        if !storage.rowids.all.isEmpty { return storage.rowids.index(of: rowKey.integer(0)) != nil }
        return storage.keys.index(of: rowKey) != nil
    }

    func contains(rowid: Int64) -> Bool { storage.rowids.index(of: rowid) != nil }

    // MARK: Adding

    /// Adds a row unless it is contained already.
    package mutating func add(_ row: TouchedRow) {
        switch row {
        case .rowid(let rowid, let image): unique.rowids.touch(rowid, image: image)
        case .key(let key, let image): unique.keys.touch(key, image: image)
        }
    }

    /// Adds a row that existed before, unless it is touched already.
    mutating func touch(rowid: Int64, image: @autoclosure () -> RowValues?) {
        let storage = unique
        if !storage.rowids.touch(rowid, image: image()) { storage.lacksImage = true }
    }

    /// The same for a table WITHOUT ROWID.
    mutating func touch(key: RowValues, image: @autoclosure () -> RowValues?) {
        let storage = unique
        if !storage.keys.touch(key, image: image()) { storage.lacksImage = true }
    }

    /// Notes a row that differs from what the lists show. The image of the last note of a row
    /// replaces earlier ones.
    mutating func note(_ row: TouchedRow) {
        switch row {
        case .rowid(let rowid, let image): unique.rowids.note(rowid, image: image)
        case .key(let key, let image): unique.keys.note(key, image: image)
        }
    }

    /// Reserves room for rows with rowids.
    mutating func reserve(_ count: Int) { unique.rowids.reserve(count) }

    /// Adds rows that were touched later. A row that was touched before retains its image.
    package mutating func add(_ later: TouchedRows) {
        let storage = unique
        storage.hasImages = hasImages && later.hasImages
        storage.lacksImage = lacksImage || later.lacksImage
        storage.formerKeys += later.formerKeys
        for (rowid, image) in zip(later.rowids.all, later.rowids.images) { storage.rowids.touch(rowid, image: image) }
        for (key, image) in zip(later.keys.all, later.keys.images) { storage.keys.touch(key, image: image) }
    }

    /// Removes the rows that were touched last.
    mutating func removeLast(downToRowids rowidCount: Int, keys keyCount: Int) {
        let storage = unique
        while storage.rowids.all.count > rowidCount { storage.rowids.removeLast() }
        while storage.keys.all.count > keyCount { storage.keys.removeLast() }
    }
}

extension TouchedRows {
    /// Adds a row of which only the keys are known that it had when it was touched.
    ///
    /// - Parameters:
    ///   - rowid: nil for a row of a table WITHOUT ROWID.
    ///   - key: The values of the declared key; nil if the rowid is the only key.
    package mutating func add(rowid: Int64?, key: RowValues?) {
        let storage = unique
        storage.hasImages = false
        switch (rowid, key) {
        case (let rowid?, let key):
            storage.rowids.touch(rowid, image: nil)
            if let key { storage.formerKeys.append((rowid, key)) }
        case (nil, let key?): storage.keys.touch(key, image: nil)
        case (nil, nil): break
        }
    }

    /// The rows without their old images.
    package var withoutImages: TouchedRows {
        var rows = self
        let storage = rows.unique
        storage.rowids.images = Array(repeating: nil, count: rowids.all.count)
        storage.keys.images = Array(repeating: nil, count: keys.all.count)
        storage.hasImages = false
        return rows
    }
}

extension TouchedRows {
    /// So few rows are found by a linear search, without hashing.
    static var unindexedLimit: Int { 8 }
}

extension Dictionary where Value == Int {
    /// The index of a key, which is `next` from now on if it had none: one search, as there can be
    /// many rows.
    mutating func index(of key: Key, orNew next: Int) -> Int {
        func read(_ index: inout Int) -> Int { index }
        return read(&self[key, default: next])
    }
}
