internal import Glibc
internal import SQLiteKit

/// The kind of object behind a handle.
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

    /// Whether the objects of this kind use a store, rather than only memory.
    var usesStore: Bool {
        switch self {
        case .store, .statement, .list, .coordinator, .dataSource, .entityList: true
        case .object, .request, .changeSet, .placeholder, .cell: false
        }
    }
}

/// The objects that C programs hold.
///
/// A handle is not an address but a number: kind, slot and the slot's generation. It is never
/// followed, only looked up, so that the table detects a handle that was freed or never existed.
/// Slots are allocated and freed under a lock; a look-up takes none, since chunks of slots never
/// move and one thread at a time uses a handle.
///
/// So functions, properties and types whose only pointers are handles are safe, here and elsewhere.
enum HandleTable {
    @unsafe private struct Slot {
        var object: Unmanaged<AnyObject>?
        var generation: UInt32
        var references: Int32
        var kind: UInt8
        /// How often the process had been forked when the handle was made.
        var forks: UInt16 = 0
        var nextFree: UInt32
    }

    private static let chunkBits: UInt32 = 12
    private static let chunkCount = 1 << 15

    @unsafe private struct TableState {
        let chunks: UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>
        let lock: UnsafeMutablePointer<pthread_mutex_t>
        /// The number of slots ever allocated, and the first free one plus one; guarded by the
        /// lock.
        let used: UnsafeMutablePointer<UInt32>
        let firstFree: UnsafeMutablePointer<UInt32>
        /// How many handles of each kind there are; guarded by the lock.
        let live: UnsafeMutablePointer<Int64>
    }

    nonisolated(unsafe) private static let state: TableState = {
        let chunks = UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>.allocate(capacity: chunkCount)
        unsafe chunks.initialize(repeating: nil, count: chunkCount)
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        // Free in a forked process, whatever other threads do.
        pthread_atfork(
            { unsafe pthread_mutex_lock(HandleTable.state.lock) },
            { unsafe pthread_mutex_unlock(HandleTable.state.lock) },
            { unsafe pthread_mutex_unlock(HandleTable.state.lock) })
        let counters = UnsafeMutablePointer<UInt32>.allocate(capacity: 2)
        unsafe counters.initialize(repeating: 0, count: 2)
        let live = UnsafeMutablePointer<Int64>.allocate(capacity: Int(UInt8.max) + 1)
        unsafe live.initialize(repeating: 0, count: Int(UInt8.max) + 1)
        return unsafe TableState(chunks: chunks, lock: lock, used: counters, firstFree: counters + 1, live: live)
    }()

    nonisolated(unsafe) private static var lastNumber: UInt64 = 0

    /// A number that was never used before.
    static func nextNumber() -> UInt64 {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        unsafe lastNumber += 1
        return unsafe lastNumber
    }

    private static func slot(_ index: UInt32) -> UnsafeMutablePointer<Slot>? {
        let chunk = Int(index >> chunkBits)
        guard chunk < chunkCount, let slots = unsafe state.chunks[chunk] else { return nil }
        return unsafe slots + Int(index & (1 << chunkBits - 1))
    }

    /// A new handle with one reference; nil if there are too many.
    @safe static func insert(_ object: consuming AnyObject, _ kind: HandleKind) -> OpaquePointer? {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        guard let index = freeSlot(), let slot = unsafe slot(index) else { return nil }
        unsafe slot.pointee.object = Unmanaged.passRetained(object)
        unsafe slot.pointee.kind = kind.rawValue
        unsafe slot.pointee.references = 1
        unsafe slot.pointee.forks = UInt16(truncatingIfNeeded: Forks.counted())
        unsafe state.live[Int(kind.rawValue)] += 1
        return unsafe OpaquePointer(
            bitPattern: UInt(slot.pointee.generation) << 36 | UInt(index) << 4 | UInt(kind.rawValue))
    }

    /// How many handles of a kind there are. Any thread.
    static func count(_ kind: HandleKind) -> Int64 {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        return unsafe state.live[Int(kind.rawValue)]
    }

