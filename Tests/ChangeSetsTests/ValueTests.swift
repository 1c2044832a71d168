import TestSupport
import Testing

@testable import ChangeSets

@Suite struct Values {
    @Test func pathsOrderBySectionThenRow() {
        let paths = [(0, 0), (0, 5), (1, 0), (2, 3)].map { ListIndexPath(section: $0, row: $1) }
        #expect(paths.shuffled().sorted() == paths)
        #expect(paths[1].description == "(0, 5)")
    }

    @Test func recordsAreCompact() {
        #expect(MemoryLayout<SectionChange>.stride == 32)
        #expect(MemoryLayout<ObjectChange>.stride == 48)
        #expect(MemoryLayout<ObjectChanges.Run>.stride == 48)
        #expect(MemoryLayout<SequentialStep>.stride == 48)
    }

    /// Before: records whose neighbours have something in common, in part in an impossible
    /// order.
    /// Expected: each record, by its number and one after another; as few runs as possible.
    @Test func neighboursAreStoredTogether() {
        func path(_ row: Int) -> ListIndexPath { ListIndexPath(section: 0, row: row) }
        let records: [ObjectChange] = [
            .delete(9, at: path(7)), .delete(8, at: path(6)), .delete(7, at: path(4)),
            .insert(6, at: path(1)), .insert(5, at: path(2)),
            .move(4, from: path(9), to: path(3)), .move(3, from: path(1), to: path(4)),
            .insert(10, at: path(2)),
            .move(2, from: path(5), to: path(5), changedColumns: [1]), .move(1, from: path(2), to: path(6)),
            .update(11, from: path(0), to: path(7), changedColumns: [1]),
            .update(12, from: path(1), to: path(8), changedColumns: [1]),
            .update(13, from: path(3), to: path(9), changedColumns: [1]),
        ]
        let changes = ObjectChanges(records)
        #expect(Array(changes) == records)
        #expect(changes.indices.map { changes[$0] } == records)
        #expect(changes.runs.map(\.start) == [0, 2, 3, 5, 7, 8, 9, 10, 12])
        #expect(changes == ObjectChanges(records) && changes.hashValue == ObjectChanges(records).hashValue)
        #expect(changes != ObjectChanges(records.dropLast()))
        #expect(Array(changes.shifted(old: 1, new: 2)) == records.map { $0.shifted(old: 1, new: 2) })
    }

    /// Before: runs of each type, in two sections.
    /// Expected: the moves and updates in each part of the new list; the records of any rows.
    @Test func recordsAreFoundByPlaceAndByRow() {
        func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }
        let set = ChangeSet(
            objectChanges: [
                .delete(9, at: path(0, 7)), .delete(8, at: path(0, 6)), .insert(7, at: path(0, 1)),
                .insert(6, at: path(0, 2)), .move(5, from: path(1, 5), to: path(0, 4)),
                .move(4, from: path(0, 1), to: path(0, 5)), .move(3, from: path(0, 9), to: path(1, 2)),
                .update(2, from: path(0, 3), to: path(0, 3), changedColumns: [1]),
                .update(1, from: path(1, 0), to: path(1, 0), changedColumns: [1]),
                .update(0, from: path(1, 1), to: path(1, 1), changedColumns: [1]),
            ])
        let places = (0..<2).flatMap { section in (0..<7).map { path(section, $0) } }
        for first in places {
            for end in places where first <= end {
                let expected = set.objectChanges.filter { change in
                    (change.type == .move || change.type == .update) && first <= change.rawNew && change.rawNew < end
                }
                #expect(set.changes(at: first..<end) == expected)
            }
        }
        for rows in 0..<1 << 11 {
            let wanted = Set((0..<11).filter { rows & 1 << $0 != 0 }.map(Int64.init))
            #expect(set.objectChanges.records(of: wanted) == set.objectChanges.filter { wanted.contains($0.id) })
        }
    }

    @Test func aColumnSetHoldsAnyColumn() {
        let set: ColumnSet = [3, 63, 64, 700]
        #expect([3, 63, 64, 700].allSatisfy(set.contains))
        #expect([0, 62, 65, 699, 701, 5000, -1].allSatisfy { !set.contains($0) })
        #expect(set.columns == [3, 63, 64, 700])
        #expect(ColumnSet([-4]).isEmpty)
    }

    @Test func equalColumnSetsAreEqualHoweverMade() {
        #expect(ColumnSet([1, 700]).union([80]) == ColumnSet([80]).union([700, 1]))
        #expect(ColumnSet([1, 700]).union([80]).columns == [1, 80, 700])
        #expect(ColumnSet([1]).union([80]) == [80, 1])
        #expect(ColumnSet(lowBits: 0b101) == [0, 2])
        #expect(ColumnSet([80]) != [])
    }

    @Test func bit63OfTheMaskStandsForAllBeyond() {
        #expect(ColumnSet([0, 5]).lowMask == 0b100001)
        #expect(ColumnSet([63]).lowMask == UInt64(1) << 63)
        #expect(ColumnSet([0, 900]).lowMask == UInt64(1) << 63 | 1)
        #expect(ColumnSet.unknown.lowMask == .max)
    }

    @Test func anUnknownSetContainsEveryColumn() {
        let unknown = ColumnSet.unknown
        #expect(unknown.isUnknown && !unknown.isEmpty && unknown.columns == nil)
        #expect([0, 63, 64, 10_000].allSatisfy(unknown.contains))
        #expect(ColumnSet([1, 90]).union(.unknown) == unknown)
        #expect(unknown.union([1, 90]) == unknown)
        #expect(ColumnSet(lowBits: .max) != unknown)
        #expect(!ColumnSet([90]).isUnknown)
    }

    @Test func theLongestIncreasingSubsequenceIsLongestAndIncreasing() {
        func longest(_ values: [UInt64?]) -> [Int32] {
            longestIncreasingSubsequence(count: values.count) { values[$0] }
        }
        #expect(longest([]) == [])
        #expect(longest([nil]) == [])
        #expect(longest([4, 4, 4]).count == 1)
        #expect(longest([1, 2, 9]) == [0, 1, 2])
        #expect(longest([3, 1, 2, 0, 5]) == [1, 2, 4])
        #expect(longest([3, nil, 1, nil, 2, 0, 5]) == [2, 4, 6])
    }

    @Test(arguments: RandomTests.seeds(5..<6))
    func noIncreasingSubsequenceIsLonger(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let values = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt64.random(in: 0...9, using: &random)
            }
            let kept = longestIncreasingSubsequence(count: values.count) { values[$0] }.map { values[Int($0)] }
            #expect(zip(kept, kept.dropFirst()).allSatisfy(<))
            let longest = (0..<1 << values.count).map { subset -> Int in
                let chosen = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
                return zip(chosen, chosen.dropFirst()).allSatisfy(<) ? chosen.count : 0
            }.max()
            #expect(kept.count == longest)
        }
    }

    @Test(arguments: RandomTests.seeds(6..<7))
    func sortingByKeyIsStableAndRight(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<200 {
            let count = round < 100 ? round : round * 20
            let bits = [3, 12, 40, 64][round % 4]
            let keys = (0..<count).map { _ in UInt64.random(in: 0...UInt64.max >> UInt64(64 - bits), using: &random) }
            var entries = keys.enumerated().map { OrderedKey(key: $1, item: Int32($0)) }
            entries.sortByKey()
            let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
            #expect(entries.map { Int($0.item) } == expected)
        }
    }
}
