import SQLiteKit
import TestSupport
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

    /// Before: ASCII strings of up to 20 bytes. Change: one byte of each is 0x80 or more. Expected:
    /// it is noticed wherever it is.
    @Test func noticesEachByteThatIsNotASCII() {
        for count in 0...20 {
            let string = [UInt8](repeating: 127, count: count)
            #expect(isASCII(string))
            for place in 0..<count {
                var other = string
                other[place] = [128, 255][place % 2]
                #expect(!isASCII(other), "\(place) of \(count)")
            }
        }
    }

    private func isASCII(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { $0.isASCII } }

    /// Before: random strings of up to 20 bytes out of three. Change: their first words are
    /// compared with each other's. Expected: the order of the first 16 bytes, zeros for those that
    /// are missing.
    @Test(arguments: RandomTests.seeds(0..<4)) func firstWordsOrderLikeTheirBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let strings: [[UInt8]] = (0..<80).map { _ in
            let shared = [UInt8](repeating: 7, count: random.below(16))
            return shared + (0..<random.below(5)).map { _ in random.pick([0, 127, 255]) }
        }
        func padded(_ string: [UInt8]) -> [UInt8] { (string + [UInt8](repeating: 0, count: 16)).prefix(16) + [] }
        for a in strings {
            for b in strings {
                let (first, second) = (a.withUnsafeBytes(\.firstWords), b.withUnsafeBytes(\.firstWords))
                #expect((first < second) == padded(a).lexicographicallyPrecedes(padded(b)), "\(a), \(b)")
            }
        }
    }
}
