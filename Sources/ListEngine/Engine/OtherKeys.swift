internal import SQLiteKit

/// Keys of rows that were not touched, read because the tree compares the keys of touched rows with
/// them.
struct OtherKeys {
    /// How many were read one by one.
    private(set) var readCount = 0
    /// The key that was read last: rows that are searched are often inserted next to the same one.
    private var last: (id: Int64, key: [UInt8])?
    /// Keys that were read together, before they are needed.
    private var ahead = RowTable<[UInt8]>()

    /// Whether there are keys that were read together.
    var wereReadAhead: Bool { ahead.count > 0 }

    subscript(id: Int64) -> [UInt8]? {
        if let last, last.id == id { return last.key }
        return wereReadAhead ? ahead[id] : nil
    }

    /// Adds the key of a row that was read alone.
    mutating func add(_ id: Int64, _ key: [UInt8]) {
        readCount += 1
        last = (id, key)
    }

    /// Adds the key of a row that was read together with others.
    mutating func add(ahead id: Int64, _ key: [UInt8]) { ahead.set(id, key) }
}
