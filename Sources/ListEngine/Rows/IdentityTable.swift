internal import CPrefetch
internal import SQLiteKit

/// Maps the hash of a key to the slot of its identity: open addressing with linear probing, five
/// bytes a place. The hash has a seed of the process, as keys may be texts from untrusted sources.
///
/// Each place has a tag, which is some bits of the hash. A search reads the tags, which are
/// adjacent, and hardly ever the slot of another identity.
@safe final class IdentityTable {
    private static let seed = UInt64.random(in: .min ... .max)

    /// The slots; without meaning where there is none.
    private var places: UnsafeMutablePointer<UInt32>
    /// 0 where there is no slot.
    private var tags: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 16
        unsafe (places, tags) = unsafe Self.allocate(capacity)
    }

    deinit {
        unsafe places.deallocate()
        unsafe tags.deallocate()
    }

    private static func allocate(_ capacity: Int) -> (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt8>) {
        let places = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        let tags = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe places.initialize(repeating: 0, count: capacity)
        unsafe tags.initialize(repeating: 0, count: capacity)
        return unsafe (places, tags)
    }

    var bytesHeld: Int { capacity * (MemoryLayout<UInt32>.stride + 1) }

    static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
        unsafe UInt32(truncatingIfNeeded: KeyHash.hash64(key, seed: seed) >> 32)
    }

    /// Bits of the hash that `home` hardly depends on; never 0.
    private static func tag(_ hash: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: hash) | 1 }

    /// The first slot with a hash for which `isWanted` is true.
    func find(_ hash: UInt32, _ slots: IdentitySlots, _ isWanted: (UInt32) -> Bool) -> UInt32? {
        let tag = Self.tag(hash)
        var place = home(hash)
        while unsafe tags[place] != 0 {
            if unsafe tags[place] == tag {
                let slot = unsafe places[place]
                if slots.hash(slot) == hash, isWanted(slot) { return slot }
            }
            place = next(place)
        }
        return nil
    }

    /// Has the processor load the first place of a hash.
    func prefetch(_ hash: UInt32) {
        let place = home(hash)
        unsafe fr_prefetch(tags + place)
        unsafe fr_prefetch(places + place)
    }

    /// Adds a slot that `slots` contains already.
    func insert(_ slot: UInt32, _ hash: UInt32, _ slots: IdentitySlots) {
        count += 1
        if count * 8 > capacity * 7 { resize(slots) } else { put(slot, hash) }
    }

    /// Adds all slots to a table that may lack some. Returns one that has the same hash as another
    /// one, and for which `isSame` is true.
    func fill(_ slots: IdentitySlots, _ isSame: (UInt32, UInt32) -> Bool) -> UInt32? {
        count = slots.count
        reset()
        var twice: UInt32?
        slots.forEachHash { slot, hash in
            if let other = find(hash, slots, { isSame($0, slot) }) { twice = other }
            put(slot, hash)
        }
        return twice
    }

    private func put(_ slot: UInt32, _ hash: UInt32) {
        var place = home(hash)
        while unsafe tags[place] != 0 { place = next(place) }
        unsafe places[place] = slot
        unsafe tags[place] = Self.tag(hash)
    }

    /// Removes a slot that `slots` does not contain any more, and moves those back that are behind
    /// it only because its place was in use.
    func remove(_ slot: UInt32, _ hash: UInt32, _ slots: IdentitySlots) {
        var hole = home(hash)
        while unsafe tags[hole] == 0 || places[hole] != slot {
            if unsafe tags[hole] == 0 { return }
            hole = next(hole)
        }
        unsafe tags[hole] = 0
        count -= 1
        var place = next(hole)
        while unsafe tags[place] != 0 {
            let home = unsafe home(slots.hash(places[place]))
            if distance(home, place) >= distance(hole, place) {
                unsafe places[hole] = unsafe places[place]
                unsafe tags[hole] = unsafe tags[place]
                unsafe tags[place] = 0
                hole = place
            }
            place = next(place)
        }
        if capacity > 64, count * 6 < capacity { resize(slots) }
    }

    /// Makes room for the number of slots, and puts them all. They are read in their order, which
    /// misses the cache less often than the order of the places.
    private func resize(_ slots: IdentitySlots) {
        reset()
        slots.forEachHash { put($0, $1) }
    }

    /// Removes all, and makes room for the number of slots.
    private func reset() {
        unsafe places.deallocate()
        unsafe tags.deallocate()
        capacity = max(16, (count + 1) * 3 / 2)
        unsafe (places, tags) = unsafe Self.allocate(capacity)
    }

    private func home(_ hash: UInt32) -> Int { Int((UInt64(hash) * UInt64(capacity)) >> 32) }
    private func next(_ place: Int) -> Int { place + 1 == capacity ? 0 : place + 1 }

    /// How many places `to` is behind `from`.
    private func distance(_ from: Int, _ to: Int) -> Int { to >= from ? to - from : to - from + capacity }
}
