import TestSupport
import Testing

@testable import OrderedTree

@Suite("From id to place")
struct IdentityMapTests {
    /// Before: ids at the extremes and adjacent ones. Change: thousands of inserts and removals, so
    /// that the map grows and is cleaned up. Expected: contained ids are found, others are not.
    @Test(arguments: RandomTests.seeds(0..<6))
    func findsContainedIds(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let index = ListTree(keyed: false, leafCapacity: 64, fanout: 8)
        let section = index.insertSection(at: 0)
        var held = Set<Int64>()
        for step in 0..<6_000 {
            let edge = random.below(3)
            let near = Int64(random.below(900))
            let id = edge == 0 ? .min + near : edge == 1 ? .max - near : near
            if held.remove(id) != nil {
                #expect(index.remove(id: id)?.id == id)
            } else {
                held.insert(id)
                try index.insert(
                    DetachedRow(id: id, keyHash: 0), in: section, at: random.below(index.rowCount + 1))
            }
            #expect(index.contains(id) == held.contains(id))
            if step % 500 == 0 { #expect(index.checkInvariants().isEmpty, "seed \(seed)") }
        }
        #expect(index.rowCount == held.count)
        for id in held { #expect(index.contains(id)) }
        index.removeSection(section)
        #expect(index.rowCount == 0 && index.checkInvariants().isEmpty)
        for id in held { #expect(!index.contains(id)) }
    }
}
