/// Which bytes of keys leaves store besides the bytes in marks: where two neighbouring rows have
/// more bytes in common than the first one's mark contains, the bytes of the first one from there
/// to where the two differ. A search that comes to the first one needs these.
extension LeafTable {
    /// The bytes of a row's key that are known from an offset on beyond its mark.
    @inline(__always)
    func excerpt(_ number: UInt32, _ row: Int, at offset: Int) -> KeyBytes? {
        self[number].excerpts.isEmpty ? nil : unsafe self[number].excerpts.find(row, at: offset)
    }

    /// Where the excerpt of a row begins that ends at an offset; nil if there is none.
    func startOfExcerpt(_ number: UInt32, _ row: Int, endingAt end: Int) -> Int? {
        var start: Int?
        unsafe self[number].excerpts.forEach { head, _ in if head.row == row, head.end == end { start = head.offset } }
        return start
    }

    /// Stores the bytes of a row's key from `start` to `end`, if there is room.
    mutating func addExcerpt(_ number: UInt32, _ row: Int, _ key: KeyBytes, from start: Int, to end: Int) {
        if self[number].excerpts.contains(row) { self[number].excerpts.edit { $0.row != row } }
        if !self[number].excerpts.hasRoom(for: end - start) { removeUselessExcerpts(number) }
        unsafe self[number].excerpts.add(row, key, from: start, to: end)
    }

    /// Removes the excerpts of rows that have all of their bytes in common with the previous row:
    /// no search needs these, as it comes to the previous row first.
    @inline(never)
    private mutating func removeUselessExcerpts(_ number: UInt32) {
        var useless: [Int] = []
        unsafe self[number].excerpts.forEach { head, _ in
            if head.row > 0, head.end <= depth(number, head.row) { useless.append(head.row) }
        }
        if !useless.isEmpty { self[number].excerpts.edit { !useless.contains($0.row) } }
    }

    /// Stores of a row's whole key what a blind search between it and the next row needs.
    mutating func addExcerpt(_ number: UInt32, _ row: Int, ofWhole key: KeyBytes) {
        guard row + 1 < count(number) else { return }
        let end = depth(number, row + 1)
        let start = offset(number, row) + fragment(number, row).count
        if end != .max, end >= start { unsafe addExcerpt(number, row, key, from: start, to: end + 1) }
    }

    /// Renumbers the excerpts for rows that are inserted.
    @inline(__always)
    mutating func shiftExcerpts(_ number: UInt32, from row: Int, by count: Int) {
        if self[number].excerpts.isEmpty { return }
        self[number].excerpts.edit { head in
            if head.row >= row { head.row += count }
            return true
        }
    }

    /// Renumbers the excerpts for a row that is about to be removed. The next row gets what it has
    /// in common with that.
    mutating func removeExcerpt(_ number: UInt32, of row: Int) {
        if self[number].excerpts.isEmpty { return }
        var common = row + 1 < count(number) ? depth(number, row + 1) : 0
        if common == .max { common = 0 }
        if self[number].excerpts.contains(row + 1) { common = 0 }
        self[number].excerpts.edit { head in
            if head.row > row {
                head.row -= 1
            } else if head.row == row {
                head.count = min(head.count, common - head.offset)
            }
            return head.count > 0
        }
    }

    /// Moves the excerpts of rows to another leaf, which has the rows, and which has renumbered its
    /// own.
    mutating func moveExcerpts(from source: UInt32, start: Int, length: Int, to receiver: UInt32, at target: Int) {
        if self[source].excerpts.isEmpty { return }
        var moved = exchange(&self[source].excerpts, with: Excerpts())
        unsafe moved.forEach { head, bytes in
            guard (start..<start + length).contains(head.row) else { return }
            unsafe self[receiver].excerpts.add(head.row - start + target, bytes, at: head.offset)
        }
        moved.edit { head in
            if head.row >= start + length { head.row -= length } else if head.row >= start { return false }
            return true
        }
        self[source].excerpts = moved
    }
}
