import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResultsViews

/// The composition of the changes that a view missed equals one delivery after another. The list is
/// a map, whose sections move.
@Suite struct CoordinatorComposition {
    @Test func randomChangesTogetherAreTheSameAsOneAfterAnother() throws {
        for seed in UInt64(1)...30 { try run(seed) }
    }

    private func run(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let store = try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, position INT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE SET NULL, rank INT);
            INSERT INTO lists VALUES (1, 1), (2, 2), (3, 3), (4, 4);
            """)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: [Sort("rank")]),
            sections: FetchRequest(entity: "lists", sorts: [Sort("position")]), itemKey: "list_id")
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        for _ in 0..<6 {
            let old = try picture(map)
            for _ in 0..<10 { try transact(store, &random) }
            let sets = recorder.deliveries.map(\.changeSet)
            _ = recorder.take()
            var missed = MissedChanges()
            for set in sets { missed.add(set) }
            for whole in [sets.reduce(ChangeSet()) { $0.followed(by: $1) }, missed.take()] {
                let new = try picture(map)
                let faults = violations(
                    of: whole, oldCounts: old.map(\.rows.count), newCounts: new.map(\.rows.count),
                    allowsReinsertion: true)
                #expect(faults.isEmpty, "seed \(seed): \(faults)\n\(whole)")
                let replayed = try whole.applied(to: old, section: { $1 ?? "new" }, row: { $1 ?? $0.id })
                #expect(replayed.map(\.rows) == new.map(\.rows), "seed \(seed)\n\(whole)")
            }
        }
    }

    private func transact(_ store: Store, _ random: inout SeededRandom) throws {
        try store.transaction {
            for _ in 0...random.below(4) {
                let (id, list) = (Value.integer(Int64(random.below(30))), Value.integer(Int64(1 + random.below(6))))
                let rank = Value.integer(Int64(random.below(20)))
                switch random.below(8) {
                case 0, 1:
                    try store.execute(
                        "INSERT OR REPLACE INTO items VALUES (?, (SELECT id FROM lists WHERE id = ?), ?)",
                        [id, list, rank])
                case 2: try store.execute("DELETE FROM items WHERE id = ?", [id])
                case 3: try store.execute("UPDATE items SET rank = ? WHERE id = ?", [rank, id])
                case 4: try store.execute("UPDATE items SET list_id = (SELECT max(id) FROM lists) WHERE id = ?", [id])
                case 5: try store.execute("INSERT OR IGNORE INTO lists VALUES (?, ?)", [list, rank])
                case 6: try store.execute("DELETE FROM lists WHERE id = ?", [list])
                default: try store.execute("UPDATE lists SET position = ? WHERE id = ?", [rank, list])
                }
            }
        }
    }

    private func picture(_ list: any LiveList) throws -> [ReplayedSection<String, Int64>] {
        let rows = try list.values("id")
        return rows.enumerated().map { index, ids in
            ReplayedSection("\(index)", ids.map { if case .integer(let id) = $0 { id } else { -1 } })
        }
    }
}
