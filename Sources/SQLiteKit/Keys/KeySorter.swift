internal import Glibc

/// Sorts rows by the bytes of their encoded keys.
///
/// Eight bytes of each key are compared at a time, as one integer; where these are equal for
/// several keys, the next eight decide. This is faster than comparing whole keys, and than SQLite's
/// sorter, which compares records.
///
/// All data of a row is adjacent in one large block. To visit the rows in their order costs one
/// cache miss each, and these misses overlap.
///
/// Safe except for the keys that it returns: it owns the block, and all offsets refer to rows in
/// it.
@safe package final class KeySorter {
    private struct StoredKey {
        let id: Int64
        let hash: UInt32
        let tag: Int32
        let keyCount: Int
    }

    private static let headerSize = MemoryLayout<StoredKey>.stride
    /// How many rows are loaded into the cache together.
    private static let group = 16

    /// Allocated by malloc, which aligns it for a header.
    private var block: UnsafeMutableRawPointer
    private var capacity = 1 << 16
    private var used = 0
    /// Eight bytes of each row's key, and the offset of the row's header, which the key follows.
    private var entries: [(head: UInt64, offset: Int)] = []
    /// Prevents the compiler from removing the reads that load the cache.
    private var warmed: UInt8 = 0

    package init() { unsafe block = Self.allocated(malloc(capacity)) }

    deinit { unsafe free(block) }

    package var count: Int { entries.count }

    /// Adds a row with a key made of two parts.
    package func append(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, id: Int64, hash: UInt32, tag: Int32
    ) {
        let keyCount = first.count + second.count
        // Whole words, so that each header is aligned.
        let size = Self.headerSize + (keyCount + 7) & ~7
        if used + size > capacity { grow(size) }
        let place = unsafe block + used
        unsafe place.storeBytes(of: StoredKey(id: id, hash: hash, tag: tag, keyCount: keyCount), as: StoredKey.self)
        let key = unsafe place + Self.headerSize
        if let start = first.baseAddress { unsafe memcpy(key, start, first.count) }
        if let start = second.baseAddress { unsafe memcpy(key + first.count, start, second.count) }
        entries.append((head(used, 0), used))
        used += size
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

    /// Calls `body` for all rows in the order of their keys, which the sorter lends for the call.
    package func forEachSorted(
        _ body: (_ id: Int64, _ hash: UInt32, _ tag: Int32, _ key: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        unsafe entries.withUnsafeMutableBufferPointer { unsafe sort($0) }
        unsafe try entries.withUnsafeBufferPointer { entries in
            var start = 0
            while start < entries.count {
                let end = min(start + Self.group, entries.count)
                var sum: UInt8 = 0
                for index in start..<end {
                    unsafe sum &+= block.load(fromByteOffset: entries[index].offset, as: UInt8.self)
                    unsafe sum &+= block.load(fromByteOffset: min(entries[index].offset + 64, used - 1), as: UInt8.self)
                }
                warmed = sum
                for index in start..<end {
                    let offset = unsafe entries[index].offset
                    let row = header(offset)
                    let key = unsafe UnsafeRawBufferPointer(
                        start: block + offset + Self.headerSize, count: row.keyCount)
                    unsafe try body(row.id, row.hash, row.tag, key)
                }
                start = end
            }
        }
    }

    private func header(_ offset: Int) -> StoredKey { unsafe block.load(fromByteOffset: offset, as: StoredKey.self) }

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
        unsafe entries.contains { header($0.offset).keyCount > depth }
    }

    /// Eight bytes of a key, as an integer that compares like them; zeros after its end.
    private func head(_ offset: Int, _ depth: Int) -> UInt64 {
        let rest = header(offset).keyCount - depth
        let bytes = unsafe block + offset + Self.headerSize + depth
        if rest >= 8 { return unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for index in 0..<8 {
            head = unsafe head << 8 | (index < rest ? UInt64(bytes.load(fromByteOffset: index, as: UInt8.self)) : 0)
        }
        return head
    }
}
