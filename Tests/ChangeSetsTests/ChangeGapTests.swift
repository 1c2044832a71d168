import TestSupport
import Testing

@testable import ChangeSets

/// Where the new list has the places that rows left.
@Suite struct ChangeGapTests {
    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }

    @Test func placeOfADeletedRowIsThatOfTheNextOneThatStayed() {
        // a b c d e -> a x y e
        let gaps = ChangeGaps(
            ChangeSet(
                objectChanges: [
                    .delete(4, at: path(0, 3)), .delete(3, at: path(0, 2)), .delete(2, at: path(0, 1)),
                    .insert(8, at: path(0, 1)), .insert(9, at: path(0, 2)),
                ]))
        #expect([0, 1, 2, 3, 4].map { gaps.newPath(ofOld: path(0, $0)).row } == [0, 3, 3, 3, 3])
    }

    /// Before: a section of 5 rows, between sections that change as well. Any of the rows are
    /// deleted, and up to 3 are inserted at any places.
    /// Expected: the gap of each row is before the first row after it that stayed.
    @Test func gapsAreTheSameInRunsOfAnyLength() {
        let neighbours: [ObjectChange] = [.delete(90, at: path(2, 0)), .delete(91, at: path(0, 0))]
        for deleted in 0..<32 {
            let staying = (0..<5).filter { deleted & 1 << $0 == 0 }
            for length in staying.count...staying.count + 3 {
                for inserted in 0..<1 << length where inserted.nonzeroBitCount == length - staying.count {
                    let deletes = (0..<5).reversed().filter { deleted & 1 << $0 != 0 }
                    let inserts = (0..<length).filter { inserted & 1 << $0 != 0 }
                    let gaps = ChangeGaps(
                        ChangeSet(
                            objectChanges: ObjectChanges(
                                neighbours.prefix(1) + deletes.map { .delete(Int64($0), at: path(1, $0)) }
                                    + neighbours.suffix(1)
                                    + inserts.map { .insert(Int64($0 + 10), at: path(1, $0)) } + [
                                        .insert(92, at: path(2, 0))
                                    ])))
                    let places = (0..<length).filter { inserted & 1 << $0 == 0 } + [length]
                    let expected = (0...5).map { row in places[staying.count { $0 < row }] }
                    #expect((0...5).map { gaps.newPath(ofOld: path(1, $0)) } == expected.map { path(1, $0) })
                }
            }
        }
    }

    @Test func movedRowLeavesAGapAndTakesAPlace() {
        // a b c d e -> a c d e b
        let gaps = ChangeGaps(ChangeSet(objectChanges: [.move(2, from: path(0, 1), to: path(0, 4))]))
        #expect((0...5).map { gaps.newPath(ofOld: path(0, $0)).row } == [0, 1, 1, 2, 3, 5])
    }

    @Test func lastRowLeavesItsGapAtTheEndOfItsSection() {
        let gaps = ChangeGaps(ChangeSet(objectChanges: [.delete(2, at: path(1, 1))]))
        #expect(gaps.newPath(ofOld: path(1, 1)) == path(1, 1))
        #expect(gaps.newPath(ofOld: path(2, 0)) == path(2, 0))
    }

    @Test func rowsOfADeletedSectionAreAtTheNextOneThatStayed() {
        // | a b | c | d | -> | x | d |
        let gaps = ChangeGaps(
            ChangeSet(
                sectionChanges: [.delete(at: 1), .delete(at: 0), .insert(at: 0)],
                objectChanges: [
                    .delete(3, at: path(1, 0)), .delete(2, at: path(0, 1)), .delete(1, at: path(0, 0)),
                    .insert(9, at: path(0, 0)),
                ]))
        #expect(gaps.newPath(ofOld: path(0, 1)) == path(1, 0))
        #expect(gaps.newPath(ofOld: path(1, 0)) == path(1, 0))
        #expect(gaps.newPath(ofOld: path(2, 0)) == path(1, 0))
    }

    @Test func rowsOfAMovedSectionMoveWithIt() {
        let gaps = ChangeGaps(
            ChangeSet(sectionChanges: [.move(from: 0, to: 2)], objectChanges: [.delete(1, at: path(0, 0))]))
        #expect(gaps.newPath(ofOld: path(0, 1)) == path(2, 0))
        #expect(gaps.newPath(ofOld: path(1, 5)) == path(0, 5))
    }
}
