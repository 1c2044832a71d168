extension RowForest {
    /// Whether a key at a place would certainly be out of order with a row beside it.
    func contradicts(_ key: LeadingBytes, at place: Place) -> Bool {
        if let before = neighbour(before: place),
            leaves.leading(before.leaf, before.index).isKnownAfter(key)
        {
            return true
        }
        guard let after = neighbour(from: place) else { return false }
        return key.isKnownAfter(leaves.leading(after.leaf, after.index))
    }

    /// The row just before a place of its section.
    func neighbour(before place: Place) -> Place? {
        if place.index > 0 { return Place(leaf: place.leaf, index: place.index - 1) }
        guard let separator = separatorBefore(place.leaf) else { return nil }
        let left = leaf(leftOf: separator)
        return Place(leaf: left, index: leaves.count(left) - 1)
    }

    /// The row that stands at a place, or at the start of the next leaf when the place is an end.
    func neighbour(from place: Place) -> Place? {
        if place.index < leaves.count(place.leaf) { return place }
        guard let separator = separatorAfter(place.leaf) else { return nil }
        return Place(leaf: leaf(rightOf: separator), index: 0)
    }

    /// Gives a row another key of the same rank. Separators beside it that the key would violate are
    /// dropped, to be read anew when a search needs them.
    func rekey(at place: Place, key: LeadingBytes) {
        let head = fitPrefix(of: place.leaf, to: key)
        leaves.heads(place.leaf)[place.index] = head
        if place.index == 0, let before = separatorBefore(place.leaf) {
            drop(before, unless: .right, of: key)
        }
        if place.index + 1 == leaves.count(place.leaf), let after = separatorAfter(place.leaf) {
            drop(after, unless: .left, of: key)
        }
    }

    private func drop(
        _ position: (branch: UInt32, slot: Int), unless side: Separator.Side, of key: LeadingBytes
    ) {
        guard let block = branches.separators(position.branch)[position.slot] else { return }
        if Separator(block: block).side(of: key) != side {
            branches.setSeparator(nil, of: position.branch, at: position.slot)
        }
    }
}
