import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// A row's place is its order among the other rows, not its number.
@Suite struct Moves {
    private func makeItems(_ count: Int) throws -> (Database, Watch) {
        let database = try makeDatabase("CREATE TABLE items (id INTEGER PRIMARY KEY, rank, name DEFAULT '', hidden)")
        for id in 1...count {
            try database.execute("INSERT INTO items (id, rank) VALUES (?1, ?1)", [.integer(Int64(id))])
        }
        return (database, try Watch(database, "items", sort: ["rank"], columns: ["rank", "name"]))
    }

    @Test func rowsThatOthersShiftAreNotReported() throws {
        let (database, items) = try makeItems(9)
        try database.execute("UPDATE items SET rank = 99 WHERE id = 1")
        #expect(items.take() == ["move 1 from 0.0 to 0.8 rank"])
        try database.execute("DELETE FROM items WHERE id = 2")
        #expect(items.take() == ["delete 2 at 0.0"])
    }

    @Test func reversingThreeRowsMovesTwo() throws {
        let (database, items) = try makeItems(3)
        try database.execute("UPDATE items SET rank = 6 - id")
        #expect(items.take() == ["move 2 from 0.1 to 0.1 rank", "move 1 from 0.0 to 0.2 rank"])
    }

    @Test func aMoveMayHaveNumericallyEqualPaths() throws {
        let (database, items) = try makeItems(4)
        // 2 moves after the fixed 3, and 4 before both: 1 4 3 2.
        try database.transaction {
            try database.execute("UPDATE items SET rank = 1 WHERE id = 4")
            try database.execute("UPDATE items SET rank = 8 WHERE id = 2")
        }
        #expect(items.take() == ["move 4 from 0.3 to 0.1 rank", "move 2 from 0.1 to 0.3 rank"])
        #expect(try items.values("rank") == [[1, 1, 3, 8]])
    }

    @Test func aSortKeyThatChangesWithoutChangeOfPlaceIsAnUpdate() throws {
        let (database, items) = try makeItems(3)
        try database.execute("UPDATE items SET rank = 2.5 WHERE id = 2")
        #expect(items.take() == ["update 2 from 0.1 to 0.1 rank"])
        try database.execute("UPDATE items SET rank = rank + 100")
        #expect(
            items.take() == [
                "update 1 from 0.0 to 0.0 rank", "update 2 from 0.1 to 0.1 rank", "update 3 from 0.2 to 0.2 rank",
            ])
    }

    @Test func anUpdateHasTheOldAndTheNewPath() throws {
        let (database, items) = try makeItems(4)
        try database.transaction {
            try database.execute("UPDATE items SET name = 'n' WHERE id = 3")
            try database.execute("DELETE FROM items WHERE id = 1")
        }
        #expect(items.take() == ["delete 1 at 0.0", "update 3 from 0.2 to 0.1 name"])
    }

    @Test func aMoveReportsWhichColumnsChangedPerhapsNone() throws {
        let (database, _) = try makeItems(3)
        let items = try Watch(database, "items", sort: ["hidden", "rank"], columns: ["name"])
        try database.execute("UPDATE items SET hidden = 1 WHERE id = 1")
        #expect(items.take() == ["move 1 from 0.0 to 0.2"])
        try database.execute("UPDATE items SET hidden = 2, name = 'n' WHERE id = 2")
        #expect(items.take() == ["move 2 from 0.0 to 0.2 name"])
    }

    @Test func aRowThatChangesItsSectionMoves() throws {
        let (database, _) = try makeItems(4)
        try database.execute("UPDATE items SET hidden = id / 3")
        let items = try Watch(database, "items", sort: ["rank"], section: "hidden", columns: ["rank"])
        try database.execute("UPDATE items SET hidden = 1 WHERE id = 2")
        #expect(items.take() == ["move 2 from 0.1 to 1.0"])
        try database.execute("UPDATE items SET hidden = 1 WHERE id = 1")
        #expect(items.take() == ["section delete 0 0", "move 1 from 0.0 to 0.0"])
        try database.execute("UPDATE items SET hidden = 7 WHERE id = 4")
        #expect(items.take() == ["section insert 1 7", "move 4 from 0.3 to 1.0"])
    }

    @Test func rowsWhoseKeysDidNotChangeAreFixedPoints() throws {
        let (database, items) = try makeItems(6)
        // One row passes five: of two possible reports, only the one in which it moves itself is
        // allowed.
        try database.execute("UPDATE items SET rank = 0 WHERE id = 6")
        #expect(items.take() == ["move 6 from 0.5 to 0.0 rank"])
        // Two rows pass each other; both keys changed, so one move is enough.
        try database.execute("UPDATE items SET rank = CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE rank END")
        let records = items.take()
        #expect(records.map { $0.prefix(4) }.sorted() == ["move", "upda"])
    }

    @Test func afterAnotherSortEveryRowMayMoveStillTheFewest() throws {
        let (database, items) = try makeItems(6)
        try database.execute("UPDATE items SET name = CASE id WHEN 4 THEN 'a' ELSE 'b' || id END")
        _ = items.take()
        var request = items.request
        request.sorts = [Sort("name")]
        try items.setRequest(request)
        #expect(items.take() == ["move 4 from 0.3 to 0.0"])
        request.sorts = [Sort("name", isDescending: true)]
        try items.setRequest(request)
        #expect(items.take().count == 5)
        request.sorts = [Sort("name", isDescending: true), Sort("rank")]
        try items.setRequest(request)
        #expect(items.take() == [])
    }

    @Test func anotherDirectionOfSectionsMovesSectionsAndNotTheirRows() throws {
        let (database, _) = try makeItems(6)
        try database.execute("UPDATE items SET hidden = (id - 1) / 2")
        let items = try Watch(database, "items", sort: ["rank"], section: "hidden")
        var request = items.request
        request.section = Sort("hidden", isDescending: true)
        try items.setRequest(request)
        let records = items.take()
        #expect(records.count == 2 && records.allSatisfy { $0.hasPrefix("section move") })
        #expect(try items.values("id") == [[5, 6], [3, 4], [1, 2]])
    }
}
