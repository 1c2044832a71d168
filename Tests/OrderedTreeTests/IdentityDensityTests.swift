import OrderedTree
import Testing

/// Ids that are close together and ids that are not are looked up in different ways, with the same
/// results.
@Suite struct IdentityDensityTests {
    private func rows(_ ids: [Int64]) throws -> ListTree {
        let rows = ListTree(keyed: false, leafCapacity: 4, fanout: 4)
        _ = rows.beginSection()
        for id in ids { rows.append(id: id, key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: 0) }
        try rows.finishBulk()
        return rows
    }

    private func expect(_ rows: ListTree, shows ids: [Int64]) {
        #expect(rows.checkInvariants() == [])
        for (row, id) in ids.enumerated() { #expect(rows.place(of: id)?.row == row, "\(id)") }
    }

    @Test(arguments: [
        [1, 2, 3, 4, 5, 6, 7, 8], [-4, -3, -2, -1, 0, 1], [.min, .max, 0], [10, 1_000_000, 20, 2_000_000_000_000],
    ])
    func everyIdIsFound(ids: [Int64]) throws {
        let rows = try rows(ids)
        expect(rows, shows: ids)
        #expect(rows.place(of: 9_999_999) == nil)
    }

    @Test func aDenseListTakesIdsFarAwayAndBelow() throws {
        var ids = (1...40).map(Int64.init)
        let rows = try rows(ids)
        let section = rows.section(at: 0)
        for id in [Int64.max, .min, 0, -7, 41, 1 << 40, 42] {
            try rows.insert(DetachedRow(id: id, keyHash: 0), in: section, at: ids.count)
            ids.append(id)
            expect(rows, shows: ids)
        }
        for id in [Int64.max, 3, 0, 40, .min] {
            #expect(rows.remove(id: id) != nil)
            #expect(rows.remove(id: id) == nil)
            ids.removeAll { $0 == id }
            expect(rows, shows: ids)
        }
    }

    @Test func aListGrowsDenseFromNothing() throws {
        let rows = try rows([])
        var ids: [Int64] = []
        for id in (1...200).map(Int64.init) {
            try rows.insert(DetachedRow(id: id * 3, keyHash: 0), in: rows.section(at: 0), at: 0)
            ids.insert(id * 3, at: 0)
        }
        expect(rows, shows: ids)
    }

    @Test(arguments: [[1, 2, 2], [5, 5_000_000_000, 5]]) func anIdGivenTwiceIsRefused(ids: [Int64]) {
        #expect(throws: OrderedTreeError.self) { try rows(ids) }
    }

    /// Before: a dense list whose ids end just before the least or the greatest possible one.
    /// Change: an id at the end, then others far away. Expected: all are found.
    @Test(arguments: [(Int64.max - 10, Int64.max), (Int64.min + 10, Int64.min)])
    func aDenseListReachesTheLastIds(first: Int64, last: Int64) throws {
        let rows = try rows([first])
        var ids = [first]
        for id in [last, 5, first < 0 ? first - 1 : first + 1, -5] {
            try rows.insert(DetachedRow(id: id, keyHash: 0), in: rows.section(at: 0), at: ids.count)
            ids.append(id)
            expect(rows, shows: ids)
        }
    }
}
