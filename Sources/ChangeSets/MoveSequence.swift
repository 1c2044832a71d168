/// Where each of a series of moves starts and ends if they are made one after another.
///
/// All items that are not moved are *stationary*: no move reorders them. The place of a moved item
/// is determined by its *gap*, the number of stationary items of its group before it. In one gap,
/// items that have arrived precede items that have not moved yet, so that moves made in ascending
/// new order mostly reach their final positions immediately. Any other fixed rule would do, because
/// a gap contains nothing else after all moves. So all places that items ever have are known
/// beforehand as *slots* in one order. A position at any moment is the gap plus the number of
/// occupied earlier slots in the group. O(k log k) for k moves, whatever the length of the list.
struct MoveSequence {
    /// The first place of each item, and its last one.
    private var sources: [(slot: Int32, groupStart: Int32, gap: Int32)]
    private var targets: [(slot: Int32, groupStart: Int32, gap: Int32)]
    private var occupancy: OccupancyCounter

    /// - Parameters:
    ///   - sources: the first places of the items: group and gap in the key, the number of the move
    ///     as item. Sorted by key; within a gap in their order in the list.
    ///   - targets: the same for their last places.
    init(sources: [OrderedKey], targets: [OrderedKey]) {
        self.sources = Array(repeating: (0, 0, 0), count: sources.count)
        self.targets = self.sources
        occupancy = OccupancyCounter(slotCount: sources.count + targets.count)
        var source = 0
        var target = 0
        var slot: Int32 = 0
        var group = UInt64.max
        var groupStart: Int32 = 0
        while source < sources.count || target < targets.count {
            let takesSource =
                target == targets.count || (source < sources.count && sources[source].key < targets[target].key)
            let entry = takesSource ? sources[source] : targets[target]
            if entry.group != group {
                group = entry.group
                groupStart = slot
            }
            let move = Int(entry.item)
            if takesSource {
                self.sources[move] = (slot, groupStart, entry.position)
                occupancy.occupy(Int(slot))
                source += 1
            } else {
                self.targets[move] = (slot, groupStart, entry.position)
                target += 1
            }
            slot += 1
        }
    }

    /// Makes move number `move`, and returns its positions within the groups: the source before the
    /// item is removed, the target after that. Each move is made once, in any order.
    mutating func make(_ move: Int) -> (source: Int, target: Int) {
        let (first, last) = (sources[move], targets[move])
        let source = Int(first.gap) + occupied(from: first.groupStart, to: first.slot)
        occupancy.vacate(Int(first.slot))
        let target = Int(last.gap) + occupied(from: last.groupStart, to: last.slot)
        occupancy.occupy(Int(last.slot))
        return (source, target)
    }

    private func occupied(from start: Int32, to end: Int32) -> Int {
        let before = occupancy.count(before: Int(end))
        return start == 0 ? before : before - occupancy.count(before: Int(start))
    }
}
