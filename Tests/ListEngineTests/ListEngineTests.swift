import ChangeSets
import OrderedTree
import SQLiteKit
import Testing

@testable import ListEngine

/// An engine alone: from a state and a round to the next state with its change set.
@Suite struct ListEngineTests {
    private static let script =
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');
        """

    private static let request = FetchRequest(entity: "items", sorts: [Sort("name")])

    private func ids(_ engine: ListEngine) throws -> [Int64] {
        guard let list = try engine.shownList() else { return [] }
        return (0..<list.count).map { list.rows.row(section: list.rows.section(at: 0), at: $0) }
    }

    @Test func aRoundLeadsToTheNextState() throws {
        let database = try Database(Self.script)
        let engine = try database.engine(Self.request)
        let round = try database.round("UPDATE items SET name = 'd' WHERE id = 1; DELETE FROM items WHERE id = 2")
        let prepared = try #require(try engine.prepare(round, on: .committed))
        let changes = prepared.changes.changeSet.objectChanges
        #expect(changes.map(\.type) == [.delete, .move])
        #expect(changes.map(\.id) == [2, 1])
        // A read before the commit returns the old state.
        #expect(try ids(engine) == [1, 2, 3])
        let shown = engine.commit(prepared)
        #expect(shown.changes?.changeSet.objectChanges.map(\.id) == [2, 1])
        #expect(try ids(engine) == [3, 1])
        #expect(engine.list?.rows.checkInvariants() == [])
    }

    @Test func aStateThatIsDroppedLeavesTheOldOne() throws {
        let database = try Database(Self.script)
        let engine = try database.engine(Self.request)
        let round = try database.round("INSERT INTO items VALUES (4, 'aa')")
        let dropped = try #require(try engine.prepare(round, on: .committed))
        try engine.drop(dropped)
        #expect(!engine.isBetweenStates)
        #expect(try ids(engine) == [1, 2, 3])
        // The same round again.
        let prepared = try #require(try engine.prepare(round, on: .committed))
        _ = engine.commit(prepared)
        #expect(try ids(engine) == [1, 4, 2, 3])
    }

    @Test func aFailureLeavesTheOldStateAndRecoversLater() throws {
        let database = try Database(Self.script)
        let engine = try database.engine(Self.request)
        _ = try engine.object(id: 1)
        let round = try database.round("ALTER TABLE items RENAME TO others")
        #expect(throws: StoreError.self) {
            _ = try engine.prepare(round, on: .committed)
        }
        #expect(try ids(engine) == [1, 2, 3])
        _ = try database.round("ALTER TABLE others RENAME TO items; INSERT INTO items VALUES (4, 'bb')")
        let prepared = try #require(try engine.prepare(Round(), on: .failure))
        #expect(prepared.changes.changeSet.objectChanges.map(\.type) == [.insert])
        _ = engine.commit(prepared)
        #expect(try ids(engine) == [1, 2, 4, 3])
    }

    @Test func anotherRequestIsComparedOrRefused() throws {
        let database = try Database(Self.script)
        let engine = try database.engine(Self.request)
        var other = Self.request
        other.sorts = [Sort("name", isDescending: true)]
        #expect(throws: StoreError.self) {
            _ = try engine.prepare(FetchRequest(entity: "items", predicate: "nothing > 0"), on: .committed)
        }
        #expect(engine.request.predicate == nil)
        let prepared = try #require(try engine.prepare(other, on: .committed))
        #expect(prepared.changes.changeSet.objectChanges.map(\.type) == [.move, .move])
        _ = engine.commit(prepared)
        #expect(try ids(engine) == [3, 2, 1])
    }

    @Test func sectionsAreAStrategy() throws {
        let database = try Database(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, rank);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
            INSERT INTO kinds VALUES (1, 1), (2, 2);
            INSERT INTO items VALUES (1, 1), (2, 2);
            """)
        let sections = try MappedSections(
            connection: database.connection, database: database, items: FetchRequest(entity: "items"),
            sections: FetchRequest(entity: "kinds", sorts: [Sort("rank")]),
            options: SectionMapOptions(
                itemKey: "kind", sectionKey: nil, titleColumn: nil, emptySections: .shown, itemsWithoutSection: .shown),
            nodes: .standard, watch: { [capture = database.capture] in try Watches($0, in: capture) })
        let engine = try database.engine(FetchRequest(entity: "items"), sections: sections)
        let round = try database.round("UPDATE kinds SET rank = 3 WHERE id = 1")
        let prepared = try #require(try engine.prepare(round, on: .committed))
        #expect(prepared.changes.changeSet.sectionChanges.map(\.type) == [.move])
        #expect(prepared.changes.changeSet.objectChanges.isEmpty)
        _ = engine.commit(prepared)
        let list = try #require(engine.list)
        #expect((0..<2).map { list.section(at: $0).row } == [2, 1])
    }
}
