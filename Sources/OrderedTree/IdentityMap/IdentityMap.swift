/// From a row id to the leaf that holds it: open addressing with linear probing, five bytes a
/// slot. The id itself stands in the leaf only; a tag of its hash keeps most wrong leaves from
/// being looked at.
///
/// Two rows with the same tag and leaf are not told apart. They need not be: their slots are
/// interchangeable wherever both lie on both probe paths, and the first one on a row's path always
/// is, because every slot up to the row's own is taken.
struct IdentityMap {
  private enum Tag {
    static let empty: UInt8 = 0
    static let removed: UInt8 = 1
    static let firstUsed: UInt8 = 2
  }

  struct State {
    var tags: UnsafeMutablePointer<UInt8>?
    var leaves: UnsafeMutablePointer<UInt32>?
    var capacity = 0
    /// Slots that hold a row.
    var live = 0
    /// Slots that hold a row or a mark of removal.
    var taken = 0
    /// Keeps the reads of `warm` from being optimised away.
    var warmed: UInt32 = 0
    var memory = MemoryGauge()
  }

  private let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  func destroy() {
    state.pointee.tags?.deallocate()
    state.pointee.leaves?.deallocate()
    state.deallocate()
  }

  var bytesHeld: Int { state.pointee.memory.bytes }
  var count: Int { state.pointee.live }

  /// Where a row stands; a few probes and the scan of one leaf.
  @inline(__always)
  func find(_ id: Int64, in leaves: LeafTable) -> (leaf: UInt32, index: Int)? {
    guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
    var (slot, tag) = home(of: id)
    while tags[slot] != Tag.empty {
      if tags[slot] == tag {
        let leaf = numbers[slot]
        if let index = leaves.index(of: id, in: leaf, count: leaves.count(leaf)) {
          return (leaf, index)
        }
      }
      slot = next(slot)
    }
    return nil
  }

  /// Enters a row that is not there yet, after `reserve`.
  func insert(_ id: Int64, leaf: UInt32) {
    guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return }
    var (slot, tag) = home(of: id)
    while tags[slot] >= Tag.firstUsed { slot = next(slot) }
    if tags[slot] == Tag.empty { state.pointee.taken += 1 }
    tags[slot] = tag
    numbers[slot] = leaf
    state.pointee.live += 1
  }

  /// Takes a row of that leaf out.
  func remove(_ id: Int64, leaf: UInt32) {
    guard let tags = state.pointee.tags, var slot = slot(of: id, leaf: leaf) else { return }
    state.pointee.live -= 1
    guard tags[next(slot)] == Tag.empty else {
      tags[slot] = Tag.removed
      return
    }
    // No probe path leads on from here, so this mark and those just before it can go.
    repeat {
      tags[slot] = Tag.empty
      state.pointee.taken -= 1
      slot = slot == 0 ? state.pointee.capacity - 1 : slot - 1
    } while tags[slot] == Tag.removed
  }

  /// Notes that a row went from one leaf to another.
  @inline(__always)
  func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
    if let slot = slot(of: id, leaf: old) {
      state.pointee.leaves.unsafelyUnwrapped[slot] = new
    } else {
      assertionFailure("row without identity entry")
    }
  }

  /// Brings the slots of many rows into the cache side by side, which is far quicker than to wait
  /// for one after the other.
  @inline(__always)
  func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
    guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return }
    let capacity = UInt64(state.pointee.capacity)
    var sum: UInt32 = 0
    for index in 0..<count {
      let slot = Int(IdentityMap.hash(ids[index]).multipliedFullWidth(by: capacity).high)
      sum &+= UInt32(tags[slot]) &+ numbers[slot]
    }
    state.pointee.warmed = sum
  }

  /// Makes room for one more row. To grow, the map is filled anew from the leaves.
  func reserve(from leaves: LeafTable) {
    guard (state.pointee.taken + 1) * 8 > state.pointee.capacity * 7 else { return }
    reset(capacity: max(16, (state.pointee.live + 1) * 3 / 2))
    for leaf in 0..<leaves.used where leaves.isLive(leaf) {
      let ids = leaves.ids(leaf)
      warm(ids, count: leaves.count(leaf))
      for index in 0..<leaves.count(leaf) { insert(ids[index], leaf: leaf) }
    }
  }

  /// Fills an empty map from all leaves, sized to fit. Returns the first id that occurs twice.
  func build(count: Int, from leaves: LeafTable) -> Int64? {
    reset(capacity: max(16, count * 5 / 4 + 1))
    guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
    for leaf in 0..<leaves.used where leaves.isLive(leaf) {
      let ids = leaves.ids(leaf)
      let rows = leaves.count(leaf)
      warm(ids, count: rows)
      for index in 0..<rows {
        let id = ids[index]
        var (slot, tag) = home(of: id)
        while tags[slot] != Tag.empty {
          if tags[slot] == tag {
            let other = numbers[slot]
            let count = other == leaf ? index : leaves.count(other)
            if leaves.index(of: id, in: other, count: count) != nil { return id }
          }
          slot = next(slot)
        }
        tags[slot] = tag
        numbers[slot] = leaf
      }
      state.pointee.live += rows
    }
    state.pointee.taken = state.pointee.live
    return nil
  }

  func clear() { reset(capacity: 16) }

  /// Empties the map and gives it `capacity` slots.
  private func reset(capacity: Int) {
    let old = state.pointee.capacity
    if let tags = state.pointee.tags, let leaves = state.pointee.leaves {
      state.pointee.memory.free(UnsafeMutableRawPointer(tags), size: old)
      state.pointee.memory.free(UnsafeMutableRawPointer(leaves), size: old * 4)
    }
    let tags = state.pointee.memory.allocate(capacity).assumingMemoryBound(to: UInt8.self)
    tags.initialize(repeating: Tag.empty, count: capacity)
    state.pointee.tags = tags
    let numbers = state.pointee.memory.allocate(capacity * 4)
      .assumingMemoryBound(to: UInt32.self)
    numbers.initialize(repeating: 0, count: capacity)
    state.pointee.leaves = numbers
    state.pointee.capacity = capacity
    state.pointee.live = 0
    state.pointee.taken = 0
  }

  @inline(__always)
  private func slot(of id: Int64, leaf: UInt32) -> Int? {
    guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
    var (slot, tag) = home(of: id)
    while tags[slot] != Tag.empty {
      if tags[slot] == tag, numbers[slot] == leaf { return slot }
      slot = next(slot)
    }
    return nil
  }

  @inline(__always)
  private func next(_ slot: Int) -> Int {
    let following = slot + 1
    return following == state.pointee.capacity ? 0 : following
  }

  /// The first slot of the probe path, from the high bits of the hash, and the tag, from the low.
  @inline(__always)
  private func home(of id: Int64) -> (Int, UInt8) {
    let hash = IdentityMap.hash(id)
    let slot = hash.multipliedFullWidth(by: UInt64(state.pointee.capacity)).high
    return (Int(slot), max(Tag.firstUsed, UInt8(truncatingIfNeeded: hash)))
  }

  @inline(__always)
  private static func hash(_ id: Int64) -> UInt64 {
    var hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return hash ^ (hash >> 32)
  }
}
