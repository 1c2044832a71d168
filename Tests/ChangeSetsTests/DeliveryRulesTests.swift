import Testing

@testable import ChangeSets

/// Each rule for the delivered records, as a small example: before, change, expected records.
@Suite struct DeliveryRules {
    private func section(_ id: Int32, _ rows: [ModelRow] = [], key: Int? = nil, content: Int = 0) -> ModelSection {
        ModelSection(id: id, key: key ?? Int(id), content: content, rows: rows)
    }

    private func row(_ id: Int64, _ key: Int, _ content: Int = 0) -> ModelRow {
        ModelRow(id: id, key: key, content: content)
    }

    /// The records between two lists, after a replay of all their encodings.
    private func records(
        _ old: [ModelSection], _ new: [ModelSection], location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let (old, new) = (old.inOrder, new.inOrder)
        let changes = Difference(from: old, to: new).changeSet
        #expect(faults(of: changes, from: old, to: new) == [], sourceLocation: location)
        return changes.sectionChanges.map(\.description) + changes.objectChanges.map(\.description)
    }

    @Test func anUnchangedListHasAnEmptyChangeSet() {
        let list = [section(1, [row(1, 1), row(2, 2)])]
        #expect(records(list, list) == [])
        #expect(ChangeSet().isEmpty)
        #expect(!ChangeSet.reload.isEmpty)
    }

    /// A change of one row or section needs no search for the fewest moves: it has the records that
    /// the search finds, which runs when another item is passed that is in neither list.
    @Test func aSingleChangeIsWhatTheSearchFinds() {
        let paths: [ListIndexPath?] = [nil] + [(0, 0), (0, 2), (1, 0)].map { ListIndexPath(section: $0, row: $1) }
        let nowhere = RowTransition(id: 9, oldPath: nil, newPath: nil)
        var records: Set<String> = []
        for (old, new) in paths.flatMap({ old in paths.map { (old, $0) } }) {
            for (isReordered, columns) in [(false, ColumnSet()), (false, [1]), (true, ColumnSet()), (true, [1])] {
                // Rows that stay where they are and those whose section has another index now.
                for newSection in Int32(0)...1 {
                    let row = RowTransition(
                        id: 1, oldSection: 0, oldPath: old, newSection: newSection, newPath: new,
                        isReordered: isReordered, changedColumns: columns)
                    let found = ChangeSet(rows: [row])
                    #expect(found == ChangeSet(rows: [nowhere, row]), "\(row)")
                    records.formUnion(found.objectChanges.map { "\($0.type)" })
                    let section = SectionTransition(
                        id: 1, oldIndex: old?.row, newIndex: new?.row, isReordered: isReordered,
                        changedColumns: columns)
                    let both = [SectionTransition(id: 9, oldIndex: nil, newIndex: nil), section]
                    #expect(ChangeSet(rows: [], sections: [section]) == ChangeSet(rows: [], sections: both))
                }
            }
        }
        #expect(records.count == 4)
    }

