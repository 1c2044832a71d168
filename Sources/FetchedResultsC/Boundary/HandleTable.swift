internal import Glibc

/// What a handle stands for.
enum HandleKind: UInt8, CaseIterable {
    case store = 1
    case statement = 2
    case object = 3
    case request = 4
    case list = 5
    case changeSet = 6
    case placeholder = 7
    case coordinator = 8
    case dataSource = 9
    case cell = 10
    case entityList = 11
}

/// The objects that C programs hold.
///
/// A handle is no address but a number: kind, slot and the slot's generation. It is never followed, only looked up, so
/// that a handle that was freed, or never was one, is found out. Slots are given out and taken back under a lock;
/// looking one up takes none, since chunks of slots never move and a handle is used by one thread at a time.
enum HandleTable {
    private struct Slot {
        var object: Unmanaged<AnyObject>?
        var generation: UInt32
        var references: Int32
        var kind: UInt8
        var nextFree: UInt32
    }

    private static let chunkBits: UInt32 = 12
    private static let chunkCount = 1 << 15

    private struct State {
        let chunks: UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>
        let lock: UnsafeMutablePointer<pthread_mutex_t>
        /// Slots ever given out, and the first free one plus one; guarded by the lock.
        let used: UnsafeMutablePointer<UInt32>
        let firstFree: UnsafeMutablePointer<UInt32>
        /// How many handles of each kind there are; guarded by the lock.
        let live: UnsafeMutablePointer<Int64>
    }

    nonisolated(unsafe) private static let state: State = {
        let chunks = UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>.allocate(capacity: chunkCount)
        chunks.initialize(repeating: nil, count: chunkCount)
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        let counters = UnsafeMutablePointer<UInt32>.allocate(capacity: 2)
        counters.initialize(repeating: 0, count: 2)
        let live = UnsafeMutablePointer<Int64>.allocate(capacity: Int(UInt8.max) + 1)
        live.initialize(repeating: 0, count: Int(UInt8.max) + 1)
        return State(chunks: chunks, lock: lock, used: counters, firstFree: counters + 1, live: live)
    }()

    nonisolated(unsafe) private static var lastNumber: UInt64 = 0

    /// A number that was never given out before.
    static func nextNumber() -> UInt64 {
        pthread_mutex_lock(state.lock)
        defer { pthread_mutex_unlock(state.lock) }
        lastNumber += 1
        return lastNumber
    }

    private static func slot(_ index: UInt32) -> UnsafeMutablePointer<Slot>? {
        let chunk = Int(index >> chunkBits)
        guard chunk < chunkCount, let slots = state.chunks[chunk] else { return nil }
        return slots + Int(index & (1 << chunkBits - 1))
    }

    /// A new handle with one reference; nil if there are too many.
    static func insert(_ object: consuming AnyObject, _ kind: HandleKind) -> OpaquePointer? {
        pthread_mutex_lock(state.lock)
        defer { pthread_mutex_unlock(state.lock) }
        guard let index = freeSlot(), let slot = slot(index) else { return nil }
        slot.pointee.object = Unmanaged.passRetained(object)
        slot.pointee.kind = kind.rawValue
        slot.pointee.references = 1
        state.live[Int(kind.rawValue)] += 1
        return OpaquePointer(bitPattern: UInt(slot.pointee.generation) << 36 | UInt(index) << 4 | UInt(kind.rawValue))
    }

    /// How many handles of a kind there are. Any thread.
    static func count(_ kind: HandleKind) -> Int64 {
        pthread_mutex_lock(state.lock)
        defer { pthread_mutex_unlock(state.lock) }
        return state.live[Int(kind.rawValue)]
    }

    private static func freeSlot() -> UInt32? {
        if state.firstFree.pointee > 0 {
            let index = state.firstFree.pointee - 1
            state.firstFree.pointee = slot(index)?.pointee.nextFree ?? 0
            return index
        }
        let index = state.used.pointee
        let chunk = Int(index >> chunkBits)
        guard chunk < chunkCount else { return nil }
        if state.chunks[chunk] == nil {
            let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1 << Int(chunkBits))
            slots.initialize(
                repeating: Slot(object: nil, generation: 1, references: 0, kind: 0, nextFree: 0),
                count: 1 << Int(chunkBits))
            state.chunks[chunk] = slots
        }
        state.used.pointee += 1
        return index
    }

    private static func liveSlot(_ handle: OpaquePointer?, _ kind: HandleKind) -> UnsafeMutablePointer<Slot>? {
        let bits = UInt(bitPattern: handle)
        guard bits & 15 == UInt(kind.rawValue), let slot = slot(UInt32(truncatingIfNeeded: bits >> 4)) else {
            return nil
        }
        guard slot.pointee.generation == UInt32(truncatingIfNeeded: bits >> 36), slot.pointee.kind == kind.rawValue
        else {
            return nil
        }
        return slot
    }

    /// The object behind a handle; nil if the handle is none of that kind.
    static func find(_ handle: OpaquePointer?, _ kind: HandleKind) -> AnyObject? {
        liveSlot(handle, kind)?.pointee.object?.takeUnretainedValue()
    }

    /// Takes one more reference; false if the handle is none of that kind.
    static func retain(_ handle: OpaquePointer?, _ kind: HandleKind) -> Bool {
        guard let slot = liveSlot(handle, kind) else { return false }
        slot.pointee.references += 1
        return true
    }

    /// Gives a reference back; with the last one the handle ends, and its object is returned.
    @discardableResult
    static func release(_ handle: OpaquePointer?, _ kind: HandleKind) -> AnyObject? {
        guard let slot = liveSlot(handle, kind) else { return nil }
        slot.pointee.references -= 1
        guard slot.pointee.references == 0 else { return nil }
        pthread_mutex_lock(state.lock)
        defer { pthread_mutex_unlock(state.lock) }
        let object = slot.pointee.object?.takeRetainedValue()
        state.live[Int(kind.rawValue)] -= 1
        slot.pointee.object = nil
        slot.pointee.kind = 0
        // 28 bits fit into a handle; a slot that has used them all up is not given out again.
        slot.pointee.generation += 1
        if slot.pointee.generation < 1 << 28 {
            slot.pointee.nextFree = state.firstFree.pointee
            state.firstFree.pointee = UInt32(truncatingIfNeeded: UInt(bitPattern: handle) >> 4) + 1
        }
        return object
    }
}
