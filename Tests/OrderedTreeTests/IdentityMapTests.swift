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
                #expect(index.remove(id: id)?.row.id == id)
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
    /// found in its leaf, and no other id is. Wide tags alone nearly always lead to the right leaf.
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
        var presumed = 0
        for (id, leaf) in expected {
            let found = ids.find(id, in: table)?.leaf
            #expect(found == leaf)
            let first = ids.presumedLeaf(of: id)
            #expect(first != nil)
            if first == leaf { presumed += 1 }
        }
        // With wide tags, which few leaves allow, hardly two rows have the same.
        #expect(leaves > 0 || presumed >= expected.count - 2)
    }

    /// Leaves with ids in the given order.
    private func leaves(of ids: [Int64], _ random: inout SeededRandom) -> LeafTable {
        var table = LeafTable()
        let none = KeyBytes(UnsafeRawBufferPointer(start: nil, count: 0))
        var rest = ids[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + random.below(100))
            rest = rest.dropFirst(part.count)
            let leaf = table.create(capacity: part.count, prefix: none, prefixCount: 0)
            for (index, id) in part.enumerated() { table.insert(id: id, hash: 0, into: leaf, at: index) }
        }
        return table
    }

    /// Ids whose hashes are anywhere, or near the greatest one, so that slots at the end and then
    /// those at the beginning are taken.
    private func ids(_ count: Int, areLast: Bool, _ random: inout SeededRandom) -> [Int64] {
        var ids = Set<Int64>()
        while ids.count < count {
            let id = Int64(bitPattern: random.next())
            if !areLast || HashedIdentities.hash(id) > 0xffc0_0000 { ids.insert(id) }
        }
        return Array(ids)
    }

    /// Before: leaves with rows. Change: a table is filled with all of them. Expected: each row is
    /// found in its leaf, before and after others are inserted and removed.
    @Test(arguments: [(0, false), (1, false), (16, true), (100, true), (5000, false), (20_000, false)])
    func aFilledTableFindsAllRows(count: Int, areLast: Bool) {
        var random = SeededRandom(seed: UInt64(count))
        let all = ids(count + 10, areLast: areLast, &random)
        let filled = Array(all[..<count])
        var table = leaves(of: filled, &random)
        var identities = HashedIdentities(count: count + 10, leaves: table.used)
        let twice = identities.fill(count: count, from: table)
        #expect(twice == nil)
        func expectFound() {
            let (held, missing) = (identities.count, all.filter { identities.find($0, in: table) == nil })
            #expect(held == count && missing.sorted() == all[count...].sorted())
            for leaf in 0..<table.used {
                for index in 0..<table.count(leaf) {
                    let found = identities.find(table[id: leaf, index], in: table)
                    #expect(found?.leaf == leaf && found?.index == index)
                }
            }
        }
        expectFound()
        let leaf = table.create(
            capacity: 10, prefix: KeyBytes(UnsafeRawBufferPointer(start: nil, count: 0)), prefixCount: 0)
        for (index, id) in all[count...].enumerated() {
            table.insert(id: id, hash: 0, into: leaf, at: index)
            identities.insert(id, leaf: leaf)
        }
        for id in all[count...] {
            let found = identities.find(id, in: table)?.leaf
            #expect(found == leaf)
            identities.remove(id, leaf: leaf)
            if let index = table.index(of: id, in: leaf, count: table.count(leaf)) {
                table.remove(at: index, from: leaf)
            }
        }
        expectFound()
    }

    /// Before: leaves in which one id occurs twice, anywhere. Change: a table is filled with all
    /// rows. Expected: it returns that id.
    @Test(arguments: RandomTests.seeds(0..<30)) func aFilledTableFindsAnIDThatOccursTwice(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var all = ids(2 + random.below(seed % 3 == 0 ? 9000 : 200), areLast: seed % 3 == 1, &random)
        let id = random.pick(all)
        all.insert(id, at: random.below(all.count + 1))
        let table = leaves(of: all, &random)
        var identities = HashedIdentities(count: all.count, leaves: table.used)
        let twice = identities.fill(count: all.count, from: table)
        #expect(twice == id)
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
