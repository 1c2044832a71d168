/// What stands beside the four bytes of a fragment in a leaf: how far behind the leaf's prefix the key begins to differ
/// from the one before it, and which of the bytes are known.
struct Mark: BitwiseCopyable {
    /// The distance, and below it three bits: so many known bytes, or 4 and so many bytes before the end of the key.
    let raw: UInt16

    /// Of a key that has more in common with the one before it than can be noted. Nothing else is known of it.
    static let far = Mark(raw: .max << 3)
    /// The greatest distance that is noted.
    static let greatestDistance = 8_000
    /// Rows up to this distance are shallow: their fragments begin where the prefix ends.
    static let shallow = 3

    @inline(__always)
    init(raw: UInt16) { self.raw = raw }

    init(distance: Int, _ fragment: Fragment) {
        // A key that ends where its leaf's prefix ends can only be the first one, which has no distance.
        if fragment.isEnd && fragment.count == 0 {
            raw = 1 << 3
        } else {
            raw = UInt16(distance) << 3 | UInt16(fragment.isEnd ? 4 + fragment.count : fragment.count)
        }
    }

    @inline(__always)
    var distance: Int { Int(raw >> 3) }

    @inline(__always)
    var isShallow: Bool { raw < UInt16(Mark.shallow + 1) << 3 }

    @inline(__always)
    var isFar: Bool { raw == Mark.far.raw }

    /// The fragment with these bytes.
    @inline(__always)
    func fragment(_ bytes: UInt32) -> Fragment {
        let code = Int(raw & 7)
        return Fragment(bytes: bytes, count: code > 4 ? code - 4 : code, isEnd: code > 4 || raw == 1 << 3)
    }
}
