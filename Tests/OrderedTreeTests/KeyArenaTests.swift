import TestSupport
import Testing

@testable import OrderedTree

@Suite("An arena of keys")
struct KeyArenaTests {
    /// Before: none. Change: many copies of keys of 0 to 200,000 bytes, which fill several chunks.
    /// Expected: each copy still has the bytes of its key, so none was moved or written over.
    @Test(arguments: 1...4) func copiesStay(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var arena = KeyArena()
        var keys: [(key: [UInt8], copy: UnsafeRawBufferPointer)] = []
        for _ in 0..<2_000 {
            let limit = [1, 20, 300, 5_000, 200_000][min(random.below(6), random.below(6), 4)]
            let key = [UInt8](repeating: UInt8(random.below(256)), count: random.below(limit + 1))
            keys.append((key, arena.copy(key)))
        }
        #expect(keys.allSatisfy { $0.copy.elementsEqual($0.key) })
    }
}
