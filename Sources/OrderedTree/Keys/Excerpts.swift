/// Bytes of keys that the marks of a leaf lack, and that searches are likely to need: a search that
/// finds none reads a row.
///
/// An excerpt consists of neighbouring bytes of one row's key. It states nothing about other rows,
/// so it stays correct however these change. A leaf has room for few.
@safe struct Excerpts: ~Copyable {
    /// The part before the bytes of an excerpt.
    struct Head {
        fileprivate static let size = 4

        var row: Int
        /// Where in the key its bytes begin, and how many there are.
        let offset: Int
        var count: Int

        var end: Int { offset + count }
    }

    /// The bytes in use, the allocated bytes, and the excerpts; nil as long as there are none.
    private var block = unsafe UnsafeMutablePointer<UInt8>?.none

    private static let start = 2
    /// The most bytes of the block, and of one excerpt.
    private static let greatestSize = 144
    static let greatestCount = 40

    /// None.
    init() {}

    /// The same excerpts, in memory that just fits them.
    init(_ other: borrowing Excerpts) {
        guard !other.isEmpty, let source = unsafe other.block else { return }
        let copy = unsafe allocate(other.used)
        unsafe copy.update(from: source, count: other.used)
        unsafe copy[1] = UInt8(other.used)
    }

    deinit { if let block = unsafe block { unsafe Memory.free(block) } }

    @inline(__always)
    var isEmpty: Bool { used == Self.start }

    var bytesHeld: Int { capacity == 0 ? 0 : Memory.held(capacity) }

    @inline(__always)
    private var used: Int { unsafe block.map { unsafe Int($0[0]) } ?? Self.start }
    private var capacity: Int { unsafe block.map { unsafe Int($0[1]) } ?? 0 }

    /// Replaces the block by one for so many bytes.
    private mutating func allocate(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        let new = unsafe Memory.allocate(size).assumingMemoryBound(to: UInt8.self)
        unsafe new[0] = UInt8(used)
        unsafe new[1] = UInt8(size)
        if let old = unsafe block {
            unsafe (new + Self.start).update(from: old + Self.start, count: used - Self.start)
            unsafe Memory.free(old)
        }
        unsafe block = new
        return unsafe new
    }

    private func head(_ bytes: UnsafePointer<UInt8>) -> Head {
        unsafe Head(row: Int(bytes[0]), offset: Int(bytes[2]) << 8 | Int(bytes[3]), count: Int(bytes[1]))
    }

    private func write(_ head: Head, to bytes: UnsafeMutablePointer<UInt8>) {
        unsafe bytes[0] = UInt8(head.row)
        unsafe bytes[1] = UInt8(head.count)
        unsafe bytes[2] = UInt8(head.offset >> 8)
        unsafe bytes[3] = UInt8(head.offset & 0xff)
    }

    /// Whether there is an excerpt of a row.
    @inline(__always)
    func contains(_ row: Int) -> Bool {
        guard let block = unsafe block else { return false }
        let used = used
        var place = Self.start
        while place < used {
            let head = unsafe head(block + place)
            if head.row == row { return true }
            place += Head.size + head.count
        }
        return false
    }

    /// The known bytes of a row's key from an offset on; nil if nothing is known there. Valid
    /// until the excerpts change.
    func find(_ row: Int, at offset: Int) -> KeyBytes? {
        guard let block = unsafe block else { return nil }
        var place = Self.start
        while place < used {
            let head = unsafe head(block + place)
            if head.row == row, head.offset <= offset, offset < head.end {
                let start = unsafe block + place + Head.size + offset - head.offset
                return unsafe KeyBytes(UnsafePointer(start), count: head.end - offset)
            }
            place += Head.size + head.count
        }
        return nil
    }

    func forEach(_ body: (Head, KeyBytes) -> Void) {
        guard let block = unsafe block else { return }
        var place = Self.start
        while place < used {
            let head = unsafe head(block + place)
            unsafe body(head, KeyBytes(UnsafePointer(block + place + Head.size), count: head.count))
            place += Head.size + head.count
        }
    }

    /// Changes the row and the count of each excerpt, which must not become greater than it is. One
    /// for which `change` returns false is removed.
    @inline(__always)
    mutating func edit(_ change: (inout Head) -> Bool) {
        guard let block = unsafe block else { return }
        let used = used
        var (place, end) = (Self.start, Self.start)
        while place < used {
            var head = unsafe head(block + place)
            let next = place + Head.size + head.count
            if change(&head), head.row <= UInt8.max {
                unsafe write(head, to: block + end)
                if end < place {
                    unsafe (block + end + Head.size).update(from: block + place + Head.size, count: head.count)
                }
                end += Head.size + head.count
            }
            place = next
        }
        unsafe block[0] = UInt8(end)
    }

    mutating func removeAll() { unsafe block?[0] = UInt8(Self.start) }

    /// Whether so many bytes can be added in the same block.
    func hasRoom(for count: Int) -> Bool { used + Head.size + count <= capacity }

    /// Adds the bytes of a row's key from `start` to `end`, if there is room.
    mutating func add(_ row: Int, _ key: KeyBytes, from start: Int, to end: Int) {
        guard let source = unsafe key.bytes, start < end, end <= key.count else { return }
        unsafe add(row, KeyBytes(source + start, count: end - start), at: start)
    }

    /// Adds bytes that are at an offset of a row's key, if there is room.
    mutating func add(_ row: Int, _ part: KeyBytes, at offset: Int) {
        let head = Head(row: row, offset: offset, count: part.count)
        guard let source = unsafe part.bytes, row <= UInt8.max, head.end <= UInt16.max,
            head.count <= Self.greatestCount
        else { return }
        let size = used + Head.size + head.count
        if size > Self.greatestSize { return }
        // In steps of what the allocator allocates.
        if size > capacity { _ = unsafe allocate((size + 8 + 15) & ~15 - 8) }
        guard let block = unsafe block else { return }
        unsafe write(head, to: block + used)
        unsafe (block + used + Head.size).update(from: source, count: head.count)
        unsafe block[0] = UInt8(size)
    }
}
