import TestSupport
import Testing

@testable import OrderedTree

@Suite("A keyed index against plain arrays")
struct KeyedRowsTests {
    /// Before: an empty index. Change: random inserts by key, removals, section edits, and hints
    /// about any rows and keys. Expected: after each of them the index has the same rows as the
    /// arrays, and searches agree; hints read no key.
    @Test(arguments: HardKeys.short, RandomTests.seeds(0..<3))
    func randomEdits(kind: HardKeys, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model = ModelledRows()
        model.insertSection(at: 0)
        for step in 0..<260 {
            let removing = step % 130 > 80
            let choice = random.below(20)
            let section = random.below(model.sections.count)
            let rows = model.sections[section].rows
            if choice == 0 {
                model.insertSection(at: random.below(model.sections.count + 1))
            } else if choice == 1, model.sections.count > 1, random.below(3) == 0 {
                model.index.removeSection(model.sections.remove(at: section).id)
            } else if choice == 2 {
                let moved = model.sections.remove(at: section)
                let place = random.below(model.sections.count + 1)
                model.index.moveSection(moved.id, to: place)
                model.sections.insert(moved, at: place)
            } else if !rows.isEmpty, removing ? choice < 16 : choice < 6 {
                let row = random.below(rows.count)
                model.sections[section].rows.remove(at: row)
                if random.below(2) == 0 {
                    let removed = try #require(model.index.remove(id: rows[row]))
                    #expect(removed.section == model.sections[section].id && removed.offset == row)
                    #expect(removed.row.keyHash == UInt32(rows[row]))
                } else {
                    #expect(model.index.remove(section: model.sections[section].id, at: row).id == rows[row])
                }
            } else {
                let next = random.below(3) == 0 ? model.keyAfterLast(&random) : nil
                try model.insert(next ?? kind.make(&random), in: section)
            }
            let key = kind.make(&random)
            let place = random.below(model.sections.count)
            let visited = model.index.nodesVisited
            model.index.prefetch(Int64(random.below(Int(model.nextID) + 2)))
            key.withUnsafeBytes { model.index.prefetch($0, in: model.sections[place].id) }
            #expect(model.index.nodesVisited == visited)
            try #require(model.difference() == nil, "\(kind), seed \(seed), step \(step)")
            let found = try model.index.lowerBound(of: key, in: model.sections[place].id) {
                model.keys[$0, default: []]
            }
            try #require(found == model.lowerBound(of: key, in: place), "\(kind), seed \(seed)")
        }
    }

    /// Before: rows in random order. Change: random removals and inserts, then their
    /// inverses by position. Expected: the old list, still searchable.
    @Test(arguments: HardKeys.short, RandomTests.seeds(0..<3))
    func undoByPosition(kind: HardKeys, seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 1_000)
        var model = ModelledRows()
        for section in 0..<2 {
            model.insertSection(at: section)
            for _ in 0..<40 { try model.insert(kind.make(&random), in: section) }
        }
        for round in 0..<4 {
            let before = model
            var undo: [(inout ModelledRows) throws -> Void] = []
            for _ in 0..<30 {
                try edit(&model, kind, &random, &undo)
                try #require(model.difference() == nil, "\(kind), seed \(seed), round \(round)")
            }
            for inverse in undo.reversed() {
                try inverse(&model)
                try #require(model.difference() == nil, "\(kind), seed \(seed), undo \(round)")
            }
            #expect(model.ids == before.ids)
            for _ in 0..<20 { try model.insert(kind.make(&random), in: random.below(2)) }
            try #require(model.difference() == nil, "\(kind), seed \(seed), after undo \(round)")
        }
    }

    private func edit(
        _ model: inout ModelledRows, _ kind: HardKeys, _ random: inout SeededRandom,
        _ undo: inout [(inout ModelledRows) throws -> Void]
    ) throws {
        let section = random.below(2)
        let id = model.sections[section].id
        let rows = model.sections[section].rows
        guard !rows.isEmpty, random.below(3) > 0 else {
            let last = model.nextID
            try model.insert(kind.make(&random), in: section)
            guard model.nextID > last else { return }
            let new = model.nextID
            undo.append { model in
                #expect(model.index.remove(id: new) != nil)
                model.sections[section].rows.removeAll { $0 == new }
            }
            return
        }
        let row = random.below(rows.count)
        let detached = model.index.remove(section: id, at: row)
        model.sections[section].rows.remove(at: row)
        undo.append { model in
            try model.index.insert(detached, in: id, at: row)
            model.sections[section].rows.insert(detached.id, at: row)
        }
    }

    /// Before: rows whose keys have more in common than can be stored. Change: random inserts and
    /// removals, then their inverses by position. Expected: the rows of the arrays, then the old
    /// list.
    @Test(arguments: RandomTests.seeds(0..<4))
    func veryLongKeys(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model = ModelledRows()
        for section in 0..<2 {
            model.insertSection(at: section)
            for _ in 0..<12 { try model.insert(HardKeys.veryLong.make(&random), in: section) }
        }
        let before = model
        var undo: [(inout ModelledRows) throws -> Void] = []
        for _ in 0..<20 {
            try edit(&model, .veryLong, &random, &undo)
            try #require(model.difference() == nil, "seed \(seed)")
        }
        for inverse in undo.reversed() { try inverse(&model) }
        try #require(model.difference() == nil, "seed \(seed)")
        #expect(model.ids == before.ids)
    }

    /// Before: a list whose keys have much in common. Change: an insert whose resolver throws at
    /// every possible call.
    /// Expected: the insert throws the error, and the list is unchanged.
    @Test(arguments: RandomTests.seeds(0..<6))
    func failingResolverChangesNothing(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model = ModelledRows()
        model.insertSection(at: 0)
        for _ in 0..<60 { try model.insert(HardKeys.extensions.make(&random), in: 0) }
        for _ in 0..<30 {
            let key = HardKeys.extensions.make(&random) + [3]
            let allowed = random.below(4)
            var calls = 0
            let ids = model.ids
            do {
                _ = try model.index.insert(id: -1, key: key, in: model.sections[0].id) {
                    calls += 1
                    guard calls <= allowed else { throw ResolverFailed() }
                    return model.keys[$0, default: []]
                }
                #expect(calls <= allowed)
                model.index.remove(id: -1)
            } catch is ResolverFailed {
                #expect(!model.index.contains(-1))
            }
            #expect(model.ids == ids)
            try #require(model.difference() == nil, "seed \(seed)")
        }
    }
}
