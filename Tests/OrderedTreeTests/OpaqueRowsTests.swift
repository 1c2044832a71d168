import TestSupport
import Testing

@testable import OrderedTree

@Suite("An opaque index")
struct OpaqueRowsTests {
    /// Before: an empty opaque index. Change: random inserts by the caller's comparison, and
    /// removals. Expected: the rows of plain arrays.
    @Test(arguments: RandomTests.seeds(0..<6))
    func randomEdits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model = ModelledRows(keyed: false)
        model.insertSection(at: 0)
        model.insertSection(at: 1)
        for _ in 0..<200 {
            let section = random.below(2)
            let rows = model.sections[section].rows
            if !rows.isEmpty, random.below(5) < 2 {
                let row = random.below(rows.count)
                model.index.remove(section: model.sections[section].id, at: row)
                model.sections[section].rows.remove(at: row)
            } else {
                let id = Int64(random.below(1_000_000))
                if model.index.contains(id) { continue }
                let row = model.index.lowerBound(in: model.sections[section].id) { $0 < id }
                try model.index.insert(
                    DetachedRow(id: id, keyHash: 1), in: model.sections[section].id, at: row)
                model.sections[section].rows.insert(id, at: row)
            }
            try #require(model.difference() == nil, "seed \(seed)")
            #expect(model.sections[section].rows.sorted() == model.sections[section].rows)
        }
    }

    /// Before: a row in each kind of index. Change: the same id again; a row whose key is unknown;
    /// a row that is certainly out of order. Expected: each is refused, and nothing changes.
    @Test func refusesImpossibleRows() throws {
        let opaque = ListTree(keyed: false)
        let section = opaque.insertSection(at: 0)
        let row = DetachedRow(id: 1, keyHash: 2)
        try opaque.insert(row, in: section, at: 0)
        #expect(throws: OrderedTreeError.duplicateRow(1)) { try opaque.insert(row, in: section, at: 1) }
        #expect(opaque.keyHash(of: 1) == 2 && opaque.rowCount == 1)

        var keyed = ModelledRows()
        keyed.insertSection(at: 0)
        try keyed.insert([5, 5, 5, 5, 5], in: 0)
        let other = keyed.sections[0].id
        let bare = DetachedRow(id: 9, keyHash: 0)
        #expect(throws: OrderedTreeError.unknownKey(9)) {
            try keyed.index.insert(bare, in: other, at: 0)
        }
        try keyed.insert([6, 6, 6, 6, 6], in: 0)
        let late = keyed.index.remove(section: other, at: 1)
        #expect(throws: OrderedTreeError.outOfOrder(late.id)) {
            try keyed.index.insert(late, in: other, at: 0)
        }
        try keyed.index.insert(late, in: other, at: 1)
        #expect(throws: OrderedTreeError.duplicateRow(late.id)) {
            _ = try keyed.index.insert(id: late.id, key: [7], in: other) { _ in [] }
        }
        #expect(keyed.index.rowCount(in: other) == 2)
    }
}
