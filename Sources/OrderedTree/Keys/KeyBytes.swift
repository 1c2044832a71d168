import Glibc

/// The bytes of a key, or its first ones. Unsafe, because it borrows them and must not outlive
/// them.
@unsafe struct KeyBytes {
    let bytes: UnsafePointer<UInt8>?
    @safe let count: Int
    /// Whether the key ends after them; else the following bytes are unknown.
    @safe let isWhole: Bool

    init(_ key: UnsafeRawBufferPointer, isWhole: Bool = true) {
        unsafe bytes = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = key.count
        self.isWhole = isWhole
    }

    init(_ bytes: UnsafePointer<UInt8>, count: Int) {
        unsafe self.bytes = bytes
        self.count = count
        isWhole = false
    }

    /// The byte at an offset; -1 after the last one, because a key sorts before its extensions.
    @inline(__always)
    func symbol(at offset: Int) -> Int {
        guard offset < count, let bytes = unsafe bytes else { return -1 }
        return unsafe Int(bytes[offset])
    }

    /// Four bytes from an offset on as a big-endian number, extended with zeros.
    @inline(__always)
    func head(at offset: Int) -> UInt32 {
        guard let bytes = unsafe bytes else { return 0 }
        if offset + 4 <= count {
            let raw = unsafe UnsafeRawPointer(bytes + offset)
            return unsafe UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))
        }
        var value: UInt32 = 0
        for place in offset..<(offset + 4) { value = unsafe value << 8 | (place < count ? UInt32(bytes[place]) : 0) }
        return value
    }

    /// How many of the `limit` bytes at `other` are equal to the first bytes of this key.
    @inline(__always)
    func commonLength(with other: UnsafePointer<UInt8>, limit: Int) -> Int {
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe commonPrefixLength(bytes, other, limit: min(limit, count))
    }

    /// The number of first bytes that two keys have in common.
    @inline(__always)
    func commonLength(with other: KeyBytes) -> Int {
        guard let theirs = unsafe other.bytes else { return 0 }
        return unsafe commonLength(with: theirs, limit: other.count)
    }
}

/// The length of the longest common prefix of two byte strings, at most `limit`.
@inline(__always)
func commonPrefixLength(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, limit: Int
) -> Int {
    var length = 0
    while length + 8 <= limit {
        let x = unsafe UnsafeRawPointer(a + length).loadUnaligned(as: UInt64.self)
        let y = unsafe UnsafeRawPointer(b + length).loadUnaligned(as: UInt64.self)
        if x != y { return length + (UInt64(littleEndian: x ^ y).trailingZeroBitCount >> 3) }
        length += 8
    }
    while length < limit, unsafe a[length] == b[length] { length += 1 }
    return length
}
