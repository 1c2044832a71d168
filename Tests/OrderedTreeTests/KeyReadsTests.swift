import TestSupport
import Testing

@testable import OrderedTree

@Suite("How many keys are read to place a row")
struct KeyReadsTests {
    /// Before: rows in a bulk build. Change: other keys for the rows, one after the other.
    /// Expected: each change reads the key of at most one other row, and three of ten read none.
    @Test(arguments: PeoplesKeys.allCases, RandomTests.seeds(1..<2))
    func oneAtMost(kind: PeoplesKeys, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var keys: [Int64: [UInt8]] = [:]
        for id in 0..<Int64(4_000) { keys[id] = kind.make(id, &random) }
        let index = ListTree(keyed: true)
        let section = index.beginSection()
        for (id, key) in keys.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
            key.withUnsafeBytes { index.append(id: id, key: $0, keyHash: 0) }
        }
        try index.finishBulk()
        var histogram: [Int: Int] = [:]
        for _ in 0..<1_200 {
            let id = Int64(random.below(keys.count))
            index.remove(id: id)
            let key = kind.make(id, &random)
            var reads = 0
            keys[id] = key
            _ = try index.insert(id: id, key: key, in: section) {
                reads += 1
                return keys[$0] ?? []
            }
            histogram[reads, default: 0] += 1
        }
        #expect(index.checkInvariants { keys[$0] ?? [] } == [])
        #expect(histogram.keys.max() ?? 0 <= 1, "\(kind): \(histogram.sorted { $0.key < $1.key }), seed \(seed)")
        // Excerpts place the others.
        #expect(histogram[1, default: 0] < 840, "\(kind): \(histogram), seed \(seed)")
        #expect(index.bytesHeld < 26 * keys.count + (kind == .longPrefix ? 6 * keys.count : 0), "\(kind)")
    }
}
