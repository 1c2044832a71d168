import TestSupport
import Testing

@testable import ChangeSets

/// Random lists, random edits: every encoding replays to the new list, and nothing moves without
/// need.
@Suite struct RandomEdits {
    @Test func everyEncodingReplaysToTheNewList() {
        for seed in RandomTests.seeds(1..<201) {
            var random = SeededRandom(seed: seed)
            let size = seed % 10 == 0 ? 60 : 6
            let old = randomList(size, &random)
            let new = edited(old, &random)
            let difference = Difference(from: old, to: new, everyRow: random.chance(20))
            let changes = difference.changeSet
            let found = faults(of: changes, from: old, to: new)
            #expect(found == [], "\(RandomTests.replay(seed, "RandomEdits"))")
            #expect(
                difference.wholeChangeSet(from: old, to: new) == changes, "\(RandomTests.replay(seed, "RandomEdits"))")
            let wrong = unexpected(changes, difference, old, new)
            #expect(wrong == [], "\(RandomTests.replay(seed, "RandomEdits"))")
            if !found.isEmpty || !wrong.isEmpty { return }
        }
    }

    @Test func noSolutionHasFewerMoves() {
        for seed in RandomTests.seeds(5001..<5501) {
            var random = SeededRandom(seed: seed)
            let old = randomList(5, &random)
            let new = edited(old, &random)
            let difference = Difference(from: old, to: new, everyRow: random.chance(30))
            let changes = difference.changeSet
            let rowMoves = fewestRowMoves(difference, old, new)
            let sectionMoves = fewestMoves(
                old: old.map { Int64($0.id) }, new: new.map { Int64($0.id) },
                movable: Set(difference.sections.filter(\.isReordered).map { Int64($0.id) }))
            #expect(changes.moves.count == rowMoves, "\(RandomTests.replay(seed, "RandomEdits"))")
            #expect(changes.sectionMoves.count == sectionMoves, "\(RandomTests.replay(seed, "RandomEdits"))")
            if changes.moves.count != rowMoves || changes.sectionMoves.count != sectionMoves { return }
        }
    }

    @Test func theOrderOfTouchedItemsDoesNotMatterToTheRest() {
        for seed in RandomTests.seeds(9001..<9101) {
            var random = SeededRandom(seed: seed)
            let old = randomList(20, &random)
            let difference = Difference(from: old, to: edited(old, &random), everyRow: random.chance(50))
            let shuffled = ChangeSet(
                rows: difference.rows.shuffled(using: &random), sections: difference.sections.shuffled(using: &random))
            #expect(shuffled == difference.changeSet, "\(RandomTests.replay(seed, "RandomEdits"))")
        }
    }

    /// Missing and superfluous records, determined from the two lists alone.
    private func unexpected(
        _ changes: ChangeSet, _ difference: Difference, _ old: [ModelSection], _ new: [ModelSection]
    ) -> [String] {
        let (before, after) = (old.places, new.places)
        let moved = Set(changes.moves.map(\.id))
        let reordered = Set(difference.rows.filter(\.isReordered).map(\.id))
        let common = before.keys.filter { after[$0] != nil }
        let migrated = Set(common.filter { before[$0]?.section != after[$0]?.section })
        let rewritten = Set(common.filter { before[$0]?.row.content != after[$0]?.row.content })
        var wrong: [String] = []
        func compare(_ name: String, _ found: Set<Int64>, _ expected: Set<Int64>) {
            if found != expected { wrong.append("\(name) \(found.sorted()), not \(expected.sorted())") }
        }
        compare("deletes", Set(changes.deletes.map(\.id)), Set(before.keys).subtracting(after.keys))
        compare("inserts", Set(changes.inserts.map(\.id)), Set(after.keys).subtracting(before.keys))
        compare("updates", Set(changes.updates.map(\.id)), rewritten.subtracting(moved))
        let movedWithContent = Set(changes.moves.filter { $0.changedColumns == [2] }.map(\.id))
        compare("moves with content", movedWithContent, moved.intersection(rewritten))
        compare("rows that must move", migrated.subtracting(moved), [])
        compare("rows that can't move", moved.subtracting(migrated).subtracting(reordered), [])
        return wrong
    }

    private func fewestRowMoves(_ difference: Difference, _ old: [ModelSection], _ new: [ModelSection]) -> Int {
        let (before, after) = (old.places, new.places)
        let movable = Set(difference.rows.filter(\.isReordered).map(\.id))
        var moves = before.filter { id, place in after[id] != nil && after[id]?.section != place.section }.count
        for section in old {
            guard let counterpart = new.first(where: { $0.id == section.id }) else { continue }
            moves += fewestMoves(old: section.rows.map(\.id), new: counterpart.rows.map(\.id), movable: movable)
        }
        return moves
    }

    /// Brute force: the smallest set of movable items without which the rest has one order in both
    /// lists.
    private func fewestMoves(old: [Int64], new: [Int64], movable: Set<Int64>) -> Int {
        let common = Set(old).intersection(new)
        let candidates = common.intersection(movable).sorted()
        var fewest = candidates.count
        for subset in 0..<1 << candidates.count where subset.nonzeroBitCount < fewest {
            let moved = Set(candidates.indices.filter { subset >> $0 & 1 == 1 }.map { candidates[$0] })
            let stays = { (id: Int64) in common.contains(id) && !moved.contains(id) }
            if old.filter(stays) == new.filter(stays) { fewest = subset.nonzeroBitCount }
        }
        return fewest
    }
}
