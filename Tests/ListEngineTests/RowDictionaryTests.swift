import SQLiteKit
import Testing

@testable import ListEngine

@Suite struct RowTableTests {
    /// Random sets and removals of ids that are close together, far apart or share bits, few or
    /// many, compared with a dictionary.
    @Test(arguments: [1, 256, -1_000_000_007, 1 << 32]) func holdsWhatADictionaryHolds(distance: Int64) {
        var random = SystemRandomNumberGenerator()
        for size in [3, 20, 300] {
            var table = RowDictionary<Int>()
            var model: [Int64: Int] = [:]
            for step in 0..<(size * 20) {
                let id = Int64.random(in: 0..<Int64(size), using: &random) &* distance
                if Int.random(in: 0..<3, using: &random) == 0 {
                    #expect(table.remove(id) == model.removeValue(forKey: id))
                } else {
                    table.set(id, step)
                    model[id] = step
                }
                guard step % size == 0 else { continue }
                #expect(table.count == model.count)
                #expect(Dictionary(uniqueKeysWithValues: zip(table.ids, table.values)) == model)
                for id in 0..<Int64(size) { #expect(table[id &* distance] == model[id &* distance]) }
            }
            table.removeAll()
            #expect(table.count == 0 && model.keys.allSatisfy { table.index(of: $0) == nil })
        }
    }

    @Test func hasTheOrderInWhichRowsWereAdded() {
        var table = RowDictionary<Int64>()
        for id in (0..<100).reversed() { table.add(Int64(id), Int64(id) * 2) }
        #expect(table.ids == (0..<100).reversed().map(Int64.init))
        #expect(table.values == table.ids.map { $0 * 2 })
    }

    /// Before: a table of few or many rows, and another one of the same rows. Change: an edit of
    /// one of the two. Expected: the other one stays as it was.
    @Test(arguments: [0, 3, 100]) func tablesOfTheSameRowsAreIndependent(count: Int64) {
        var table = RowDictionary<Int64>()
        for id in 0..<count { table.add(id * 7, id) }
        var other = table.mapValues { "\($0)" }
        #expect(other.ids == table.ids && other.values == (0..<count).map(String.init))
        #expect((0..<count).allSatisfy { other[$0 * 7] == "\($0)" } && other[-1] == nil)
        other.set(-1, "new")
        table.set(-2, -2)
        #expect(other.remove(0) == (count > 0 ? "0" : nil) && table[0] == (count > 0 ? 0 : nil))
        #expect(table[-1] == nil && other[-2] == nil && table[-2] == -2 && other[-1] == "new")
    }
}

@Suite struct ContentCacheTests {
    @Test func hashesStayOfContentsThatWereDropped() {
        let cache = ContentCache(limit: 10, byteLimit: .max)
        let contents = (0..<100).map { RowValues([.integer($0)]) }
        for id in 0..<100 { cache.insert(Int64(id), contents[id]) }
        #expect((0..<100).filter { cache.contains($0) }.count <= 10 && cache.contains(99))
        #expect(cache.ids.sorted() == Array(0..<100))
        #expect((0..<100).allSatisfy { cache.fingerprint(of: Int64($0)) == contents[$0].fingerprint })
        let other = RowValues(["other"])
        for id in [Int64(3), 99] { cache.update(id, other) }
        #expect(cache.fingerprint(of: 3) == other.fingerprint && cache.fingerprint(of: 99) == other.fingerprint)
        cache.update(1000, other)
        cache.noteGiven(4, other)
        cache.noteGiven(1001, other)
        for id in [Int64(5), 98] { cache.remove(id) }
        #expect(cache.fingerprint(of: 1000) == nil && cache.fingerprint(of: 4) == contents[4].fingerprint)
        #expect(cache.ids.sorted() == (0..<100).filter { $0 != 5 && $0 != 98 } + [1001])
        cache.limit = 2
        #expect(!cache.contains(99) && cache.fingerprint(of: 99) == other.fingerprint)
    }
}
