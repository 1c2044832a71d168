extension LeafTable {
    /// Makes the prefix of a leaf shorter and the heads fit it. What the prefix loses, the heads
    /// take up, so no key has to be read again.
    mutating func shrinkPrefix(_ number: UInt32, to length: Int) {
        guard length < prefixCount(number) else { return }
        let heads = unsafe heads(number)
        for index in 0..<count(number) {
            unsafe heads[index] = leading(number, index).head(at: length)
        }
        cutPrefix(of: number, to: length)
    }

    /// Puts a row at `index`; the prefix fits and there is room.
    mutating func insert(
        id: Int64, head: UInt32, hash: UInt32, into number: UInt32, at index: Int
    ) {
        let count = count(number)
        unsafe shift(ids(number), from: index, to: index + 1, count: count - index)
        unsafe shift(heads(number), from: index, to: index + 1, count: count - index)
        unsafe shift(hashes(number), from: index, to: index + 1, count: count - index)
        unsafe ids(number)[index] = id
        unsafe heads(number)[index] = head
        unsafe hashes(number)[index] = hash
        self[number].count = UInt16(count + 1)
    }

    mutating func remove(at index: Int, from number: UInt32) {
        let count = count(number)
        unsafe shift(ids(number), from: index + 1, to: index, count: count - index - 1)
        unsafe shift(heads(number), from: index + 1, to: index, count: count - index - 1)
        unsafe shift(hashes(number), from: index + 1, to: index, count: count - index - 1)
        self[number].count = UInt16(count - 1)
    }

    /// Moves `length` rows from `start` of one leaf to `target` of another, whose prefix shrinks to
    /// what both share.
    mutating func moveRows(
        from source: UInt32, start: Int, length: Int, to receiver: UInt32, at target: Int, limit: Int
    ) {
        let have = count(receiver)
        if have + length > Int(self[receiver].capacity) {
            unsafe rebuild(receiver, capacity: BlockSize.step(for: have + length, limit: limit))
        }
        let shared = unsafe commonPrefixLength(
            prefix(source), prefix(receiver), limit: min(prefixCount(source), prefixCount(receiver)))
        shrinkPrefix(receiver, to: shared)
        unsafe shift(ids(receiver), from: target, to: target + length, count: have - target)
        unsafe shift(heads(receiver), from: target, to: target + length, count: have - target)
        unsafe shift(hashes(receiver), from: target, to: target + length, count: have - target)
        unsafe (ids(receiver) + target).update(from: ids(source) + start, count: length)
        unsafe (hashes(receiver) + target).update(from: hashes(source) + start, count: length)
        let heads = unsafe heads(receiver) + target
        for offset in 0..<length {
            unsafe heads[offset] = leading(source, start + offset).head(at: shared)
        }
        self[receiver].count = UInt16(have + length)
        let left = count(source) - start - length
        unsafe shift(ids(source), from: start + length, to: start, count: left)
        unsafe shift(self.heads(source), from: start + length, to: start, count: left)
        unsafe shift(hashes(source), from: start + length, to: start, count: left)
        self[source].count = UInt16(start + left)
    }

    /// Whether at least a quarter of the neighbours of a leaf have equal heads.
    func isTieHeavy(_ number: UInt32) -> Bool {
        let heads = unsafe heads(number)
        let count = count(number)
        var ties = 0
        for index in 1..<max(1, count) where unsafe heads[index] == heads[index - 1] { ties += 1 }
        return count > 1 && ties * 4 >= count
    }

    @inline(__always)
    private func shift<Value>(
        _ base: UnsafeMutablePointer<Value>, from: Int, to: Int, count: Int
    ) {
        if count > 0 { unsafe (base + to).update(from: base + from, count: count) }
    }
}
