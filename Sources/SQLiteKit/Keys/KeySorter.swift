internal import Glibc

/// Sorts rows by the bytes of their encoded keys.
///
/// Eight bytes of each key are compared at a time, as one integer; where these are equal for
/// several keys, the next eight decide. This is faster than comparing whole keys, and than SQLite's
/// sorter, which compares records.
///
/// All data of a row is adjacent in one large block: the hash of the key, the id unless the key
/// ends with it, the lengths of the key and the tag in one byte each if they are small, and the
/// key. To visit the rows in their order costs one cache miss each, and these misses overlap.
///
/// Safe except for the keys that it returns: it owns the block, and all offsets refer to rows in
/// it.
@safe package final class KeySorter {
    /// How many rows are loaded into the cache together.
    private static let group = 16

    /// Whether keys end with ids, as `KeyEncoder.append(rowid:)` appends them.
    private let endsWithID: Bool
    private var block: UnsafeMutableRawPointer
    private var capacity = 1 << 16
    private var used = 0
    /// Eight bytes of each row's key, and the offset of the row.
    private var entries: [(head: UInt64, offset: Int)] = []
    /// Prevents the compiler from removing the reads that load the cache.
    private var warmed: UInt8 = 0

    package init(endsWithID: Bool = false) {
        self.endsWithID = endsWithID
        unsafe block = Self.allocated(malloc(capacity))
    }

    deinit { unsafe free(block) }

    package var count: Int { entries.count }

    /// Adds a row with a key made of two parts.
    package func append(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, id: Int64, hash: UInt32, tag: Int32
    ) {
        let keyCount = first.count + second.count
        // More than the header ever takes.
        if used + 32 + keyCount > capacity { grow(32 + keyCount) }
        let start = used
        store(hash)
        if !endsWithID { store(id) }
        store(number: UInt64(keyCount))
        // -1 is the most frequent one.
        store(number: UInt64(UInt32(bitPattern: tag &+ 1)))
        if let address = first.baseAddress { unsafe memcpy(block + used, address, first.count) }
        if let address = second.baseAddress { unsafe memcpy(block + used + first.count, address, second.count) }
        used += keyCount
        entries.append((head(start, 0), start))
    }

    private func store<Value: BitwiseCopyable>(_ value: Value) {
        unsafe (block + used).storeBytes(of: value, as: Value.self)
        used += MemoryLayout<Value>.size
    }

    /// Stores a number in as few groups of seven bits as possible.
    private func store(number: UInt64) {
        var rest = number
        while rest > 0x7f {
            store(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        store(UInt8(truncatingIfNeeded: rest))
    }

    private func number(_ offset: inout Int) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = unsafe block.load(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// The parts of a row.
    private func row(_ offset: Int) -> (hash: UInt32, id: Int64, tag: Int32, key: UnsafeRawBufferPointer) {
        var place = offset
        let hash = unsafe block.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        place += 4
        var id: Int64 = 0
        if !endsWithID {
            id = unsafe block.loadUnaligned(fromByteOffset: place, as: Int64.self)
            place += 8
        }
        let count = Int(number(&place))
        let tag = Int32(truncatingIfNeeded: number(&place)) &- 1
        if endsWithID {
            id = unsafe Int64(bigEndian: block.loadUnaligned(fromByteOffset: place + count - 8, as: Int64.self)) ^ .min
        }
        return unsafe (hash, id, tag, UnsafeRawBufferPointer(start: block + place, count: count))
    }

    private func key(_ offset: Int) -> UnsafeRawBufferPointer {
        var place = offset + (endsWithID ? 4 : 12)
        let count = Int(number(&place))
        _ = number(&place)
        return unsafe UnsafeRawBufferPointer(start: block + place, count: count)
    }

    /// A large block grows in place, or its pages are moved: neither copies it, and the old block
    /// does not occupy memory beside the new one.
    private func grow(_ extra: Int) {
        capacity = max(capacity * 2, capacity + extra)
        unsafe block = Self.allocated(realloc(block, capacity))
    }

    /// Without memory the process ends, as it does wherever Swift allocates.
    private static func allocated(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let block = unsafe block else { fatalError("no memory to sort rows") }
        return unsafe block
    }

    /// Calls `body` once for all rows in the order of their keys, which the sorter lends for the
    /// call.
    package func forEachSorted(
        _ body: (_ id: Int64, _ hash: UInt32, _ tag: Int32, _ key: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        unsafe entries.withUnsafeMutableBufferPointer { unsafe sort($0) }
        // So that half of the memory is free while the caller makes something of the rows.
        let offsets = entries.map(\.offset)
        entries = []
        var start = 0
        while start < offsets.count {
            let end = min(start + Self.group, offsets.count)
            var sum: UInt8 = 0
            for index in start..<end {
                unsafe sum &+= block.load(fromByteOffset: offsets[index], as: UInt8.self)
                unsafe sum &+= block.load(fromByteOffset: min(offsets[index] + 64, used - 1), as: UInt8.self)
            }
            warmed = sum
            for index in start..<end {
                let row = unsafe row(offsets[index])
                unsafe try body(row.id, row.hash, row.tag, row.key)
            }
            start = end
        }
    }

    /// Sorts all keys. The parts that remain, with the number of bytes in which their keys agree,
    /// are in an array, as there is no limit to that number: recursion would need stack for each
    /// eight of them.
    private func sort(_ all: UnsafeMutableBufferPointer<(head: UInt64, offset: Int)>) {
        var unsorted = [(range: all.indices, depth: 0)]
        while let (range, depth) = unsorted.popLast() {
            var entries = unsafe all[range]
            if depth > 0 {
                for index in range { unsafe entries[index].head = head(entries[index].offset, depth) }
            }
            unsafe entries.sort { $0.head < $1.head }
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start + 1
                while end < range.upperBound, unsafe entries[end].head == entries[start].head { end += 1 }
                if end - start > 1, unsafe hasMore(entries[start..<end], depth + 8) {
                    unsorted.append((start..<end, depth + 8))
                }
                start = end
            }
        }
    }

    private func hasMore(_ entries: Slice<UnsafeMutableBufferPointer<(head: UInt64, offset: Int)>>, _ depth: Int)
        -> Bool
    {
        unsafe entries.contains { unsafe key($0.offset).count > depth }
    }

    /// Eight bytes of a key, as an integer that compares like them; zeros after its end.
    private func head(_ offset: Int, _ depth: Int) -> UInt64 {
        let key = unsafe key(offset)
        let rest = key.count - depth
        if rest >= 8 { return unsafe UInt64(bigEndian: key.loadUnaligned(fromByteOffset: depth, as: UInt64.self)) }
        var head: UInt64 = 0
        for index in 0..<8 { head = unsafe head << 8 | (index < rest ? UInt64(key[depth + index]) : 0) }
        return head
    }
}
