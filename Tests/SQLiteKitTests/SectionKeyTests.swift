import TestSupport
import Testing

@testable import SQLiteKit

@Suite("Keys of sections")
struct SectionKeyTests {
    /// Before: two byte strings around the length that needs no memory, often alike, with zeros at
    /// the end. Expected: their keys have the same bytes, are equal and hash alike where these do,
    /// and sort as these do.
    @Test(arguments: RandomTests.seeds(0..<4))
    func areTheirBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let bytes = (0..<random.pick([0, 1, 8, 9, 15, 16, 17, 40])).map { _ in UInt8(random.below(2)) }
            var other = bytes
            switch random.below(4) {
            case 0: other.append(0)
            case 1: _ = other.popLast()
            case 2: if !other.isEmpty { other[random.below(other.count)] ^= 1 }
            default: break
            }
            let (key, otherKey) = (key(bytes), key(other))
            #expect(key.withUnsafeBytes { [UInt8]($0) } == bytes)
            #expect(key.count == bytes.count)
            #expect((key == otherKey) == (bytes == other))
            #expect(other.withUnsafeBytes { key.consists(of: $0) } == (bytes == other))
            #expect((Set([key]).contains(otherKey)) == (bytes == other))
            #expect(key.precedes(otherKey) == bytes.lexicographicallyPrecedes(other))
        }
    }

    private func key(_ bytes: [UInt8]) -> SectionKey { bytes.withUnsafeBytes { SectionKey($0) } }
}
