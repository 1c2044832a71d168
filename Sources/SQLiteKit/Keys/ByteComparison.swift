internal import Glibc

extension UnsafeRawBufferPointer {
    /// The first 16 bytes, with zeros for the missing ones, as numbers that compare as the
    /// bytes do.
    package var firstWords: (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        unsafe Swift.withUnsafeMutableBytes(of: &words) { words in
            unsafe words.copyMemory(from: UnsafeRawBufferPointer(rebasing: prefix(16)))
        }
        return (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
    }

    /// Whether all bytes are ASCII characters.
    package var isASCII: Bool {
        var (seen, offset) = (0 as UInt64, 0)
        while offset &+ 8 <= count {
            unsafe seen |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < count {
            unsafe seen |= UInt64(self[offset])
            offset &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Whether both have the same bytes. `elementsEqual` compares them one by one.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let bytes = baseAddress, let others = other.baseAddress else { return true }
        return unsafe memcmp(bytes, others, count) == 0
    }

    /// Whether these bytes sort before other bytes, as plain bytes.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let shared = Swift.min(count, other.count)
        guard shared > 0, let bytes = baseAddress, let others = other.baseAddress else {
            return count < other.count
        }
        let order = unsafe memcmp(bytes, others, shared)
        return order < 0 || order == 0 && count < other.count
    }
}
