internal import Glibc

/// Sorts encoded keys by their bytes.
///
/// Eight bytes of each key are compared at a time, as one integer; where these are equal for several keys, the next eight
/// decide among those. This is faster than comparing whole keys, and than SQLite's sorter, which compares records.
package final class KeySorter {
    private struct Entry {
        var head: UInt64
        var row: Int32
    }

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }

    /// Adds a key made of two parts.
    package func append(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: first)
        bytes.append(contentsOf: second)
        ends.append(bytes.count)
    }

    /// Bytes `from` on of the key added as number `row`.
    package func withKey<Result>(_ row: Int, from start: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let range = (row == 0 ? 0 : ends[row - 1]) + start..<ends[row]
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The numbers of all keys in their order.
    package func sorted() -> [Int32] {
        var entries = ends.indices.map { Entry(head: 0, row: Int32(truncatingIfNeeded: $0)) }
        bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { ends in
                entries.withUnsafeMutableBufferPointer { sort($0[...], 0, bytes, ends) }
            }
        }
        return entries.map(\.row)
    }

    /// Sorts keys that agree in their first `depth` bytes.
    private func sort(
        _ entries: Slice<UnsafeMutableBufferPointer<Entry>>, _ depth: Int, _ bytes: UnsafeRawBufferPointer,
        _ ends: UnsafeBufferPointer<Int>
    ) {
        var entries = entries
        for index in entries.indices { entries[index].head = head(entries[index].row, depth, bytes, ends) }
        entries.sort { $0.head < $1.head }
        var start = entries.startIndex
        while start < entries.endIndex {
            var end = start + 1
            while end < entries.endIndex, entries[end].head == entries[start].head { end += 1 }
            if end - start > 1, hasMore(entries[start..<end], depth + 8, ends) {
                sort(entries[start..<end], depth + 8, bytes, ends)
            }
            start = end
        }
    }

    private func hasMore(
        _ entries: Slice<UnsafeMutableBufferPointer<Entry>>, _ depth: Int, _ ends: UnsafeBufferPointer<Int>
    ) -> Bool {
        entries.contains { start(of: $0.row, ends) + depth < ends[Int($0.row)] }
    }

    private func start(of row: Int32, _ ends: UnsafeBufferPointer<Int>) -> Int { row == 0 ? 0 : ends[Int(row) - 1] }

    /// Eight bytes of a key, as an integer that compares like them; zeros behind its end.
    private func head(
        _ row: Int32, _ depth: Int, _ bytes: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<Int>
    ) -> UInt64 {
        let offset = start(of: row, ends) + depth
        let rest = ends[Int(row)] - offset
        if rest >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        var head: UInt64 = 0
        for index in 0..<8 { head = head << 8 | (index < rest ? UInt64(bytes[offset + index]) : 0) }
        return head
    }
}
