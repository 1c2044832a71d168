/// What leaves store of keys.
extension LeafTable {
    /// What is stored of a row's key.
    struct KeyEntry {
        /// How many bytes the key has in common with the previous key; without meaning in a first
        /// row.
        let depth: Int
        /// From the end of the prefix on in a shallow or first row, else from the depth on.
        let fragment: Fragment
    }

    @inline(__always)
    subscript(mark number: UInt32, index: Int) -> Mark {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe marks(number)[index]
    }

    /// How many bytes the key of a row that is not the first has in common with the previous key;
    /// `.max` if these are too many to be stored.
    @inline(__always)
    func depth(_ number: UInt32, _ index: Int) -> Int {
        let mark = self[mark: number, index]
        return mark.isFar ? .max : prefixCount(number) + mark.distance
    }

    @inline(__always)
    func fragment(_ number: UInt32, _ index: Int) -> Fragment {
        self[mark: number, index].fragment
    }

    func entry(_ number: UInt32, _ index: Int) -> KeyEntry {
        KeyEntry(depth: depth(number, index), fragment: fragment(number, index))
    }

    /// The first of a leaf's rows whose mark is impossible; nil if there is none.
    func unsoundRow(_ number: UInt32) -> Int? {
        let marks = unsafe UnsafeBufferPointer(start: marks(number), count: count(number))
        guard let first = unsafe marks.first else { return nil }
        if !first.isSoundAsFirst { return 0 }
        // In most leaves all marks are of this kind.
        var lack: UInt16 = 0
        for row in 1..<marks.count { lack |= unsafe marks[row].lack }
        if lack == 0 { return nil }
        var excess: UInt64 = 0
        for row in 1..<marks.count { excess |= unsafe marks[row].excess }
        return excess == 0 ? nil : (1..<marks.count).first { unsafe !marks[$0].isSound }
    }

    /// The place in a key where the fragment of a row begins.
    func offset(_ number: UInt32, _ index: Int) -> Int {
        self[mark: number, index].isShallow ? prefixCount(number) : depth(number, index)
    }

    /// The known part of the key of a row from the end of the prefix on. For a deep row that is in
    /// the previous shallow row.
    func leadFragment(_ number: UInt32, _ index: Int) -> Fragment {
        var shallow = index
        while !self[mark: number, shallow].isShallow { shallow -= 1 }
        return fragment(number, shallow)
    }

    /// What is known of the first row's key from an offset on.
    private func firstFragment(_ number: UInt32, at offset: Int) -> Fragment {
        let count = prefixCount(number)
        let first = fragment(number, 0)
        if offset >= count { return offset - count <= first.count ? first.dropping(offset - count) : .unknown }
        let start = lead(of: number, at: offset)
        return first.following(start, at: start.count)
    }

    /// The bytes of the prefix from an offset on, at most four.
    func lead(of number: UInt32, at offset: Int) -> Fragment {
        unsafe Fragment(KeyBytes(UnsafePointer(prefix(number)), count: prefixCount(number)), at: offset)
    }

    mutating func set(_ number: UInt32, _ index: Int, _ entry: KeyEntry, isFirst: Bool = false) {
        let distance = index == 0 || isFirst ? 0 : entry.depth - prefixCount(number)
        unsafe marks(number)[index] = Mark(distance: distance, entry.fragment)
    }

    /// The part of a row to store if the prefix ends at `base`, where `lead` begins.
    func entry(_ number: UInt32, _ index: Int, _ base: Int, _ lead: Fragment) -> KeyEntry {
        let mark = self[mark: number, index]
        let depth = depth(number, index)
        let fragment = fragment(number, index)
        guard index > 0 else { return KeyEntry(depth: base, fragment: fragment.following(lead, at: lead.count)) }
        guard mark.isShallow else { return KeyEntry(depth: depth, fragment: fragment) }
        return depth - base <= Mark.shallow
            ? KeyEntry(depth: depth, fragment: fragment.following(lead, at: lead.count))
            : KeyEntry(depth: depth, fragment: fragment.dropping(mark.distance))
    }

    /// The part of a first row to store after another one is inserted before it, from which the
    /// separator separates it.
    func entry(_ number: UInt32, joint: Separator.Joint, _ base: Int) -> KeyEntry {
        let depth = joint.depth
        let offset = depth - base <= Mark.shallow ? base : depth
        let known = firstFragment(number, at: offset)
        if known.count > depth - offset { return KeyEntry(depth: depth, fragment: known) }
        let fragment = unsafe joint.key.map { unsafe Fragment($0, at: offset) }
        return KeyEntry(
            depth: depth, fragment: fragment ?? Fragment(bytes: UInt32(joint.last) << 24, count: 1, isEnd: false))
    }

