import TestSupport
import Testing

@testable import ChangeSets

/// Two changes as one have the same result as one after another.
@Suite struct Composition {
    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }
    private func rows(_ changes: ObjectChange...) -> ChangeSet { ChangeSet(objectChanges: ObjectChanges(changes)) }
    private func sections(_ changes: SectionChange...) -> ChangeSet { ChangeSet(sectionChanges: changes) }

    @Test func rowsThatOnlyTheFirstTouchedAreShiftedByTheSecond() {
        let both = rows(.insert(1, at: path(0, 0)), .update(2, from: path(0, 1), to: path(0, 2), changedColumns: [0]))
            .followed(by: ChangeSet(sectionChanges: [.insert(at: 0)], objectChanges: [.insert(9, at: path(0, 0))]))
        #expect(
            both
                == ChangeSet(
                    sectionChanges: [.insert(at: 0)],
                    objectChanges: [
                        .insert(9, at: path(0, 0)), .insert(1, at: path(1, 0)),
                        .update(2, from: path(0, 1), to: path(1, 2), changedColumns: [0]),
                    ]))
    }

    @Test func rowsThatOnlyTheSecondTouchedHavePathsBeforeTheFirst() {
        let both = rows(.delete(1, at: path(0, 0)), .insert(2, at: path(0, 3)))
            .followed(by: rows(.delete(5, at: path(0, 1)), .move(4, from: path(0, 2), to: path(0, 0))))
        #expect(
            both
                == rows(
                    .delete(5, at: path(0, 2)), .delete(1, at: path(0, 0)), .insert(2, at: path(0, 2)),
                    .move(4, from: path(0, 3), to: path(0, 0))))
    }

    @Test func undoneChangesHaveNoRecords() {
        #expect(rows(.insert(1, at: path(0, 0))).followed(by: rows(.delete(1, at: path(0, 0)))).isEmpty)
        #expect(sections(.insert(at: 1)).followed(by: sections(.delete(at: 1))).isEmpty)
        #expect(sections(.move(from: 1, to: 0)).followed(by: sections(.move(from: 0, to: 1))).isEmpty)
        let there = rows(.move(1, from: path(0, 0), to: path(0, 3)))
        #expect(there.followed(by: rows(.move(1, from: path(0, 3), to: path(0, 0)))).isEmpty)
    }

    @Test func columnsAreJoined() {
        let both = rows(.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [0]))
            .followed(by: rows(.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [2])))
        #expect(both == rows(.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [0, 2])))
    }

    @Test func aReloadMakesAReloadOfAll() {
        #expect(ChangeSet.reload.followed(by: rows(.delete(1, at: path(0, 0)))).isReload)
        #expect(rows(.delete(1, at: path(0, 0))).followed(by: .reload).isReload)
        #expect(ChangeSet().followed(by: .reload).isReload)
    }

    @Test func anEmptyChangeAddsNothing() {
        let delete = rows(.delete(1, at: path(0, 0)))
        #expect(ChangeSet().followed(by: delete) == delete)
        #expect(delete.followed(by: ChangeSet()) == delete)
        #expect(ChangeSet().followed(by: ChangeSet()).isEmpty)
    }

    @Test func aRowThatIsDeletedAndInsertedHasTwoRecords() {
        let both = rows(.delete(1, at: path(0, 2))).followed(by: rows(.insert(1, at: path(0, 0))))
        #expect(both == rows(.delete(1, at: path(0, 2)), .insert(1, at: path(0, 0))))
    }

    @Test func aRowOfAMovedSectionHasItsOldPath() {
        let both = sections(.move(from: 2, to: 0)).followed(
            by: rows(.delete(1, at: path(0, 1)), .insert(2, at: path(1, 0))))
        #expect(
            both
                == ChangeSet(
                    sectionChanges: [.move(from: 2, to: 0)],
                    objectChanges: [.delete(1, at: path(2, 1)), .insert(2, at: path(1, 0))]))
    }

    @Test func aMoveOutOfASectionThatIsThenDeletedIsAMove() {
        let both = rows(.move(1, from: path(1, 0), to: path(0, 0))).followed(by: sections(.delete(at: 1)))
        #expect(
            both
                == ChangeSet(
                    sectionChanges: [.delete(at: 1)], objectChanges: [.move(1, from: path(1, 0), to: path(0, 0))]))
    }

    @Test func idsHaveNoInfluence() {
        // A collection may show one row twice.
        let both = rows(.insert(1, at: path(0, 0))).followed(by: rows(.delete(1, at: path(1, 3))))
        #expect(both == rows(.delete(1, at: path(1, 3)), .insert(1, at: path(0, 0))))
    }

    @Test func editsOneAfterAnotherAreTheSameTogether() {
        for seed in RandomTests.seeds(1..<401) {
            var random = SeededRandom(seed: seed)
            let size = seed % 10 == 0 ? 40 : 6
            let first = randomList(size, &random)
            var last = first
            var together = ChangeSet()
            for number in 0..<Int64(2 + seed % 3) {
                let next = edited(last, newIDs: 10_000 * (number + 1), &random)
                together = together.followed(by: Difference(from: last, to: next).changeSet)
                last = next
            }
            let found = faults(of: together, from: first, to: last)
            #expect(found == [], "\(RandomTests.replay(seed, "Composition"))")
            if !found.isEmpty { return }
        }
    }

    @Test func compositionIsAssociative() throws {
        for seed in RandomTests.seeds(2001..<2301) {
            var random = SeededRandom(seed: seed)
            let lists = (0..<3).reduce(into: [randomList(8, &random)]) { lists, number in
                lists.append(edited(lists[lists.count - 1], newIDs: 10_000 * Int64(number + 1), &random))
            }
            let changes = (0..<3).map { Difference(from: lists[$0], to: lists[$0 + 1]).changeSet }
            let left = changes[0].followed(by: changes[1]).followed(by: changes[2])
            let right = changes[0].followed(by: changes[1].followed(by: changes[2]))
            for together in [left, right] {
                #expect(
                    faults(of: together, from: lists[0], to: lists[3]) == [],
                    "\(RandomTests.replay(seed, "Composition"))")
            }
        }
    }
}
