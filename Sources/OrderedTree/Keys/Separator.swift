import Glibc

/// Bytes `s` that part two neighbouring subtrees: every key on the left < s <= every key on the
/// right. One block: a 32-bit length, then the bytes.
struct Separator: ~Copyable {
    private let block: UnsafeMutableRawPointer

    /// The first `length` bytes of a key.
    init(_ key: LeadingBytes, length: Int) {
        block = Memory.allocate(length + 4)
        block.storeBytes(of: UInt32(length), as: UInt32.self)
        let bytes = (block + 4).assumingMemoryBound(to: UInt8.self)
        for offset in 0..<length { bytes[offset] = key[offset] }
    }

    /// The shortest separator that what is known of two neighbours allows, or nil when they tie.
    ///
    /// Its last byte is greater than zero, hence a real byte of the key on the right and no padding.
    init?(between left: LeadingBytes, and right: LeadingBytes) {
        guard let place = right.firstDifference(from: left), right[place] > left[place] else {
            return nil
        }
        self.init(right, length: place + 1)
    }

    deinit { block.deallocate() }

    var bytesHeld: Int { Memory.held(count + 4) }

    var count: Int { Int(block.load(as: UInt32.self)) }
    var bytes: UnsafePointer<UInt8> {
        UnsafePointer((block + 4).assumingMemoryBound(to: UInt8.self))
    }

    /// True when the separator sorts before the key or equals it: the key belongs on the right.
    @inline(__always)
    func isAtMost(_ key: UnsafeRawBufferPointer) -> Bool {
        let count = self.count
        let shared = min(count, key.count)
        if shared > 0, let base = key.baseAddress {
            let order = memcmp(bytes, base, shared)
            if order != 0 { return order < 0 }
        }
        return count <= key.count
    }

    /// The bytes, for checks.
    var copy: [UInt8] { [UInt8](UnsafeBufferPointer(start: bytes, count: count)) }

    enum Side { case left, right, unknown }

    /// The side on which a key belongs of which perhaps only a part is known.
    func side(of key: LeadingBytes) -> Side {
        let count = self.count
        if key.isWhole {
            let whole = UnsafeRawBufferPointer(start: key.bytes, count: key.count)
            return isAtMost(whole) ? .right : .left
        }
        let shared = key.commonLength(with: bytes, limit: count)
        if shared < min(count, key.known) { return key[shared] < bytes[shared] ? .left : .right }
        // The key starts with the separator. Zeros at its end may be padding of a shorter key.
        if shared == count, count == 0 || bytes[count - 1] != 0 { return .right }
        return .unknown
    }
}
