import SQLiteKit
import Testing

@Suite struct ByteComparisonTests {
    /// Before: all strings of at most three bytes out of three. Change: each is compared with each.
    /// Expected: the order and the equality of arrays.
    @Test func ordersLikeArrays() {
        var strings: [[UInt8]] = [[]]
        for first in 0..<13 { strings += [0, 127, 255].map { strings[first] + [$0] } }
        for a in strings {
            for b in strings {
                a.withUnsafeBytes { bytes in
                    b.withUnsafeBytes { others in
                        #expect(bytes.precedes(others) == a.lexicographicallyPrecedes(b), "\(a), \(b)")
                        #expect(bytes.hasSameBytes(as: others) == (a == b), "\(a), \(b)")
                    }
                }
            }
        }
        #expect(Set(strings).count == 40)
    }
}
