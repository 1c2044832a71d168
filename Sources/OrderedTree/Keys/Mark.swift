/// The part of one key that a leaf stores, in six bytes: the bytes of a fragment, which of them are
/// known, and how far after the leaf's prefix the key begins to differ from the previous key.
struct Mark: BitwiseCopyable {
    // Halves, because a leaf has its marks adjacent, without gaps.
    private let low: UInt16
    private let high: UInt16
    /// The distance, and in the lowest three bits the number of known bytes, or 4 and the number of
    /// bytes before the end of the key.
    private let state: UInt16

    /// The mark of a row in an index without keys.
    static let none = Mark(0, state: 0)
    /// The mark of a key that has more in common with the previous key than a mark can store.
    /// Nothing else is known of it.
    static let far = Mark(0, state: .max << 3)
    /// The greatest distance that is stored.
    static let greatestDistance = 8_000
    /// Rows up to this distance are shallow: their fragments begin where the prefix ends.
    static let shallow = 3
    /// The mark of a key that ends where its leaf's prefix ends. It can only be the first key,
    /// which has no distance.
    private static let endsAtOnce: UInt16 = 1 << 3

    @inline(__always)
    private init(_ bytes: UInt32, state: UInt16) {
        low = UInt16(truncatingIfNeeded: bytes)
        high = UInt16(truncatingIfNeeded: bytes >> 16)
        self.state = state
    }

    init(distance: Int, _ fragment: Fragment) {
        if distance > Mark.greatestDistance {
            self = .far
        } else if fragment.isEnd && fragment.count == 0 {
            self.init(0, state: Mark.endsAtOnce)
        } else {
            let known = fragment.isEnd ? 4 + fragment.count : fragment.count
            self.init(fragment.bytes, state: UInt16(distance) << 3 | UInt16(known))
        }
    }

    /// The mark of a key that begins to differ from the previous one at most `greatestDistance`
    /// bytes after the prefix.
    ///
    /// - Parameter known: 4 if four bytes are known; 4 and the number of bytes if the key ends
    ///   after fewer, at least one.
    @inline(__always)
    init(distance: Int, head: UInt32, known: Int = 4) {
        self.init(head, state: UInt16(truncatingIfNeeded: distance &<< 3 | known))
    }

    @inline(__always)
    var distance: Int { Int(state >> 3) }

    @inline(__always)
    var isShallow: Bool { state < UInt16(Mark.shallow + 1) << 3 }

    @inline(__always)
    var isFar: Bool { state == Mark.far.state }

    /// Whether the mark of the first row of a leaf is possible: that row is shallow.
    var isSoundAsFirst: Bool { isShallow && fragment.isSound }

    /// Zero if all four bytes of the fragment are known, and the key does not end with them. A mark
    /// of a row that is not the first is sound then.
    @inline(__always)
    var lack: UInt16 { state & 7 ^ 4 }

    /// Whether the mark of any other row is possible: a byte at its depth is known, and bytes that
    /// are unknown are zeros. It has no branches, because each row of a cached list is checked.
    @inline(__always)
    var isSound: Bool { excess == 0 }

    /// Zero in a mark that is sound.
    @inline(__always)
    var excess: UInt64 {
        let known = UInt64(state & 7)
        let count = known > 4 ? known - 4 : known
        let needed = isShallow ? UInt64(state >> 3) : 0
        let isTooShort: UInt64 = count > needed ? 0 : 1
        return UInt64(head) &<< (8 &* count) & 0xffff_ffff | isTooShort & (isFar ? 0 : 1)
    }

    /// The bytes of the fragment.
    @inline(__always)
    var head: UInt32 { UInt32(high) << 16 | UInt32(low) }

    @inline(__always)
    var fragment: Fragment {
        let known = Int(state & 7)
        return Fragment(
            bytes: head, count: known > 4 ? known - 4 : known, isEnd: known > 4 || state == Mark.endsAtOnce)
    }
}
