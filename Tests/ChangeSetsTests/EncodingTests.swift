import Testing

@testable import ChangeSets

@Suite struct Encodings {
    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }

    @Test func aSequentialMoveCountsItsTargetWithoutTheRow() {
        // a b c d becomes d b c a
        let changes = ChangeSet(objectChanges: [
            .move(4, from: path(0, 3), to: path(0, 0)), .move(1, from: path(0, 0), to: path(0, 3)),
        ])
        #expect(changes.sequential().map(\.description) == ["move 4 (0, 3) (0, 0)", "move 1 (0, 1) (0, 3)"])
    }

    @Test func aSectionIsDeletedWhenItsRowsHaveMovedOut() {
        let changes = ChangeSet(
            sectionChanges: [.delete(at: 0), .insert(at: 1)],
            objectChanges: [.move(1, from: path(0, 0), to: path(1, 0))])
        #expect(
            changes.sequential().map(\.description) == ["section insert 2", "move 1 (0, 0) (2, 0)", "section delete 0"])
    }

    @Test func rangesMergeNeighboursInOneSection() {
        let changes = ChangeSet(
            sectionChanges: [.delete(at: 5), .delete(at: 4), .insert(at: 2), .insert(at: 3)],
            objectChanges: [
                .delete(9, at: path(1, 0)), .delete(8, at: path(0, 7)), .delete(7, at: path(0, 6)),
                .delete(6, at: path(0, 4)),
                .insert(1, at: path(0, 1)), .insert(2, at: path(0, 2)), .insert(3, at: path(1, 3)),
            ])
        let ranges = changes.sequential().ranges()
        let rows = ranges.filter { $0.kind == .object }
        #expect(rows.map { $0.source ?? $0.target } == [path(1, 0), path(0, 6), path(0, 4), path(0, 1), path(1, 3)])
        #expect(rows.map(\.count) == [1, 2, 1, 2, 1])
        #expect(rows.map(\.steps) == [0..<1, 1..<3, 3..<4, 8..<10, 10..<11])
        let sections = ranges.filter { $0.kind == .section }
        #expect(sections.map(\.type) == [.insert, .delete])
        #expect(sections.map(\.count) == [2, 2])
        #expect(sections.map { $0.source ?? $0.target } == [path(2, 0), path(6, 0)])
    }

    @Test func aSectionMoveWithoutMovesReinsertsItsRows() {
        let changes = ChangeSet(
            sectionChanges: [.move(from: 0, to: 1)],
            objectChanges: [
                .delete(1, at: path(0, 0)), .insert(5, at: path(1, 2)),
                .update(3, from: path(0, 2), to: path(1, 1), changedColumns: [0]),
            ])
        let result = changes.withoutMoves { $0 == 1 ? [2, 3, 5] : [] }
        #expect(
            result.description == """
                section delete 0
                section insert 1
                delete 3 at (0, 2)
                delete 2 at (0, 1)
                delete 1 at (0, 0)
                insert 2 at (1, 0)
                insert 3 at (1, 1)
                insert 5 at (1, 2)
                """)
    }

    @Test func aReloadHasNoSteps() {
        #expect(ChangeSet.reload.sequential().isEmpty)
        #expect(violations(of: .reload) == [])
        #expect(ChangeSet.reload.withoutMoves { _ in [] } == .reload)
    }

    @Test func replayRefusesWhatIsImpossible() {
        let list = [ReplayedSection("a", [1, 2]), ReplayedSection("b", [3])]
        let impossible: [ChangeSet] = [
            .reload,
            ChangeSet(objectChanges: [.delete(1, at: path(0, 2))]),
            ChangeSet(objectChanges: [.delete(1, at: path(2, 0))]),
            ChangeSet(objectChanges: [.delete(1, at: path(0, 1)), .delete(2, at: path(0, 1))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, 3))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, -1))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, 1)), .insert(2, at: path(0, 1))]),
            ChangeSet(objectChanges: [.move(1, from: path(0, 0), to: path(0, 2))]),
            ChangeSet(objectChanges: [.update(1, from: path(0, 0), to: path(0, 2), changedColumns: [0])]),
            ChangeSet(objectChanges: [.update(1, from: path(0, 2), to: path(0, 0), changedColumns: [0])]),
            ChangeSet(sectionChanges: [.delete(at: 1)]),
            ChangeSet(sectionChanges: [.delete(at: 2)]),
            ChangeSet(sectionChanges: [.insert(at: 3)]),
            ChangeSet(sectionChanges: [.insert(at: 1), .insert(at: 1)]),
            ChangeSet(sectionChanges: [.move(from: 0, to: 2)]),
            ChangeSet(sectionChanges: [.move(from: -1, to: 0)]),
            ChangeSet(sectionChanges: [.update(from: 0, to: 2, changedColumns: [0])]),
        ]
        for changes in impossible {
            #expect(throws: ReplayError.self, "\(changes)") {
                try changes.applied(to: list, section: { _, _ in "" }, row: { _, _ in 0 })
            }
            guard !changes.isReload, !changes.description.contains("update") else { continue }
            let steps = changes.sequential()
            #expect(throws: ReplayError.self, "\(steps)") {
                if try steps.applied(to: list, section: { _, _ in "" }, row: { _, _ in 0 }).count >= 0, steps.count > 1
                {
                    // Two records for one place can look possible when they are applied one after
                    // another.
                    throw ReplayError(reason: "duplicate")
                }
            }
        }
    }

    @Test func nonsenseIsEncodedWithoutATrap() {
        let nonsense = ChangeSet(
            sectionChanges: [.delete(at: -3), .insert(at: .max), .move(from: -1, to: .max), .move(from: 7, to: -9)],
            objectChanges: [
                .insert(1, at: path(-1, 4)), .move(2, from: path(-4, -4), to: path(9, .max)),
                .delete(1, at: path(0, -1)),
            ])
        #expect(nonsense.sequential().ranges().count > 0)
        #expect(violations(of: nonsense) != [])
        #expect(nonsense.withoutMoves { _ in [1, 2, 3] }.moves.isEmpty)
    }

    @Test func violationsNameWhatIsWrong() {
        let wrong: [ChangeSet] = [
            ChangeSet(objectChanges: [.insert(1, at: path(0, 0)), .delete(2, at: path(0, 0))]),
            ChangeSet(objectChanges: [.delete(1, at: path(0, 0)), .delete(2, at: path(0, 1))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, 1)), .insert(2, at: path(0, 0))]),
            ChangeSet(objectChanges: [.delete(1, at: path(0, 0)), .insert(1, at: path(0, 0))]),
            ChangeSet(objectChanges: [.delete(1, at: path(0, 0)), .move(2, from: path(0, 0), to: path(0, 1))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, 0)), .move(2, from: path(0, 0), to: path(0, 0))]),
            ChangeSet(objectChanges: [.update(1, from: path(0, 0), to: path(0, 1), changedColumns: [0])]),
            ChangeSet(objectChanges: [.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [])]),
            ChangeSet(objectChanges: [.insert(1, at: path(-1, 0))]),
            ChangeSet(objectChanges: [.insert(1, at: path(0, 9))]),
            ChangeSet(objectChanges: [.delete(1, at: path(0, 1))]),
            ChangeSet(sectionChanges: [.insert(at: 0), .delete(at: 0)]),
            ChangeSet(sectionChanges: [.update(from: 0, to: 1, changedColumns: [0])]),
            ChangeSet(sectionChanges: [.delete(at: 1), .move(from: 1, to: 0)]),
            ChangeSet(sectionChanges: [.delete(at: 1)]),
        ]
        for changes in wrong {
            #expect(violations(of: changes, oldCounts: [3, 1], newCounts: [3, 1]) != [], "\(changes)")
        }
        #expect(violations(of: ChangeSet(), oldCounts: [3, 1], newCounts: [3, 1]) == [])
    }
}
