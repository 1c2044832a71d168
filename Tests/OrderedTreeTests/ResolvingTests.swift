import TestSupport
import Testing

@testable import OrderedTree

@Suite("How often full keys are read")
struct ResolvingTests {
    /// Before: bulk-built rows whose keys differ within four bytes. Change: 2,000 searches and
    /// inserts.
    /// Expected: no key is read.
    @Test func noneWhenKeysDifferEarly() throws {
        let start = [UInt8](repeating: 0x61, count: 24)
        let index = ListTree(keyed: true)
        let section = index.beginSection()
        for id in 0..<10_000 {
            (start + bigEndian(UInt64(id * 2), 4)).withUnsafeBytes {
                index.append(id: Int64(id), key: $0, keyHash: 0)
            }
        }
        try index.finishBulk()
        for id in 0..<2_000 {
            let key = start + bigEndian(UInt64(id * 10 + 1), 4)
            let row = try index.insert(id: Int64(20_000 + id), key: key, in: section) { _ in throw ResolverFailed() }
            #expect(row == id * 5 + 1 + id)
        }
        #expect(index.checkInvariants().isEmpty)
    }

    /// Before: an index of rows whose keys have much in common. Change: searches. Expected: each
    /// reads at most one key, and visits few nodes.
    @Test(arguments: RandomTests.seeds(4..<5))
    func oneWhenAllTie(seed: UInt64) throws {
        let index = ListTree(keyed: true)
        let section = index.insertSection(at: 0)
        var keys: [Int64: [UInt8]] = [:]
        var random = SeededRandom(seed: seed)
        let names = (0..<4_000).shuffled(using: &random)
        for (id, name) in names.enumerated() {
            let key = (name % 2 == 0 ? [1] : [2]) + [UInt8](repeating: 0, count: 9)
            let whole = key + bigEndian(UInt64(name), 3)
            keys[Int64(id)] = whole
            _ = try index.insert(id: Int64(id), key: whole, in: section) { keys[$0] ?? [] }
        }
        #expect(index.checkInvariants(key: { keys[$0] ?? [] }).isEmpty)
        var reads = 0
        let visited = index.nodesVisited
        for id in 0..<1_000 {
            let key = keys[Int64(id)] ?? []
            let row = try index.lowerBound(of: key, in: section) {
                reads += 1
                return keys[$0] ?? []
            }
            #expect(index.row(section: section, at: row) == Int64(id))
        }
        #expect(reads <= 1_000)
        #expect(index.nodesVisited - visited < 1_000 * 8)
    }

    /// Before: a row whose key has changed without an edit of the index. Change: a search that
    /// reads it. Expected: the search is refused, and not misled.
    @Test func changedKeyIsNoticed() throws {
        var model = ModelledRows()
        model.insertSection(at: 0)
        try model.insert([5, 5, 5, 5, 5, 1], in: 0)
        try model.insert([5, 5, 5, 5, 5, 3], in: 0)
        #expect(throws: OrderedTreeError.self) {
            _ = try model.index.lowerBound(of: [5, 5, 5, 5, 5, 3], in: model.sections[0].id) { _ in [1] }
        }
    }
}
