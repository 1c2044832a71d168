/// The bytes of a section's key, which sort as the sections do. Up to 16 bytes, as for numbers and
/// short words, need no memory of their own.
package enum SectionKey: Hashable, Sendable {
    /// Up to 16 bytes, and zeros.
    case short(UInt64, UInt64, count: UInt8)
    /// More bytes.
    case long([UInt8])

    package init(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= 16 else {
            self = unsafe .long([UInt8](bytes))
            return
        }
        let words = unsafe Self.words(bytes)
        self = .short(words.0, words.1, count: UInt8(bytes.count))
    }

    /// Up to 16 bytes as they lie in memory, and zeros.
    @inline(__always)
    private static func words(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        unsafe Swift.withUnsafeMutableBytes(of: &words) { unsafe $0.copyMemory(from: bytes) }
        return words
    }

    /// The key of a section with a value.
    package init(_ value: RowValues, _ component: KeyComponent) {
        var encoder = KeyEncoder()
        encoder.append(value, 0, component)
        unsafe self.init(encoder.bytes)
    }

    /// The key of a section without a value.
    package static let empty = unsafe SectionKey(UnsafeRawBufferPointer(start: nil, count: 0))

    package var count: Int {
        switch self {
        case .short(_, _, let count): Int(count)
        case .long(let bytes): bytes.count
        }
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self {
        case .short(let first, let second, let count):
            unsafe try Swift.withUnsafeBytes(of: (first, second)) { words in
                unsafe try body(UnsafeRawBufferPointer(rebasing: words[..<Int(count)]))
            }
        case .long(let bytes): unsafe try bytes.withUnsafeBytes(body)
        }
    }

    /// Whether it has these bytes.
    package func consists(of bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .short(let first, let second, let count):
            guard bytes.count == Int(count) else { return false }
            return unsafe Self.words(bytes) == (first, second)
        case .long(let own): return unsafe own.withUnsafeBytes { unsafe $0.hasSameBytes(as: bytes) }
        }
    }

    /// Whether these bytes sort before other bytes.
    package func precedes(_ other: SectionKey) -> Bool {
        unsafe withUnsafeBytes { bytes in unsafe other.withUnsafeBytes { unsafe bytes.precedes($0) } }
    }
}
