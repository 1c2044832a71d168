import Glibc

/// Bytes `s` that part two neighbouring subtrees: every key on the left < s <= every key on the
/// right. One block: a 32-bit length, then the bytes.
///
/// Safe but for `bytes`: the block is its own, and freed with it.
@safe struct Separator: ~Copyable {
    private let block: UnsafeMutableRawPointer

    /// The first `length` bytes of a key.
    init(_ key: LeadingBytes, length: Int) {
        unsafe block = Memory.allocate(length + 4)
        unsafe block.storeBytes(of: UInt32(length), as: UInt32.self)
        let bytes = unsafe (block + 4).assumingMemoryBound(to: UInt8.self)
        for offset in 0..<length { unsafe bytes[offset] = key[offset] }
    }

    /// The shortest separator that what is known of two neighbours allows, or nil when they tie.
    ///
    /// Its last byte is greater than zero, hence a real byte of the key on the right and no padding.
    init?(between left: LeadingBytes, and right: LeadingBytes) {
        guard let place = unsafe right.firstDifference(from: left), unsafe right[place] > left[place] else {
            return nil
        }
        unsafe self.init(right, length: place + 1)
    }

    deinit { unsafe block.deallocate() }

    var bytesHeld: Int { Memory.held(count + 4) }

    var count: Int { unsafe Int(block.load(as: UInt32.self)) }
    var bytes: UnsafePointer<UInt8> {
        unsafe UnsafePointer((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// True when the separator sorts before the key or equals it: the key belongs on the right.
    @inline(__always)
    func isAtMost(_ key: UnsafeRawBufferPointer) -> Bool {
        let count = self.count
        let shared = min(count, key.count)
        if shared > 0, let base = key.baseAddress {
            let order = unsafe memcmp(bytes, base, shared)
            if order != 0 { return order < 0 }
        }
        return count <= key.count
    }

    /// The bytes, for checks.
    var copy: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count)) }

    enum Side { case left, right, unknown }

    /// The side on which a key belongs of which perhaps only a part is known.
    func side(of key: LeadingBytes) -> Side {
        let count = self.count
        if key.isWhole {
            let whole = unsafe UnsafeRawBufferPointer(start: key.bytes, count: key.count)
            return unsafe isAtMost(whole) ? .right : .left
        }
        let shared = unsafe key.commonLength(with: bytes, limit: count)
        if shared < min(count, key.known) { return unsafe key[shared] < bytes[shared] ? .left : .right }
        // The key starts with the separator. Zeros at its end may be padding of a shorter key.
        if shared == count, unsafe count == 0 || bytes[count - 1] != 0 { return .right }
        return .unknown
    }
}
