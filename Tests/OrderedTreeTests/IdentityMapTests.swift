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

@Suite("Hash table of ids")
struct HashedIdentitiesTests {
    /// Before: a table for few or very many leaves, so that its tags are wide or narrow. Change:
    /// rows are inserted, move to other leaves, and are removed, at random. Expected: each row is
    /// found in its leaf, and no other id is.
    @Test(arguments: [0, 1 << 20, 1 << 25, 1 << 29, UInt32.max], RandomTests.seeds(0..<4))
    func findsRowsInTheirLeaves(leaves: UInt32, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = LeafTable()
        let none = KeyBytes(UnsafeRawBufferPointer(start: nil, count: 0))
        for _ in 0..<6 { _ = table.create(capacity: 200, prefix: none, prefixCount: 0) }
        var ids = HashedIdentities(count: 150, leaves: leaves)
        var expected: [Int64: UInt32] = [:]
        func take(_ id: Int64, from leaf: UInt32, _ table: inout LeafTable) {
            guard let index = table.index(of: id, in: leaf, count: table.count(leaf)) else { return }
            table.remove(at: index, from: leaf)
        }
        for _ in 0..<3_000 {
            let id = Int64(random.below(300)) &* 0x1234_5678_9abc
            let leaf = UInt32(random.below(6))
            switch (expected[id], random.below(2)) {
            case (nil, _):
                guard expected.count < 100, ids.hasRoom(leaves: leaves) else { continue }
                table.insert(id: id, hash: 0, into: leaf, at: 0)
                ids.insert(id, leaf: leaf)
                expected[id] = leaf
            case (let old?, 0):
                ids.remove(id, leaf: old)
                take(id, from: old, &table)
                expected[id] = nil
            case (let old?, _):
                take(id, from: old, &table)
                table.insert(id: id, hash: 0, into: leaf, at: 0)
                ids.relocate(id, from: old, to: leaf)
                expected[id] = leaf
            }
            let other = Int64(random.below(300)) &* 0x1234_5678_9abc
            let (found, count) = (ids.find(other, in: table)?.leaf, ids.count)
            #expect(found == expected[other] && count == expected.count)
        }
        for (id, leaf) in expected {
            let found = ids.find(id, in: table)?.leaf
            #expect(found == leaf)
        }
    }

    /// Before: a table that was made for some leaves. Change: there are more and more. Expected: as
    /// long as it has room for them, their numbers fit beside the tags.
    @Test(arguments: 0..<31) func numbersOfLeavesFitBesideTags(bits: Int) {
        let leaves = UInt32(1) << UInt32(bits)
        let tagBits = HashedIdentities.tagBits(leaves: leaves)
        #expect((2...8).contains(tagBits))
        let ids = HashedIdentities(count: 10, leaves: leaves)
        for more in [leaves, leaves + leaves / 2, leaves * 2 - 1, 1 << 25] {
            let hasRoom = ids.hasRoom(leaves: more)
            #expect(!hasRoom || (more + 10_000) >> (32 - tagBits) == 0 || tagBits == 2)
            #expect(hasRoom || more > leaves)
        }
    }
}
