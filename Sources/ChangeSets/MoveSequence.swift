/// Where each of a series of moves starts and ends, given that they are made one after another.
///
/// Beside the moved items there are only *stationary* ones, which no move reorders. A moved item's place is told by its
/// *gap*, the number of stationary items of its group before it. In one gap, items that have arrived stand before those
/// that have yet to move, so that moves made in ascending new order mostly go to their final positions; any fixed rule
/// would serve, as nothing else is in the gap once all have moved. So all places that are ever taken are known
/// beforehand as *slots* in one order, and a position at any moment is the gap plus the number of occupied slots
/// before, in the group. O(k log k) for k moves, whatever the length of the list.
struct MoveSequence {
    private struct Itinerary {
        var sourceSlot: Int32 = 0
        var sourceGroupStart: Int32 = 0
        var sourceGap: Int32 = 0
        var targetSlot: Int32 = 0
        var targetGroupStart: Int32 = 0
        var targetGap: Int32 = 0
    }

    private var itineraries: [Itinerary]
    private var occupancy: OccupancyCounter

    /// - Parameters:
    ///   - sources: where the items are at first: group and gap in the key, the number of the move as item. Sorted by
    ///     key; within a gap in the order in which they stand.
    ///   - targets: likewise, where they will be.
    init(sources: [OrderedKey], targets: [OrderedKey]) {
        itineraries = [Itinerary](repeating: Itinerary(), count: sources.count)
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
                itineraries[move].sourceSlot = slot
                itineraries[move].sourceGroupStart = groupStart
                itineraries[move].sourceGap = entry.position
                occupancy.occupy(Int(slot))
                source += 1
            } else {
                itineraries[move].targetSlot = slot
                itineraries[move].targetGroupStart = groupStart
                itineraries[move].targetGap = entry.position
                target += 1
            }
            slot += 1
        }
    }

    /// Makes the next move, `move` being its number, and tells its positions within the groups: the source before the
    /// item is taken out, the target after that. Each move is made once, in any order.
    mutating func make(_ move: Int) -> (source: Int, target: Int) {
        let way = itineraries[move]
        let source = Int(way.sourceGap) + occupied(from: way.sourceGroupStart, to: way.sourceSlot)
        occupancy.vacate(Int(way.sourceSlot))
        let target = Int(way.targetGap) + occupied(from: way.targetGroupStart, to: way.targetSlot)
        occupancy.occupy(Int(way.targetSlot))
        return (source, target)
    }

    private func occupied(from start: Int32, to end: Int32) -> Int {
        let before = occupancy.count(before: Int(end))
        return start == 0 ? before : before - occupancy.count(before: Int(start))
    }
}
