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