    private static func freeSlot() -> UInt32? {
        if unsafe state.firstFree.pointee > 0 {
            let index = unsafe state.firstFree.pointee - 1
            unsafe state.firstFree.pointee = slot(index)?.pointee.nextFree ?? 0
            return index
        }
        let index = unsafe state.used.pointee
        let chunk = Int(index >> chunkBits)
        guard chunk < chunkCount else { return nil }
        if unsafe state.chunks[chunk] == nil {
            let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1 << Int(chunkBits))
            unsafe slots.initialize(
                repeating: Slot(object: nil, generation: 1, references: 0, kind: 0, nextFree: 0),
                count: 1 << Int(chunkBits))
            unsafe state.chunks[chunk] = slots
        }
        unsafe state.used.pointee += 1
        return index
    }

    private static func liveSlot(_ handle: OpaquePointer?, _ kind: HandleKind) -> UnsafeMutablePointer<Slot>? {
        let bits = UInt(bitPattern: handle)
        guard bits & 15 == UInt(kind.rawValue), let slot = unsafe slot(UInt32(truncatingIfNeeded: bits >> 4)) else {
            return nil
        }
        guard unsafe slot.pointee.generation == UInt32(truncatingIfNeeded: bits >> 36),
            unsafe slot.pointee.kind == kind.rawValue
        else {
            return nil
        }
        return unsafe slot
    }

    /// The object behind a handle; nil if the handle is not of that kind.
    @safe static func find(_ handle: OpaquePointer?, _ kind: HandleKind) -> AnyObject? {
        unsafe liveSlot(handle, kind)?.pointee.object?.takeUnretainedValue()
    }

    /// Whether a handle of a store, or of what uses one, was made before the process was forked.
    @inline(__always)
    @safe static func isInherited(_ handle: OpaquePointer?, _ kind: HandleKind) -> Bool {
        guard let slot = unsafe liveSlot(handle, kind) else { return false }
        return unsafe slot.pointee.forks != UInt16(truncatingIfNeeded: Forks.count) && kind.usesStore
    }

    /// Calls `body` with the object behind a handle, without counting a reference to it; returns
    /// nil if the handle is not of that kind. `body` must not call the program, which could free
    /// the handle.
    @inline(__always)
    @safe static func borrow<Object: AnyObject, Result>(
        _ handle: OpaquePointer?, _ kind: HandleKind, as class: Object.Type, _ body: (Object) throws -> Result
    ) rethrows -> Result? {
        guard let object = unsafe liveSlot(handle, kind)?.pointee.object else { return nil }
        // A handle's kind determines the class of its object.
        return try unsafe Unmanaged<Object>.fromOpaque(object.toOpaque())._withUnsafeGuaranteedRef(body)
    }

    /// Adds a reference; false if the handle is not of that kind.
    @safe static func retain(_ handle: OpaquePointer?, _ kind: HandleKind) -> Bool {
        guard let slot = unsafe liveSlot(handle, kind) else { return false }
        unsafe slot.pointee.references += 1
        return true
    }

    /// Releases a reference. The last one ends the handle, and its object is returned.
    @discardableResult
    @safe static func release(_ handle: OpaquePointer?, _ kind: HandleKind) -> AnyObject? {
        guard let slot = unsafe liveSlot(handle, kind) else { return nil }
        unsafe slot.pointee.references -= 1
        guard unsafe slot.pointee.references == 0 else { return nil }
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        let object = unsafe slot.pointee.object?.takeRetainedValue()
        unsafe state.live[Int(kind.rawValue)] -= 1
        unsafe slot.pointee.object = nil
        unsafe slot.pointee.kind = 0
        // 28 bits fit into a handle; a slot whose generations are used up is not allocated again.
        unsafe slot.pointee.generation += 1
        if unsafe slot.pointee.generation < 1 << 28 {
            unsafe slot.pointee.nextFree = state.firstFree.pointee
            unsafe state.firstFree.pointee = UInt32(truncatingIfNeeded: UInt(bitPattern: handle) >> 4) + 1
        }
        return object
    }
}
