/// The type of each touched item's record, if it has one, with the fewest moves.
///
/// Items that stay in their group and are not reordered are *fixed points*, as are all items that
/// were not touched. Fixed points never move, and an item that changes its group always does. The
/// other items are the *candidates*: reordered within their group.
///
/// Let K be the candidates that are not reported as moves. A replay removes everything that is not
/// fixed or in K, and leaves the rest in its order. So K is possible exactly if fixed points and K
/// together have the same order in the old and in the new list:
/// - Fixed points have the same order among themselves.
/// - A candidate and the fixed points have the same order if as many fixed points precede the
///   candidate in the new list as in the old one (`gapOld == gapNew`: fixed points stay in their
///   order, so equal numbers are the same ones). This condition applies to each candidate alone, so
///   candidates with different gaps move in every solution.
/// - Two candidates have the same order if K, read in new order, increases in old position.
///
/// So the largest K is a longest increasing subsequence of the candidates with equal gaps, and the
/// remaining candidates are the fewest moves.
struct Placement {
    /// By item number; nil for an item without a record.
    private var types: [ChangeType?]
    /// Items that leave their old place, and candidates, in old order.
    private(set) var oldOrder: [OrderedKey] = []
    /// Items with a new place that may have a record, in new order.
    private(set) var newOrder: [OrderedKey] = []
    private(set) var recordCount = 0

    /// O(k log k) in the number of items, whatever the length of the list.
    init<Item: Transition>(_ items: [Item]) {
        types = Array(filledWith: nil, count: items.count)
        newOrder.reserveCapacity(items.count)
        let candidateCount = classify(items)
        oldOrder.sortByKey()
        newOrder.sortByKey()
        if candidateCount > 0 { keepMostCandidates(items) }
        for type in types where type != nil { recordCount += 1 }
    }

    /// The type of the record of an item that is the only one: the same, without a search. A
    /// candidate keeps its place if as many rows precede it as before.
    static func type(ofOnly item: some Transition) -> ChangeType? {
        switch (item.hasOld, item.hasNew) {
        case (false, false): return nil
        case (true, false): return .delete
        case (false, true): return .insert
        case (true, true):
            let isKept = !item.isReordered || OrderedKey.position(item.oldKey) == OrderedKey.position(item.newKey)
            guard item.staysInGroup, isKept else { return .move }
            return item.hasNewContent ? .update : nil
        }
    }

    /// Sets the type of every item's record; candidates count as moves. Returns the number of
    /// candidates.
    private mutating func classify<Item: Transition>(_ items: [Item]) -> Int {
        var candidates = 0
        for place in items.indices {
            let item = Int32(truncatingIfNeeded: place)
            switch (items[place].hasOld, items[place].hasNew) {
            case (false, false):
                continue
            case (true, false):
                types[place] = .delete
                oldOrder.append(OrderedKey(key: items[place].oldKey, item: item))
            case (false, true):
                types[place] = .insert
                newOrder.append(OrderedKey(key: items[place].newKey, item: item))
            case (true, true):
                let stays = items[place].staysInGroup
                if stays && !items[place].isReordered {
                    guard items[place].hasNewContent else { continue }
                    types[place] = .update
                } else {
                    types[place] = .move
                    oldOrder.append(OrderedKey(key: items[place].oldKey, item: item))
                    if stays { candidates += 1 }
                }
                newOrder.append(OrderedKey(key: items[place].newKey, item: item))
            }
        }
        return candidates
    }

    private mutating func keepMostCandidates<Item: Transition>(_ items: [Item]) {
        let gaps = oldGaps()
        var eligible: [Int32] = []
        var oldPlaces: [UInt64] = []
        var rank: Int32 = 0
        var group = UInt64.max
        for entry in newOrder {
            let item = Int(entry.item)
            if entry.group != group {
                group = entry.group
                rank = 0
            }
            guard types[item] != .update else { continue }
            if types[item] == .move, items[item].staysInGroup, entry.position &- rank == gaps[item] {
                eligible.append(entry.item)
                // The new group in the high half, the old position in the low half: groups are in
                // new order, so one search suffices for all of them.
                oldPlaces.append(group << 32 | items[item].oldKey & 0xffff_ffff)
            }
            rank += 1
        }
        for place in longestIncreasingSubsequence(count: oldPlaces.count, { oldPlaces[$0] }) {
            let item = Int(eligible[Int(place)])
            types[item] = items[item].hasNewContent ? .update : nil
        }
    }

    /// For each item that is not a fixed point, the number of fixed points before it in its old
    /// group.
    private func oldGaps() -> [Int32] {
        var gaps: [Int32] = Array(filledWith: 0, count: types.count)
        var rank: Int32 = 0
        var group = UInt64.max
        for entry in oldOrder {
            if entry.group != group {
                group = entry.group
                rank = 0
            }
            gaps[Int(entry.item)] = entry.position &- rank
            rank += 1
        }
        return gaps
    }

    /// Calls `record` with the number of each item that has a record, and the type of that, in the
    /// fixed order of records.
    func forEachRecord(_ record: (Int, ChangeType) -> Void) {
        for entry in oldOrder.reversed() where types[Int(entry.item)] == .delete {
            record(Int(entry.item), .delete)
        }
        for type in [ChangeType.insert, .move, .update] {
            for entry in newOrder where types[Int(entry.item)] == type {
                record(Int(entry.item), type)
            }
        }
    }
}

extension Array {
    /// The same as `init(repeating:count:)`, which looks up the type of its storage at run time:
    /// for a small change that costs as much as sorting it.
    fileprivate init(filledWith element: Element, count: Int) {
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(element) }
    }
}

/// The positions, ascending, of a longest strictly increasing subsequence of `count` values. The
/// same for the same input.
///
/// Patience sorting: `tails[n]` is the position of the smallest value that ends an increasing
/// subsequence of length n + 1 found so far. A value replaces the first tail that is not below it,
/// and links to the tail before that; the links from the last tail back yield the subsequence. O(k
/// log k), and O(k) where the values increase already.
///
/// - Parameter value: The value at a position; nil for none.
package func longestIncreasingSubsequence(count: Int, _ value: (Int) -> UInt64?) -> [Int32] {
    var tails: [Int32] = []
    var previous: [Int32] = []
    previous.reserveCapacity(count)
    func tail(_ length: Int) -> UInt64 { value(Int(tails[length])) ?? 0 }
    for place in 0..<count {
        guard let value = value(place) else {
            previous.append(-1)
            continue
        }
        let position = Int32(truncatingIfNeeded: place)
        let length: Int
        if !tails.isEmpty, tail(tails.count - 1) >= value {
            length = partitionPoint(of: tails.count) { tail($0) < value }
            tails[length] = position
        } else {
            length = tails.count
            tails.append(position)
        }
        previous.append(length > 0 ? tails[length - 1] : -1)
    }
    guard var place = tails.last else { return [] }
    for length in tails.indices.reversed() {
        tails[length] = place
        place = previous[Int(place)]
    }
    return tails
}
