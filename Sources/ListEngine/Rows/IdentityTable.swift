internal import SQLiteKit

/// Maps the hash of a key to the slot of its identity: open addressing with linear probing, four
/// bytes a place. The hash has a seed of the process, as keys may be texts from untrusted sources.
@safe final class IdentityTable {
    private static let seed = UInt64.random(in: .min ... .max)

    /// One more than the slot; 0 where there is none.
    private var places: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 16
        unsafe places = .allocate(capacity: capacity)
        unsafe places.initialize(repeating: 0, count: capacity)
    }

    deinit { unsafe places.deallocate() }

    var bytesHeld: Int { capacity * MemoryLayout<UInt32>.stride }

    static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
        unsafe UInt32(truncatingIfNeeded: KeyHash.hash64(key, seed: seed) >> 32)
    }

    /// The first slot with a hash for which `isWanted` is true.
    func find(_ hash: UInt32, _ slots: IdentitySlots, _ isWanted: (UInt32) -> Bool) -> UInt32? {
        var place = home(hash)
        while unsafe places[place] != 0 {
            let slot = unsafe places[place] - 1
            if slots.hash(slot) == hash, isWanted(slot) { return slot }
            place = next(place)
        }
        return nil
    }

    func insert(_ slot: UInt32, _ hash: UInt32, _ slots: IdentitySlots) {
        if (count + 1) * 8 > capacity * 7 { resize(slots) }
        put(slot, hash)
        count += 1
    }

    private func put(_ slot: UInt32, _ hash: UInt32) {
        var place = home(hash)
        while unsafe places[place] != 0 { place = next(place) }
        unsafe places[place] = slot + 1
    }

    /// Removes a slot, and moves those back that are behind it only because its place was in use.
    func remove(_ slot: UInt32, _ hash: UInt32, _ slots: IdentitySlots) {
        var hole = home(hash)
        while unsafe places[hole] != slot + 1 {
            if unsafe places[hole] == 0 { return }
            hole = next(hole)
        }
        unsafe places[hole] = 0
        count -= 1
        var place = next(hole)
        while unsafe places[place] != 0 {
            let home = unsafe home(slots.hash(places[place] - 1))
            if distance(home, place) >= distance(hole, place) {
                unsafe places[hole] = unsafe places[place]
                unsafe places[place] = 0
                hole = place
            }
            place = next(place)
        }
        if capacity > 64, count * 6 < capacity { resize(slots) }
    }

    private func resize(_ slots: IdentitySlots) {
        let (old, oldCapacity) = unsafe (places, capacity)
        capacity = max(16, (count + 1) * 3 / 2)
        unsafe places = .allocate(capacity: capacity)
        unsafe places.initialize(repeating: 0, count: capacity)
        for place in 0..<oldCapacity where unsafe old[place] != 0 {
            unsafe put(old[place] - 1, slots.hash(old[place] - 1))
        }
        unsafe old.deallocate()
    }

    private func home(_ hash: UInt32) -> Int { Int((UInt64(hash) * UInt64(capacity)) >> 32) }
    private func next(_ place: Int) -> Int { place + 1 == capacity ? 0 : place + 1 }

    /// How many places `to` is behind `from`.
    private func distance(_ from: Int, _ to: Int) -> Int { to >= from ? to - from : to - from + capacity }
}
