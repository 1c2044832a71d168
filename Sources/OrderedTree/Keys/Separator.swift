import Glibc

/// The bytes that separate two neighbouring leaves: the shortest prefix of the first key on the
/// right that is greater than the last key on the left. If not all of them are known, it stores
/// only the last one; a search that needs the other bytes reads the first key on the right.
///
/// One block: a 32-bit length with a bit for whether all bytes are known, then the bytes. Safe
/// except for `bytes`: it owns the block, which is freed with it.
@safe struct Separator: ~Copyable {
    private let block: UnsafeMutableRawPointer
    private static let unknown: UInt32 = 1 << 31

    /// A separator whose bytes `write` sets.
    init(count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe block = Memory.allocate(count + 4)
        unsafe block.storeBytes(of: UInt32(count), as: UInt32.self)
        unsafe write((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// The first `count` bytes of a key that has at least that many.
    init(_ key: UnsafePointer<UInt8>, count: Int) {
        unsafe self.init(count: count) { unsafe $0.update(from: key, count: count) }
    }

    /// Bytes of which only the last one is known.
    init(depth: Int, last: UInt8) {
        unsafe block = Memory.allocate(5)
        unsafe block.storeBytes(of: UInt32(depth + 1) | Separator.unknown, as: UInt32.self)
        unsafe block.storeBytes(of: last, toByteOffset: 4, as: UInt8.self)
    }

    deinit { unsafe Memory.free(block) }

    var bytesHeld: Int { Memory.held((isKnown ? count : 1) + 4) }

    private var header: UInt32 { unsafe block.load(as: UInt32.self) }

    var count: Int { Int(header & ~Separator.unknown) }

    /// Whether all bytes are known.
    @inline(__always)
    var isKnown: Bool { header & Separator.unknown == 0 }

    /// All bytes if they are known, else the last one.
    var bytes: UnsafePointer<UInt8> {
        unsafe UnsafePointer((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// The number of bytes that the last key on the left and the first one on the right have in
    /// common.
    var depth: Int { count - 1 }

    /// The byte of the first key on the right after these.
    var last: UInt8 { unsafe bytes[isKnown ? depth : 0] }

    var joint: Joint {
        unsafe Joint(depth: depth, last: last, key: isKnown ? KeyBytes(bytes, count: count) : nil)
    }

    /// The key that separates two leaves. Unsafe, because it borrows the bytes of the separator.
    @unsafe struct Joint {
        @safe let depth: Int
        @safe let last: UInt8
        /// All bytes, if they are known.
        let key: KeyBytes?
    }

    /// The separator after the first key on the right, or the last on the left, was replaced by one
    /// that differs at a place within the separator. `last` is the byte of the first key on the
    /// right at that place. All bytes are known.
    func shortened(to depth: Int, last: UInt8) -> Separator {
        unsafe Separator(count: depth + 1) {
            unsafe $0.update(from: bytes, count: depth)
            unsafe $0[depth] = last
        }
    }

    /// Whether the separator, all of whose bytes are known, sorts before the key or equals it: the
    /// key belongs on the right.
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

    @inline(__always)
    func prefetch() { unsafe Memory.prefetch(block, 1) }

    /// The bytes that are known, for checks.
    var copy: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: isKnown ? count : 1)) }
}
