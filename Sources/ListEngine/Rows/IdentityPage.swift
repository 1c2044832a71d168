internal import SQLiteKit

/// Some slots for identities, and the bytes of these, one after another. Bytes of identities that
/// were released stay until the other bytes are copied together, when room is needed or a quarter
/// of it is unused.
@safe final class IdentityPage {
    struct IdentitySlot {
        /// Where the identity begins; `none` if the slot is free.
        fileprivate(set) var offset = none
        fileprivate(set) var hash: UInt32 = 0
        fileprivate(set) var generation: UInt32

        fileprivate static let none = UInt32.max

        init(generation: UInt32) { self.generation = generation }

        var isFree: Bool { offset == Self.none }
    }

    let slots: UnsafeMutablePointer<IdentitySlot>
    private let size: Int
    private var bytes = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    private var capacity = 0
    private var used = 0
    /// Bytes of the identities that are stored.
    private var live = 0
    /// How many slots have an identity.
    private(set) var count = 0
    /// The number of slots that will never have one again.
    var retired = 0
    /// The first slot that a search visits.
    var cursor = 0
    /// Whether it is in the list of pages with free slots.
    var isListed = false

    init(_ size: Int, generation: UInt32) {
        self.size = size
        unsafe slots = .allocate(capacity: size)
        unsafe slots.initialize(repeating: IdentitySlot(generation: generation), count: size)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe bytes.deallocate()
    }

    /// Including the overhead of the allocator for the three blocks.
    var bytesHeld: Int { size * MemoryLayout<IdentitySlot>.stride + capacity + 144 }

    /// Whether offsets can address one more identity, which in SQLite can have two billion bytes.
    var hasRoom: Bool { live < 1 << 30 }

    /// The identity in a slot; nil if the slot is free.
    func identity(inSlot index: Int) -> PackedIdentity? {
        unsafe slots[index].isFree ? nil : PackedIdentity(bytes + Int(slots[index].offset))
    }

    /// Whether a slot, which is not free, has the identity that is packed in the same bytes.
    func contains(_ packed: UnsafeRawBufferPointer, inSlot index: Int) -> Bool {
        let start = Int(unsafe slots[index].offset)
        guard start + packed.count <= used else { return false }
        return unsafe UnsafeRawBufferPointer(start: bytes + start, count: packed.count).hasSameBytes(as: packed)
    }

    func fill(_ index: Int, _ identity: UnsafeRawBufferPointer, hash: UInt32, generation: UInt32) {
        guard let start = identity.baseAddress else { return }
        if used + identity.count > capacity { reserve(2 * (live + identity.count)) }
        unsafe (bytes + used).copyMemory(from: start, byteCount: identity.count)
        unsafe slots[index].offset = UInt32(truncatingIfNeeded: used)
        unsafe slots[index].hash = hash
        unsafe slots[index].generation = generation
        used += identity.count
        live += identity.count
        count += 1
    }

    /// Replaces the identity in a slot, which is not free.
    func replace(_ index: Int, by identity: UnsafeRawBufferPointer, hash: UInt32, generation: UInt32) {
        live -= byteCount(index)
        count -= 1
        unsafe slots[index].offset = IdentitySlot.none
        unsafe fill(index, identity, hash: hash, generation: generation)
    }

    func free(_ index: Int, generation: UInt32) {
        live -= byteCount(index)
        count -= 1
        unsafe slots[index] = IdentitySlot(generation: generation)
        if capacity > 1024, live < capacity - capacity / 4 { compact() }
    }

    /// Releases the bytes that no identity needs.
    func compact() {
        if live < capacity { reserve(live) }
    }

    private func byteCount(_ index: Int) -> Int {
        unsafe identity(inSlot: index)?.byteCount ?? 0
    }

    /// Moves the stored identities into a block of its own.
    private func reserve(_ newCapacity: Int) {
        let new = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 1)
        if used == live {
            // Nothing is between the identities.
            unsafe new.copyMemory(from: bytes, byteCount: used)
        } else {
            used = 0
            for index in 0..<size where unsafe !slots[index].isFree {
                let count = byteCount(index)
                unsafe (new + used).copyMemory(from: bytes + Int(slots[index].offset), byteCount: count)
                unsafe slots[index].offset = UInt32(truncatingIfNeeded: used)
                used += count
            }
        }
        unsafe bytes.deallocate()
        unsafe bytes = unsafe new
        capacity = newCapacity
    }
}
