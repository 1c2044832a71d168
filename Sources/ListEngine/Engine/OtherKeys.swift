internal import OrderedTree

/// Keys of rows that were not touched, read because the tree compares the keys of touched rows with
/// them.
struct OtherKeys: ~Copyable {
    /// How many were read one by one.
    private(set) var readCount = 0
    /// The key that was read last: rows that are searched are often inserted next to the same one.
    private var last: (id: Int64, key: ArenaKey)?
    /// Keys that were read together, before they are needed.
    private var ahead: RowTable<ArenaKey>?
    private var arena = KeyArena()

    /// Whether there are keys that were read together.
    var wereReadAhead: Bool { ahead != nil }

    subscript(id: Int64) -> ArenaKey? {
        if let last, last.id == id { return last.key }
        return ahead?[id]
    }

    /// Adds the key of a row that was read alone, and returns the copy.
    mutating func add(_ id: Int64, _ key: UnsafeRawBufferPointer) -> ArenaKey {
        readCount += 1
        let copy = unsafe arena.copy(key)
        last = (id, copy)
        return copy
    }

    /// Adds the key of a row that was read together with others.
    mutating func add(ahead id: Int64, _ key: UnsafeRawBufferPointer) {
        if ahead == nil { ahead = RowTable() }
        unsafe ahead?.set(id, arena.copy(key))
    }
}