    /// The end of the prefix, at most `base`, with which enough is known of the first row to insert
    /// another one before it.
    func base(_ number: UInt32, joint: Separator.Joint, _ base: Int) -> Int {
        let distance = joint.depth - base
        if unsafe joint.key != nil || distance > Mark.shallow { return base }
        if firstFragment(number, at: base).count > distance { return base }
        return max(0, joint.depth - Mark.shallow - 1)
    }

    /// The part to store of the row after one that is removed.
    func entryAfterRemoval(_ number: UInt32, of index: Int) -> KeyEntry {
        let (mark, next) = (self[mark: number, index], self[mark: number, index + 1])
        let (removed, kept) = (fragment(number, index), entry(number, index + 1))
        // Deep rows have everything that is known from the end of the prefix on in common with
        // the bytes before them.
        if index == 0 { return next.isShallow ? kept : KeyEntry(depth: 0, fragment: removed) }
        let depth = depth(number, index)
        if depth >= kept.depth { return kept }
        if mark.isShallow { return KeyEntry(depth: depth, fragment: next.isShallow ? kept.fragment : removed) }
        return KeyEntry(depth: depth, fragment: kept.fragment.following(removed, at: kept.depth - depth))
    }

    /// Shortens the prefix of a leaf. The marks take over the bytes that the prefix loses, so no
    /// key has to be read.
    mutating func shrinkPrefix(_ number: UInt32, to base: Int) {
        guard base < prefixCount(number) else { return }
        let lead = lead(of: number, at: base)
        let added = prefixCount(number) - base
        for index in 0..<count(number) {
            let entry = entry(number, index, base, lead)
            // The distance is counted from the old end of the prefix until that is shortened.
            set(
                number, index,
                KeyEntry(depth: entry.depth == .max ? .max : entry.depth + added, fragment: entry.fragment))
        }
        cutPrefix(of: number, to: base)
    }

    /// Makes the prefix as long as the known bytes of the keys allow: from the first row, or from
    /// the separator before it.
    mutating func growPrefix(_ number: UInt32, _ separator: KeyBytes?) {
        let count = count(number)
        let old = prefixCount(number)
        guard count > 1 else { return }
        let least = (1..<count).reduce(Int.max) { min($0, depth(number, $1)) }
        let first = fragment(number, 0)
        let base = unsafe min(least, max(old + first.count, separator?.count ?? 0))
        guard base > old, unsafe growFits(number, base, separator) else { return }
        let bytes = Block<UInt8>(capacity: base)
        unsafe bytes.start.update(from: prefix(number), count: old)
        for place in old..<base {
            unsafe bytes.start[place] =
                place - old < first.count
                ? first.dropping(place - old).first : firstFragment(number, at: place, separator).first
        }
        var last = unsafe firstFragment(number, at: base, separator)
        for index in 0..<count {
            let mark = self[mark: number, index]
            let entry = entry(number, index)
            var fragment = index == 0 ? last : entry.fragment
            if index > 0, entry.depth - base <= Mark.shallow {
                fragment =
                    mark.isShallow ? fragment.dropping(base - old) : fragment.following(last, at: entry.depth - base)
                last = fragment
            }
            // The distance is counted from the old end of the prefix.
            set(number, index, KeyEntry(depth: entry.depth - (base - old), fragment: fragment))
        }
        unsafe rebuild(
            number, capacity: Int(self[number].capacity), prefix: KeyBytes(UnsafePointer(bytes.start), count: base))
    }

    /// What is known of the first row's key from an offset on, including the separator before it.
    private func firstFragment(_ number: UInt32, at offset: Int, _ separator: KeyBytes?) -> Fragment {
        let known = firstFragment(number, at: offset)
        guard known.count == 0, !known.isEnd, let separator = unsafe separator else { return known }
        return unsafe Fragment(separator, at: offset)
    }

    /// Whether enough is known of all rows that a longer prefix would make shallow, and all depths
    /// are known.
    private func growFits(_ number: UInt32, _ base: Int, _ separator: KeyBytes?) -> Bool {
        var known = unsafe firstFragment(number, at: base, separator).count
        for index in 1..<count(number) {
            let mark = self[mark: number, index]
            let distance = depth(number, index) - base
            if mark.isFar { return false }
            guard distance <= Mark.shallow else { continue }
            if mark.isShallow {
                known = fragment(number, index).count - (base - prefixCount(number))
            } else {
                guard known >= distance else { return false }
                known = min(4, distance + fragment(number, index).count)
            }
        }
        return true
    }
}