    @Test func anInsertHasOnlyANewPathAndShiftedRowsAreNotReported() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)])]
        let after = [section(1, [row(4, 5), row(1, 10), row(2, 20), row(3, 30)])]
        #expect(records(before, after) == ["insert 4 at (0, 0)"])
    }

    @Test func deletesDescendAndInsertsAscend() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)])]
        let after = [section(1, [row(4, 5), row(2, 20), row(5, 40)])]
        #expect(
            records(before, after) == [
                "delete 3 at (0, 2)", "delete 1 at (0, 0)", "insert 4 at (0, 0)", "insert 5 at (0, 2)",
            ])
    }

    @Test func newContentInTheSamePlaceIsAnUpdateWithBothPaths() {
        let before = [section(1, [row(1, 10), row(2, 20)])]
        let after = [section(1, [row(3, 5), row(1, 10), row(2, 20, 7)])]
        #expect(records(before, after) == ["insert 3 at (0, 0)", "update 2 from (0, 1) to (0, 2) [2]"])
    }

    @Test func aNewKeyInTheSamePlaceHasNoRecord() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)])]
        let after = [section(1, [row(1, 10), row(2, 25), row(3, 30)])]
        #expect(records(before, after) == [])
    }

    @Test func aNewKeyWithNewContentInTheSamePlaceIsAnUpdate() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)])]
        let after = [section(1, [row(1, 10), row(2, 25, 1), row(3, 30)])]
        #expect(records(before, after) == ["update 2 from (0, 1) to (0, 1) [2]"])
    }

    @Test func aMoveReportsItsChangedColumns() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)])]
        let after = [section(1, [row(1, 40, 9), row(2, 20), row(3, 30)])]
        #expect(records(before, after) == ["move 1 from (0, 0) to (0, 2) [2]"])
    }

    @Test func onlyTheRowWhoseKeyChangedMovesPastItsNeighbour() {
        let before = [section(1, [row(1, 10), row(2, 20)])]
        #expect(records(before, [section(1, [row(1, 30), row(2, 20)])]) == ["move 1 from (0, 0) to (0, 1) []"])
        #expect(records(before, [section(1, [row(1, 10), row(2, 5)])]) == ["move 2 from (0, 1) to (0, 0) []"])
    }

    @Test func aMoveMayHaveEqualPaths() {
        // Keys 1, 2, 3 become 5, 4, 3: the third row is the fixed point, and both others move to
        // its other side.
        let before = [section(1, [row(1, 1), row(2, 2), row(3, 3)])]
        let after = [section(1, [row(1, 5), row(2, 4), row(3, 3)])]
        #expect(records(before, after) == ["move 2 from (0, 1) to (0, 1) []", "move 1 from (0, 0) to (0, 2) []"])
    }

    @Test func ofReorderedRowsTheFewestMove() {
        let before = [section(1, (1...5).map { row($0, Int($0)) })]
        let after = [section(1, [row(2, 11), row(3, 12), row(4, 13), row(5, 14), row(1, 15)])]
        #expect(records(before, after) == ["move 1 from (0, 0) to (0, 4) []"])
    }

    @Test func aRowThatChangesSectionIsAMove() {
        let before = [section(1, [row(1, 10), row(2, 20)]), section(2, [row(3, 10)])]
        let after = [section(1, [row(2, 20)]), section(2, [row(1, 10), row(3, 10)])]
        #expect(records(before, after) == ["move 1 from (0, 0) to (1, 0) []"])
    }

    @Test func aRowMovesOutOfADeletedSection() {
        let before = [section(1, [row(1, 10), row(2, 20)]), section(2, [row(3, 10)])]
        let after = [section(2, [row(3, 10), row(1, 20)])]
        #expect(
            records(before, after) == ["section delete 0", "delete 2 at (0, 1)", "move 1 from (0, 0) to (0, 1) []"])
    }

    @Test func aRowMovesIntoAnInsertedSection() {
        let before = [section(2, [row(1, 10), row(2, 20)])]
        let after = [section(1, [row(2, 20), row(3, 30)]), section(2, [row(1, 10)])]
        #expect(
            records(before, after) == ["section insert 0", "insert 3 at (0, 1)", "move 2 from (0, 1) to (0, 0) []"])
    }

    @Test func aRowMovesFromADeletedSectionToAnInsertedOne() {
        let before = [section(1, [row(1, 10)])]
        let after = [section(2, [row(1, 10)])]
        #expect(
            records(before, after) == ["section delete 0", "section insert 0", "move 1 from (0, 0) to (0, 0) []"])
    }

    @Test func rowsOfAMovedSectionAreNotReported() {
        let before = [section(1, [row(1, 10), row(2, 20)]), section(2, [row(3, 1)]), section(3, [row(4, 1)])]
        let after = [section(1, [row(1, 10), row(2, 20)], key: 9), section(2, [row(3, 1)]), section(3, [row(4, 1)])]
        #expect(records(before, after) == ["section move 0 to 2 []"])
    }

    @Test func changesInAMovedSectionAreReportedInItsOldAndNewPlace() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)]), section(2, [row(4, 1)])]
        let after = [section(1, [row(5, 5), row(2, 20, 8), row(3, 30)], key: 9, content: 3), section(2, [row(4, 1)])]
        #expect(
            records(before, after) == [
                "section move 0 to 1 [2]", "delete 1 at (0, 0)", "insert 5 at (1, 0)",
                "update 2 from (0, 1) to (1, 1) [2]",
            ])
    }

    @Test func sectionsHaveOneOrderOfRecords() {
        let before = [section(1), section(2), section(3), section(4), section(5), section(6)]
        let after = [
            section(2, key: 70), section(3), section(4, content: 1), section(6), section(8, key: 1), section(9),
        ]
        #expect(
            records(before, after) == [
                "section delete 4", "section delete 0", "section insert 0", "section insert 4",
                "section move 1 to 5 []",
                "section update 3 to 2 [2]",
            ])
    }

    @Test func aRowThatIsInsertedAndDeletedHasNoRecord() {
        #expect(ChangeSet(rows: [RowTransition(id: 1, oldPath: nil, newPath: nil)]).isEmpty)
    }

    @Test func typedViewsAreTheRecordsOfOneType() {
        let before = [section(1, [row(1, 10), row(2, 20), row(3, 30)]), section(2), section(3)]
        let after = [section(1, [row(4, 5), row(1, 50), row(3, 30, 1)], content: 1), section(3), section(4)]
        let changes = Difference(from: before.inOrder, to: after.inOrder).changeSet
        #expect(changes.deletes.map(\.id) == [2])
        #expect(changes.inserts.map(\.id) == [4])
        #expect(changes.moves.map(\.id) == [1])
        #expect(changes.updates.map(\.id) == [3])
        #expect(changes.sectionDeletes.map(\.oldIndex) == [1])
        #expect(changes.sectionInserts.map(\.newIndex) == [2])
        #expect(changes.sectionUpdates.map(\.newIndex) == [0])
        #expect(changes.sectionMoves.isEmpty)
    }
}
