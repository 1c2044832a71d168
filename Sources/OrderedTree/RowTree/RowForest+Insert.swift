extension RowForest {
    /// A row about to be placed. Unsafe, as it borrows its key.
    @unsafe struct NewRow {
        @safe let id: Int64
        let key: LeadingBytes
        @safe let hash: UInt32
    }

    /// Most prefix bytes a first row gives its leaf; the prefix of a lone row is only a guess.
    private static var longestGuess: Int { 120 }

    /// Puts a first row in a section that has none.
    func placeFirst(_ row: NewRow, section: Int32) {
        let prefixCount = unsafe keyed ? RowForest.guessedPrefix(row.key) : 0
        let leaf = unsafe leaves.create(
            capacity: BlockSize.step(for: 1, limit: leafCapacity), prefix: row.key,
            prefixCount: prefixCount)
        setRoot(section, node: leaf, level: 0)
        unsafe put(row, at: Place(leaf: leaf, index: 0))
    }

    static func guessedPrefix(_ key: LeadingBytes) -> Int {
        min(max(0, (key.isWhole ? key.count : key.known) - 4), longestGuess)
    }

    /// Puts a row in a place where its leaf has room. Order is the caller's business.
    func put(_ row: NewRow, at place: Place) {
        identities.reserve(row.id, from: leaves)
        let leaf = place.leaf
        let count = leaves.count(leaf)
        if count == Int(leaves[leaf].capacity) {
            unsafe leaves.rebuild(leaf, capacity: BlockSize.step(for: count + 1, limit: leafCapacity))
        }
        let head = unsafe keyed ? fitPrefix(of: leaf, to: row.key) : 0
        leaves.insert(id: row.id, head: head, hash: row.hash, into: leaf, at: place.index)
        identities.insert(row.id, leaf: leaf)
        _ = addRows(1, above: leaf)
    }

    /// Shrinks the prefix of a leaf until the key shares it and its head is wholly known; returns
    /// the head.
    func fitPrefix(of leaf: UInt32, to key: LeadingBytes) -> UInt32 {
        let prefixCount = leaves.prefixCount(leaf)
        let shared = unsafe min(
            key.commonLength(with: leaves.prefix(leaf), limit: prefixCount),
            key.isWhole ? prefixCount : key.known - 4)
        leaves.shrinkPrefix(leaf, to: shared)
        return unsafe key.head(at: shared)
    }

    /// Splits a full leaf when it is one, and returns the place for the row after that.
    /// Between two leaves the separator decides; where it cannot, it is dropped.
    func makeRoom(for key: LeadingBytes, at place: Place) -> Place {
        guard leaves.count(place.leaf) == leafCapacity else { return place }
        let right = split(place.leaf, near: place.index)
        let kept = leaves.count(place.leaf)
        if place.index < kept { return place }
        if place.index > kept { return Place(leaf: right, index: place.index - kept) }
        return unsafe placeBetween(key, leftOf: right)
    }

    /// The place at the end of the leaf before `right` or at the start of `right`.
    func placeBetween(_ key: LeadingBytes, leftOf right: UInt32) -> Place {
        guard let position = separatorBefore(right) else { return Place(leaf: right, index: 0) }
        switch unsafe branches[separator: position.branch, position.slot]?.side(of: key) {
        case .right, nil:
            return Place(leaf: right, index: 0)
        case .left:
            let left = leaf(leftOf: position)
            return Place(leaf: left, index: leaves.count(left))
        case .unknown:
            branches[separator: position.branch, position.slot] = nil
            return Place(leaf: right, index: 0)
        }
    }

    /// Reads the keys of a leaf whose heads mostly tie, to give it a longer prefix.
    func sharpen(_ leaf: UInt32, resolve: Resolve) throws {
        guard leaves.isTieHeavy(leaf) else { return }
        let count = leaves.count(leaf)
        var keys: [[UInt8]] = []
        keys.reserveCapacity(count)
        for index in 0..<count {
            let key = try resolvedKey(of: Place(leaf: leaf, index: index), resolve)
            if let last = keys.last, !last.lexicographicallyPrecedes(key) {
                throw OrderedTreeError.keyChanged(leaves[id: leaf, index])
            }
            keys.append(key)
        }
        unsafe keys[0].withUnsafeBytes { first in
            let prefix = unsafe LeadingBytes(wholeKey: first)
            let shared = unsafe keys[count - 1].withUnsafeBytes { last in
                unsafe LeadingBytes(wholeKey: last).firstDifference(from: prefix) ?? 0
            }
            guard shared > leaves.prefixCount(leaf) else { return }
            unsafe leaves.rebuild(
                leaf, capacity: Int(leaves[leaf].capacity), prefix: prefix, prefixCount: shared)
            let heads = unsafe leaves.heads(leaf)
            for index in 0..<count {
                unsafe heads[index] = keys[index].withUnsafeBytes { unsafe LeadingBytes(wholeKey: $0).head(at: shared) }
            }
        }
    }
}
