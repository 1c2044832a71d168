import Glibc

/// What is known of a row's key: some leading bytes of the key extended with zeros for ever.
///
/// Order of zero-extended keys never contradicts the order of the keys; it can only tie where
/// the keys do not. So every comparison here either decides rightly or reports a tie.
///
/// Unsafe, as it borrows the bytes: it must not outlive them.
@unsafe struct LeadingBytes {
    /// The first `count` bytes; the four bytes of `head` follow, then zeros.
    let bytes: UnsafePointer<UInt8>?
    @safe let count: Int
    @safe let head: UInt32
    /// Bytes at this offset and beyond are not known.
    @safe let known: Int

    init(wholeKey key: UnsafeRawBufferPointer) {
        unsafe bytes = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = key.count
        head = 0
        known = .max
    }

    init(prefix: UnsafePointer<UInt8>, count: Int, head: UInt32) {
        unsafe bytes = prefix
        self.count = count
        self.head = head
        known = count + 4
    }

    /// Exactly these bytes are known.
    init(part: UnsafeRawBufferPointer) {
        unsafe bytes = part.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = part.count
        head = 0
        known = part.count
    }

    @safe var isWhole: Bool { known == .max }

    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        if offset < count, let bytes = unsafe bytes { return unsafe bytes[offset] }
        let place = offset - count
        return place < 4 ? UInt8(truncatingIfNeeded: head >> UInt32(24 - 8 * place)) : 0
    }

    /// The four bytes at `offset`, which must be known, as a big-endian number.
    @inline(__always)
    func head(at offset: Int) -> UInt32 {
        if offset + 4 <= count, let bytes = unsafe bytes {
            let raw = unsafe UnsafeRawPointer(bytes + offset)
            return unsafe UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))
        }
        var value: UInt32 = 0
        for place in offset..<(offset + 4) { value = unsafe value << 8 | UInt32(self[place]) }
        return value
    }

    /// How many of the `limit` bytes at `other` stand at the start of this key, as far as known.
    @inline(__always)
    func commonLength(with other: UnsafePointer<UInt8>, limit: Int) -> Int {
        let end = min(limit, known)
        var length = 0
        if let bytes = unsafe bytes {
            let direct = min(end, count)
            length = unsafe commonPrefixLength(bytes, other, limit: direct)
            if length < direct { return length }
        }
        while length < end, unsafe self[length] == other[length] { length += 1 }
        return length
    }

    /// Where two keys first differ; nil when what is known of them ties.
    func firstDifference(from other: LeadingBytes) -> Int? {
        var length = 0
        if let bytes = unsafe bytes, let theirs = unsafe other.bytes {
            length = unsafe commonPrefixLength(bytes, theirs, limit: min(count, other.count))
        }
        let end = min(known, other.known, max(count, other.count) + 4)
        while length < end {
            if unsafe self[length] != other[length] { return length }
            length += 1
        }
        return nil
    }

    /// True only when it is certain that this key sorts after `other`.
    func isKnownAfter(_ other: LeadingBytes) -> Bool {
        guard let place = unsafe firstDifference(from: other) else { return false }
        return unsafe self[place] > other[place]
    }
}

/// Length of the longest common prefix of two byte strings, at most `limit`.
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

/// The order of full keys: by bytes, a key before its extensions.
@inline(__always)
func sorts(_ a: UnsafeRawBufferPointer, before b: UnsafeRawBufferPointer) -> Bool {
    let shared = min(a.count, b.count)
    if shared > 0, let left = a.baseAddress, let right = b.baseAddress {
        let order = unsafe memcmp(left, right, shared)
        if order != 0 { return order < 0 }
    }
    return a.count < b.count
}
