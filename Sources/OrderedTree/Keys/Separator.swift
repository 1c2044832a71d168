import Glibc

/// The bytes that part two neighbouring leaves: the shortest beginning of the first key on the right that is greater
/// than the last key on the left. One block: a 32-bit length, then the bytes.
///
/// Safe but for `bytes`: the block is its own, and freed with it.
@safe struct Separator: ~Copyable {
    private let block: UnsafeMutableRawPointer

    /// Bytes that `write` fills in.
    init(count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe block = Memory.allocate(count + 4)
        unsafe block.storeBytes(of: UInt32(count), as: UInt32.self)
        unsafe write((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// The first `count` bytes of a key that has so many.
    init(_ key: UnsafePointer<UInt8>, count: Int) {
        unsafe self.init(count: count) { unsafe $0.update(from: key, count: count) }
    }

    deinit { unsafe block.deallocate() }

    var bytesHeld: Int { Memory.held(count + 4) }

    var count: Int { unsafe Int(block.load(as: UInt32.self)) }
    var bytes: UnsafePointer<UInt8> {
        unsafe UnsafePointer((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// How many bytes the last key on the left and the first one on the right have in common.
    var depth: Int { count - 1 }

    var key: KeyBytes { unsafe KeyBytes(bytes, count: count) }

    /// The separator once the first key on the right, or the last on the left, is another one that differs from it at
    /// a place within; `last` is what the first key on the right has there.
    func shortened(to depth: Int, last: UInt8) -> Separator {
        unsafe Separator(count: depth + 1) {
            unsafe $0.update(from: bytes, count: depth)
            unsafe $0[depth] = last
        }
    }

    /// True when the separator sorts before the key or equals it: the key belongs on the right.
    @inline(__always)
    func isAtMost(_ key: KeyBytes) -> Bool {
        let count = self.count
        let shared = min(count, key.count)
        if shared > 0, let base = unsafe key.bytes {
            let order = unsafe memcmp(bytes, base, shared)
            if order != 0 { return order < 0 }
        }
        return count <= key.count
    }

    /// The bytes, for checks.
    var copy: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count)) }
}
