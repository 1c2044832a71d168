/// The key of a row that has no sort values, so that its id alone determines its place: the eight
/// bytes of the id, arranged so that they compare as ids do. `KeyEncoder.append(rowid:)` of
/// SQLiteKit makes the same bytes.
struct IDKey: BitwiseCopyable {
    static let count = 8

    /// The first byte is the highest.
    private let bytes: UInt64

    @inline(__always)
    init(_ id: Int64) { bytes = UInt64(bitPattern: id ^ .min) }

    /// The number of first bytes that two keys have in common.
    @inline(__always)
    func commonLength(with other: IDKey) -> Int { (bytes ^ other.bytes).leadingZeroBitCount >> 3 }

    /// The bytes at an offset.
    @inline(__always)
    func fragment(at offset: Int) -> Fragment {
        let rest = IDKey.count - offset
        return Fragment(
            bytes: UInt32(truncatingIfNeeded: (bytes << UInt64(8 * offset)) >> 32), count: min(4, rest), isEnd: rest < 4
        )
    }

    /// Whether all keys of a leaf are shallow if they have that many bytes in common, and continue
    /// after these. Neighbouring ids mostly are.
    static func areShallow(after prefixCount: Int) -> Bool {
        prefixCount < count && prefixCount + Mark.shallow >= count - 1
    }

    /// The mark of the key in a leaf where all keys are shallow.
    @inline(__always)
    func shallowMark(depth: Int, _ prefixCount: Int) -> Mark {
        let rest = IDKey.count &- prefixCount
        let head = UInt32(truncatingIfNeeded: (bytes &<< UInt64(8 &* prefixCount)) &>> 32)
        return Mark(distance: depth &- prefixCount, head: head, known: rest < 4 ? 4 &+ rest : 4)
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withUnsafeBytes(of: bytes.bigEndian, body)
    }
}
