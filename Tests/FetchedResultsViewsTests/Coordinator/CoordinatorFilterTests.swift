import ChangeSets
import FetchedResults
import FetchedResultsViews
import TestSupport
import Testing

/// The part of a change set that a view gets: each line of the table.
@Suite struct CoordinatorFilter {
    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }

    private func batch(
        _ sections: [SectionChange] = [], _ rows: [ObjectChange], _ options: ViewOptions = ViewOptions(),
        cells: Bool = false
    ) -> ViewBatch {
        ViewBatch(
            ChangeSet(sectionChanges: sections, objectChanges: ObjectChanges(rows)), options: options,
            updatesCells: cells)
    }

    private let noMoves = ViewOptions(rowMoves: .deletesAndInserts, sectionMoves: .deletesAndInserts)

    // MARK: Rows

    @Test func aDeleteInASectionThatStaysIsADelete() {
        let batch = batch([], [.delete(7, at: path(0, 2))])
        #expect(batch.rowDeletes == [path(0, 2)])
    }

    @Test func aDeleteInADeletedSectionIsNothing() {
        let batch = batch([.delete(at: 1)], [.delete(7, at: path(1, 0)), .delete(8, at: path(0, 0))])
        #expect(batch.sectionDeletes == [1])
        #expect(batch.rowDeletes == [path(0, 0)])
    }

    @Test func anInsertIntoASectionThatWasThereIsAnInsert() {
        #expect(batch([], [.insert(7, at: path(0, 2))]).rowInserts == [path(0, 2)])
    }

    @Test func anInsertIntoAnInsertedSectionIsNothing() {
        let batch = batch([.insert(at: 0)], [.insert(7, at: path(0, 0)), .insert(8, at: path(1, 0))])
        #expect(batch.sectionInserts == [0])
        #expect(batch.rowInserts == [path(1, 0)])
    }

    @Test func aMoveBetweenSectionsThatStayIsAMove() {
        let batch = batch([], [.move(7, from: path(0, 0), to: path(1, 1))], cells: true)
        #expect(batch.rowMoves == [RowPlaces(old: path(0, 0), new: path(1, 1))])
        #expect(batch.cellUpdates == [path(1, 1)])
    }

    @Test func aMoveOutOfADeletedSectionIsAnInsertAndItsCellIsNew() {
        let batch = batch([.delete(at: 0)], [.move(7, from: path(0, 0), to: path(0, 1))], cells: true)
        #expect(batch.sectionDeletes == [0])
        #expect(batch.rowInserts == [path(0, 1)])
        #expect(batch.rowMoves.isEmpty && batch.rowDeletes.isEmpty && batch.cellUpdates.isEmpty)
    }

    @Test func aMoveIntoAnInsertedSectionIsADelete() {
        let batch = batch([.insert(at: 0)], [.move(7, from: path(0, 0), to: path(0, 0))], cells: true)
        #expect(batch.sectionInserts == [0])
        #expect(batch.rowDeletes == [path(0, 0)])
        #expect(batch.rowMoves.isEmpty && batch.rowInserts.isEmpty && batch.cellUpdates.isEmpty)
    }

    @Test func aMoveOutOfADeletedSectionIntoAnInsertedOneIsNothing() {
        let batch = batch([.delete(at: 0), .insert(at: 0)], [.move(7, from: path(0, 0), to: path(0, 0))], cells: true)
        #expect(batch.sectionDeletes == [0] && batch.sectionInserts == [0])
        #expect(
            batch.rowDeletes.isEmpty && batch.rowInserts.isEmpty && batch.rowMoves.isEmpty && batch.cellUpdates.isEmpty)
    }

    @Test func anUpdateIsAReloadWithBothPaths() {
        let batch = batch([.insert(at: 0)], [.update(7, from: path(0, 1), to: path(1, 2), changedColumns: [1])])
        #expect(batch.rowReloads == [RowPlaces(old: path(0, 1), new: path(1, 2))])
        #expect(batch.cellUpdates.isEmpty)
    }

    @Test func anUpdateIsACellUpdateAtTheNewPathIfCellsAreUpdated() {
        let batch = batch(
            [.insert(at: 0)], [.update(7, from: path(0, 1), to: path(1, 2), changedColumns: [1])], cells: true)
        #expect(batch.rowReloads.isEmpty)
        #expect(batch.cellUpdates == [path(1, 2)])
    }

    @Test func anUpdateInASectionThatIsDeletedAndInsertedIsNothing() {
        let update = ObjectChange.update(7, from: path(1, 0), to: path(0, 0), changedColumns: [0])
        for cells in [true, false] {
            let batch = batch([.move(from: 1, to: 0)], [update], noMoves, cells: cells)
            #expect(batch.sectionDeletes == [1] && batch.sectionInserts == [0])
            #expect(batch.rowReloads.isEmpty && batch.cellUpdates.isEmpty)
        }
    }

    @Test func eachCellIsUpdatedOnceInTheOrderOfTheNewPaths() {
        let rows: [ObjectChange] = [
            .move(1, from: path(0, 5), to: path(0, 1), changedColumns: [0]), .move(2, from: path(0, 0), to: path(0, 4)),
            .update(3, from: path(0, 1), to: path(0, 0), changedColumns: [0]),
            .update(4, from: path(0, 2), to: path(0, 2), changedColumns: [0]),
        ]
        #expect(batch([], rows, cells: true).cellUpdates == [path(0, 0), path(0, 1), path(0, 2), path(0, 4)])
    }

    // MARK: Sections

    @Test func changedSectionsAreTheLastGroupWithMovedOnesAmongThem() {
        let sections: [SectionChange] = [
            .move(from: 3, to: 0, changedColumns: [1]), .move(from: 4, to: 2),
            .update(from: 0, to: 1, changedColumns: [0]),
        ]
        let batch = batch(sections, [])
        #expect(batch.sectionMoves == [SectionPlaces(old: 3, new: 0), SectionPlaces(old: 4, new: 2)])
        #expect(batch.sectionUpdates == [SectionPlaces(old: 3, new: 0), SectionPlaces(old: 0, new: 1)])
    }

    @Test func rowsOfAMovedSectionThatChangedHaveTheirOwnEntries() {
        let rows: [ObjectChange] = [
            .delete(1, at: path(1, 0)), .insert(2, at: path(0, 3)),
            .update(3, from: path(1, 1), to: path(0, 0), changedColumns: [0]),
        ]
        let batch = batch([.move(from: 1, to: 0)], rows)
        #expect(batch.rowDeletes == [path(1, 0)] && batch.rowInserts == [path(0, 3)])
        #expect(batch.rowReloads == [RowPlaces(old: path(1, 1), new: path(0, 0))])
    }

    // MARK: Views without moves

    @Test func aMoveCanBeADeleteAndAnInsert() {
        let rows: [ObjectChange] = [
            .delete(1, at: path(0, 1)), .insert(2, at: path(0, 2)), .move(3, from: path(0, 3), to: path(0, 0)),
        ]
        let batch = batch([], rows, noMoves, cells: true)
        #expect(batch.rowDeletes == [path(0, 3), path(0, 1)])
        #expect(batch.rowInserts == [path(0, 0), path(0, 2)])
        #expect(batch.rowMoves.isEmpty && batch.cellUpdates.isEmpty)
    }

    @Test func aSectionMoveCanBeADeleteAndAnInsertThatTakesItsRowsAlong() {
        let sections: [SectionChange] = [.delete(at: 4), .insert(at: 3), .move(from: 1, to: 0, changedColumns: [0])]
        let rows: [ObjectChange] = [
            .delete(1, at: path(1, 0)), .delete(2, at: path(0, 0)), .insert(3, at: path(0, 1)),
            .insert(4, at: path(2, 0)),
            // Out of the moved section, into it, and inside it.
            .move(6, from: path(0, 2), to: path(0, 0)), .move(7, from: path(1, 3), to: path(0, 2)),
            .move(5, from: path(1, 2), to: path(1, 0)),
        ]
        let options = ViewOptions(sectionMoves: .deletesAndInserts)
        let batch = batch(sections, rows, options, cells: true)
        #expect(batch.sectionDeletes == [4, 1] && batch.sectionInserts == [0, 3])
        #expect(batch.sectionMoves.isEmpty && batch.sectionUpdates.isEmpty)
        #expect(batch.rowDeletes == [path(0, 2), path(0, 0)])
        #expect(batch.rowInserts == [path(1, 0), path(2, 0)])
        #expect(batch.rowMoves.isEmpty && batch.cellUpdates.isEmpty)
    }

    @Test func aBatchOfNothingButCellsIsEmpty() {
        let batch = batch([], [.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [0])], cells: true)
        #expect(batch.isEmpty)
        #expect(!batch.cellUpdates.isEmpty)
        #expect(ViewBatch(ChangeSet()).isEmpty)
    }

    // MARK: Steps

    @Test func stepsLeaveUpdatedRowsToTheirCellsAndNothingElseOut() {
        let update = ObjectChange.update(2, from: path(0, 0), to: path(0, 0), changedColumns: [0])
        func steps(_ cells: Bool) -> [String] {
            let batch = batch([.delete(at: 1)], [.delete(1, at: path(1, 0)), update], cells: cells)
            return batch.steps { _ in 0 }.map(\.change.description)
        }
        #expect(steps(false) == ["delete 1 (1, 0)", "section delete 1", "update 2 (0, 0) (0, 0)"])
        #expect(steps(true) == ["delete 1 (1, 0)", "section delete 1"])
    }

    @Test func aMoveOutOfADeletedSectionIsAMoveAmongStepsSoItsCellIsUpdated() {
        let row = ObjectChange.move(7, from: path(0, 0), to: path(0, 1))
        #expect(batch([.delete(at: 0)], [row], ViewOptions(form: .steps), cells: true).cellUpdates == [path(0, 1)])
        let noMoves = ViewOptions(form: .steps, rowMoves: .deletesAndInserts)
        #expect(batch([.delete(at: 0)], [row], noMoves, cells: true).cellUpdates == [])
    }

    @Test func stepsOfASectionMoveCanBeDeletesAndInsertsOfItsRows() {
        let steps = batch([.move(from: 1, to: 0)], [], noMoves).steps { $0 == 0 ? 2 : 9 }
        #expect(
            steps.map { "\($0.change.kind) \($0.change.type)" } == [
                "object delete", "object delete", "section insert", "section delete", "object insert", "object insert",
            ])
        #expect(steps.map(\.finalPath) == [nil, nil, path(0, 0), nil, path(0, 0), path(0, 1)])
    }
}
