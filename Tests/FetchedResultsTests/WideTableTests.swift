import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Tables with as many columns as SQLite allows, which leave no room for others in a result.
@Suite struct WideTables {
    private static let columns = (0..<2000).map { "c\($0)" }

    /// Two lists' rows and three rows of them, both in tables of 2,000 columns.
    private func makeStore(_ key: String, _ options: StoreOptions = StoreOptions()) throws -> Store {
        let store = try Store(path: ":memory:", options: options)
        let rest = Self.columns.dropFirst(2).joined(separator: ", ")
        for table in ["lists", "items"] {
            let reference = table == "items" ? "c1 REFERENCES lists(c0)" : "c1"
            let suffix = key == "WITHOUT ROWID" ? key : ""
            let primary =
                key == "WITHOUT ROWID" ? "PRIMARY KEY NOT NULL" : table == "lists" && key == "" ? "UNIQUE" : key
            try store.execute("CREATE TABLE \(table) (c0 INTEGER \(primary), \(reference), \(rest)) \(suffix)")
        }
        for (table, id, list) in [("lists", 1, 0), ("lists", 2, 0), ("items", 1, 2), ("items", 2, 1), ("items", 3, 1)] {
            let values = Self.columns.indices.map { Value.integer(Int64($0 == 0 ? id : $0 == 1 ? list : id * $0)) }
            try store.insert(into: table, Array(zip(Self.columns, values)).map { (column: $0, value: $1) })
        }
        return store
    }

    @Test(arguments: ["PRIMARY KEY", "WITHOUT ROWID", ""])
    func listsOfThemAreReadAndFollowed(key: String) throws {
        let store = try makeStore(key)
        let flat = try Watch(store, "items", sort: ["c1999"])
        let sectioned = try Watch(store, "items", sort: ["c3"], section: "c1.c1998")
        let named = try Watch(store, "items", columns: Self.columns.dropLast() + ["c1.c1999"])
        let map = try MapWatch(
            SectionMap(
                store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "lists"),
                itemKey: "c1"))
        #expect(try flat.controller.values("c1999") == [[1999, 3998, 5997]])
        #expect(try sectioned.controller.values("c0") == [[2, 3], [1]])
        #expect(try named.controller.values("c1.c1999") == [[3998, 1999, 1999]])
        #expect(try map.map.values("c70") == [[140, 210], [70]])

        try store.update("items", identity: [2], [("c70", 7), ("c1999", 0)])
        #expect(try flat.delivery().oldValues[0]?[70] == 140)
        #expect(flat.take() == ["move 2 from 0.1 to 0.0 c70 c1999"])
        #expect(sectioned.take() == ["update 2 from 0.0 to 0.0 c70 c1999"])
        #expect(named.take() == ["update 2 from 0.1 to 0.1 c70"])
        #expect(map.take() == ["update 2 from 0.0 to 0.0 c70 c1999"])

        try store.transaction {
            try store.update("lists", identity: [1], [("c1998", 5000), ("c1999", 9)])
            try store.update("items", identity: [1], [("c64", nil)])
        }
        #expect(try named.delivery().oldValues.map { $0?.last } == [3998, 1999, 1999])
        #expect(
            named.take() == [
                "update 1 from 0.0 to 0.0 c64", "update 2 from 0.1 to 0.1 c1.c1999",
                "update 3 from 0.2 to 0.2 c1.c1999",
            ])
        #expect(try sectioned.controller.values("c0") == [[1], [2, 3]])
        #expect(map.take() == ["section update 0 to 0 1", "update 1 from 1.0 to 1.0 c64"])
        #expect(try map.map.sectionObject(at: 0)?["c1999"] == 9)
        try store.delete(from: "items", identity: [3])
        #expect(try store.object("items", identity: [3]) == nil)
        #expect(flat.take().suffix(1) == ["delete 3 at 0.2"])
    }

    @Test func viewsAndSelectsOfThem() throws {
        let store = try makeStore("PRIMARY KEY")
        try store.execute("CREATE VIEW shown AS SELECT * FROM items")
        var view = FetchRequest(entity: "shown")
        view.identity = ["c0"]
        let lists = try [view, FetchRequest(select: "SELECT * FROM items ORDER BY c0", identity: ["c0", "c1"])].map {
            try Watch(store, $0)
        }
        for list in lists { #expect(try list.controller.values("c1999") == [[1999, 3998, 5997]]) }
        try store.update("items", identity: [2], [("c1999", 0)])
        for list in lists { #expect(list.recorder.deliveries.count == 1 && list.recorder.errors.isEmpty) }
        for list in lists { #expect(try list.controller.values("c1999") == [[1999, 0, 5997]]) }
    }

    @Test func moreCriteriaThanAFunctionHasArguments() throws {
        let store = try makeStore("PRIMARY KEY")
        let items = try Watch(store, "items", sort: Self.columns[5..<205].reversed())
        try store.update("items", identity: [1], [("c204", 9999)])
        #expect(items.take() == ["move 1 from 0.0 to 0.2 c204"])
    }
}
