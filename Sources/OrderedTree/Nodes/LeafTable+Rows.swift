extension LeafTable {
    /// Inserts a row at an index; there is room. The known parts of its key and of the next one are
    /// set separately.
    mutating func insert(id: Int64, hash: UInt32, into number: UInt32, at index: Int) {
        let count = count(number)
        shiftExcerpts(number, from: index, by: 1)
        shift(number, from: index, to: index + 1, count: count - index)
        unsafe ids(number)[index] = id
        unsafe hashes(number)[index] = hash
        unsafe marks(number)[index] = .none
        self[number].count = UInt16(count + 1)
    }

    mutating func remove(at index: Int, from number: UInt32) {
        let count = count(number)
        removeExcerpt(number, of: index)
        shift(number, from: index + 1, to: index, count: count - index - 1)
        self[number].count = UInt16(count - 1)
    }

    /// Moves `length` rows from `start` of one leaf to `target` of another: all from there on to
    /// its end, or those up to there to its start. Both leaves retain what is known of the keys.
    /// The receiver's prefix becomes as short as necessary.
    ///
    /// - Parameter joint: The separator between the leaves; nil if the receiver has no rows, and
    ///   the same prefix.
    mutating func moveRows(
        from source: UInt32, start: Int, length: Int, to receiver: UInt32, at target: Int, joint: Separator.Joint?
    ) {
        let have = count(receiver)
        var base = prefixCount(source)
        var second: KeyEntry?
        if let joint = unsafe joint {
            base = unsafe commonPrefixLength(
                prefix(source), prefix(receiver), limit: min(base, prefixCount(receiver), joint.depth))
            let later = target == 0 ? receiver : source
            base = unsafe self.base(later, joint: joint, base)
            second = unsafe entry(later, joint: joint, base)
        }
        shrinkPrefix(receiver, to: base)
        if have + length > Int(self[receiver].capacity) {
            rebuild(receiver, capacity: LeafTable.capacity(for: have + length))
        }
        shiftExcerpts(receiver, from: target, by: length)
        moveExcerpts(from: source, start: start, length: length, to: receiver, at: target)
        shift(receiver, from: target, to: target + length, count: have - target)
        unsafe (ids(receiver) + target).update(from: ids(source) + start, count: length)
        unsafe (hashes(receiver) + target).update(from: hashes(source) + start, count: length)
        self[receiver].count = UInt16(have + length)
        let before = lead(of: source, at: base)
        for offset in 0..<length {
            let index = start + offset
            if offset == 0, target == 0, index > 0 {
                let first = leadFragment(source, index).following(before, at: before.count)
                set(receiver, 0, KeyEntry(depth: base, fragment: first))
            } else {
                set(receiver, target + offset, entry(source, index, base, before))
            }
        }
        if let second { set(receiver, target == 0 ? length : target, second) }
        let left = count(source) - start - length
        if start == 0, left > 0 {
            set(
                source, length, KeyEntry(depth: prefixCount(source), fragment: leadFragment(source, length)),
                isFirst: true
            )
        }
        shift(source, from: start + length, to: start, count: left)
        self[source].count = UInt16(start + left)
        trim(source)
    }

    @inline(__always)
    private func shift(_ number: UInt32, from: Int, to: Int, count: Int) {
        unsafe shift(ids(number), from, to, count)
        unsafe shift(hashes(number), from, to, count)
        unsafe shift(marks(number), from, to, count)
    }

    @inline(__always)
    private func shift<Value>(_ base: UnsafeMutablePointer<Value>, _ from: Int, _ to: Int, _ count: Int) {
        if count > 0 { unsafe (base + to).update(from: base + from, count: count) }
    }
}
