/// Up to four neighbouring bytes of a key, and whether the key ends after them.
///
/// A key that ends differs from one that continues with zeros, so that known bytes always decide
/// correctly.
struct Fragment: BitwiseCopyable, Equatable, Sendable {
    /// The first byte is the highest; zeros where no bytes are known.
    let bytes: UInt32
    /// How many bytes are known.
    let count: Int
    /// Whether the key ends after them. This is unknown for four bytes.
    let isEnd: Bool

    static let unknown = Fragment(bytes: 0, count: 0, isEnd: false)

    @inline(__always)
    init(bytes: UInt32, count: Int, isEnd: Bool) {
        self.bytes = bytes
        self.count = count
        self.isEnd = isEnd
    }

    /// The bytes of a key at an offset.
    init(_ key: KeyBytes, at offset: Int) {
        let rest = max(0, key.count - offset)
        unsafe self.init(bytes: key.head(at: offset), count: min(4, rest), isEnd: key.isWhole && rest < 4)
    }

    /// Whether the bytes that are not known are zeros.
    @inline(__always)
    var isSound: Bool { bytes << UInt32(8 * count) == 0 }

    /// The first byte, which must be known.
    @inline(__always)
    var first: UInt8 { UInt8(truncatingIfNeeded: bytes >> 24) }

    /// Without the first `places` bytes, which must be known.
    @inline(__always)
    func dropping(_ places: Int) -> Fragment {
        Fragment(bytes: bytes << UInt32(8 * places), count: count - places, isEnd: isEnd)
    }

    /// The fragment with only the first `places` bytes known.
    func limited(to places: Int) -> Fragment {
        if isEnd ? places > count : places >= count { return self }
        let unused = UInt32(8 * (4 - places))
        return Fragment(bytes: (bytes >> unused) << unused, count: places, isEnd: false)
    }

    /// The bytes that are `places` after those of `start` in the same key, together with these;
    /// only those of `start` if a byte between is unknown.
    func following(_ start: Fragment, at places: Int) -> Fragment {
        guard start.count >= places, places < 4 else { return start }
        let begin = start.limited(to: places)
        let sum = places + count
        return Fragment(bytes: begin.bytes | bytes >> UInt32(8 * places), count: min(4, sum), isEnd: isEnd && sum < 4)
    }

    /// The order of a key that is compared with the key of the fragment.
    enum Order {
        /// Before or after it, with this number of bytes in common.
        case before(Int)
        case after(Int)
        case same
        /// All known bytes agree, and there are unknown ones. The number counts the bytes in
        /// common.
        case tied(Int)
    }

    /// Compares a whole key that agrees with the key of the fragment up to the offset.
    @inline(__always)
    func order(of key: KeyBytes, at offset: Int) -> Order {
        let head = unsafe key.head(at: offset)
        let rest = key.count - offset
        let shared = min((head ^ bytes).leadingZeroBitCount >> 3, min(count, rest))
        if shared == count {
            guard isEnd else { return .tied(shared) }
            return rest == count ? .same : .after(shared)
        }
        return shared == rest || head < bytes ? .before(shared) : .after(shared)
    }
}
