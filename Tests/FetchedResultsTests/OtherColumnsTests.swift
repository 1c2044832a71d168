import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// A list takes a request with other columns: the rows that the program received look different,
/// although no row changed.
@Suite struct OtherColumns {
    private static let all = ["id", "a", "b", "part.name"]

    private func makeStore() throws -> Store {
        try TestSupport.makeStore(Self.script)
    }

    private static let script = """
        CREATE TABLE parts (id INTEGER PRIMARY KEY, name);
        CREATE TABLE items (id INTEGER PRIMARY KEY, a, b, part REFERENCES parts(id));
        CREATE VIEW shown AS SELECT id, a, b, part AS 'part.name' FROM items;
        INSERT INTO parts VALUES (1, 'p1'), (2, 'p2');
        INSERT INTO items VALUES (1, 'a1', 'b1', 1), (2, 'a2', 'b2', 2), (3, 'a3', 'b3', 1);
        """

    private func request(_ kind: String, _ columns: [String]) -> FetchRequest {
        if kind == "SELECT" {
            let list = columns.map { $0 == "id" ? $0 : "\($0 == "part.name" ? "part" : $0) AS '\($0)'" }
            return FetchRequest(
                select: "SELECT \(list.joined(separator: ", ")) FROM items ORDER BY id", identity: ["id"])
        }
        var request = FetchRequest(entity: kind, sorts: [Sort("id")])
        request.columns = columns
        request.batchSize = 1
        if kind == "shown" { request.identity = ["id"] }
        return request
    }

    /// How the program received rows 1 and 2 before.
    private enum Received: CaseIterable {
        case cached
        /// Only a hash of them is cached.
        case asHashes
    }

    /// Before: a list whose first two rows were received. Change: a request with each other choice
    /// of columns. Expected: these two are reported with their new columns and with the old values
    /// that are known; after it, all rows show the new columns.
    @Test(arguments: ["items", "shown", "SELECT"], [false, true])
    func rowsThatWereReceivedAreUpdated(kind: String, isPaused: Bool) throws {
        let store = try makeStore()
        let choices = (1..<1 << Self.all.count).filter { $0 & 1 != 0 }.map { bits in
            Self.all.indices.filter { bits & 1 << $0 != 0 }.map { Self.all[$0] }
        }
        for old in choices {
            for new in choices + [old.reversed()] {
                for received in Received.allCases {
                    let watch = try Watch(store, request(kind, old))
                    let list = watch.controller
                    if received == .asHashes { list.rowCacheSize = 0 }
                    for row in 0..<2 { _ = try list.object(at: ListIndexPath(section: 0, row: row)) }
                    // It is the only one that is cached.
                    if received == .asHashes { _ = try list.object(at: ListIndexPath(section: 0, row: 1)) }
                    if isPaused { try list.setPaused(true) }
                    try list.setRequest(request(kind, new))
                    // A view still shows what it received, whoever reads the list meanwhile.
                    if isPaused, received == .cached { _ = try list.object(at: ListIndexPath(section: 0, row: 1)) }
                    if isPaused { try list.resume() }
                    let comment = Comment(rawValue: "\(old) to \(new) \(received)")
                    try expectUpdates(watch, kind, from: old, to: new, isPaused: isPaused, received, comment)
                    for row in 0..<3 {
                        let object = try list.object(at: ListIndexPath(section: 0, row: row))
                        for column in ["id", "a", "b"] {
                            let value: Value = column == "id" ? .integer(Int64(row + 1)) : .text("\(column)\(row + 1)")
                            #expect(object[column] == (new.contains(column) ? value : Value?.none), comment)
                        }
                    }
                    _ = watch.take()
                    try list.setRequest(request(kind, new))
                    #expect(watch.take() == [], comment)
                }
            }
        }
    }

    private func expectUpdates(
        _ watch: Watch, _ kind: String, from old: [String], to new: [String], isPaused: Bool, _ received: Received,
        _ comment: Comment
    ) throws {
        let deliveries = watch.recorder.deliveries
        guard Set(old) != Set(new) else {
            // The same columns in another order: nothing is known to be different.
            if old == new { #expect(deliveries.isEmpty, comment) }
            return
        }
        #expect(deliveries.count == 1, comment)
        guard let changes = deliveries.first else { return }
        let records = changes.changeSet.objectChanges
        let rows = records.compactMap(\.newPath?.row)
        // The rows of a view and of a SELECT are read, and received, together.
        #expect(rows == [0, 1] || kind != "items" && rows == [0, 1, 2], comment)
        #expect(records.allSatisfy { $0.type == .update }, comment)
        for record in records {
            let object = try changes.object(of: record)
            #expect(
                object["a"] == (new.contains("a") ? .text("a\((record.newPath?.row ?? 0) + 1)") : Value?.none), comment)
            guard !isPaused, received == .cached else { continue }
            let added = new.indices.filter { !old.contains(new[$0]) }
            #expect(record.changedColumns.columns == (added.isEmpty ? nil : added), comment)
        }
    }

    /// Before: a list of which no row was received. Change: a request with other columns, or
    /// another SELECT under the same names. Expected: until the list switches, its rows show what
    /// they showed, or can't be read where docs/changes.md says so.
    @Test(arguments: ["items", "SELECT"], [false, true])
    func unreadRowsShowWhatTheyShowed(kind: String, isInFile: Bool) throws {
        let file = TemporaryFile()
        let store = isInFile ? try Store(path: file.path) : try makeStore()
        if isInFile { try store.executeScript(Self.script) }
        let old = FetchRequest(select: "SELECT id, a AS v FROM items ORDER BY id", identity: ["id"])
        let new = FetchRequest(select: "SELECT id, b AS v FROM items ORDER BY id DESC", identity: ["id"])
        var other = request("items", ["id", "b"])
        other.sorts = [Sort("id", isDescending: true)]
        let watch = try Watch(store, kind == "SELECT" ? old : request("items", ["id", "a"]))
        var seen: [[Value]?] = []
        watch.recorder.willChange = { list in
            for row in 0..<3 {
                let object = try? list.object(at: ListIndexPath(section: 0, row: row))
                seen.append(object.flatMap { $0.values })
            }
        }
        try watch.controller.setRequest(kind == "SELECT" ? new : other)
        let values: [[Value]] = [[1, "a1"], [2, "a2"], [3, "a3"]]
        #expect(seen == (kind == "SELECT" && !isInFile ? [nil, nil, nil] : values))
        #expect(try watch.controller.values(kind == "SELECT" ? "v" : "b") == [["b3", "b2", "b1"]])
    }

    /// Before: a map of items whose sections are rows. Change: other columns of the sections, and
    /// then of a row. Expected: the sections that were received are updated, and all show the new
    /// columns.
    @Test(arguments: [false, true]) func sectionsOfAMapAreUpdated(areReceived: Bool) throws {
        let store = try makeStore()
        var sections = FetchRequest(entity: "parts", sorts: [Sort("id")])
        sections.columns = ["id"]
        let map = try MapWatch(
            SectionMap(store: store, items: FetchRequest(entity: "items"), sections: sections, itemKey: "part"))
        if areReceived { for index in 0..<2 { _ = try map.map.sectionObject(at: index) } }
        sections.columns = ["id", "name"]
        try map.map.setSectionRequest(sections)
        let updated = map.recorder.deliveries.map { $0.changeSet.sectionChanges.map(\.oldIndex) }
        #expect(updated == (areReceived ? [[0, 1]] : []))
        for index in 0..<2 {
            #expect(try map.map.sectionObject(at: index)?["name"] == .text("p\(index + 1)"))
        }
        try store.execute("UPDATE parts SET name = 'new' WHERE id = 2")
        #expect(map.recorder.deliveries.last?.changeSet.sectionChanges.map(\.oldIndex) == [1])
        #expect(try map.map.sectionObject(at: 1)?["name"] == "new")
    }

    /// Before: received rows. Change: other columns together with another predicate and order.
    /// Expected: rows that stay and move have the new columns; deleted ones have the old.
    @Test func otherChangesOfTheRequestAreInTheSameChangeSet() throws {
        let store = try makeStore()
        let watch = try Watch(store, "items", sort: ["id"], columns: ["id", "a"])
        for row in 0..<3 { _ = try watch.controller.object(at: ListIndexPath(section: 0, row: row)) }
        var request = FetchRequest(entity: "items", predicate: "id <> 2", sorts: [Sort("id", isDescending: true)])
        request.columns = ["id", "b"]
        try watch.controller.setRequest(request)
        let changes = try watch.delivery()
        #expect(watch.recorder.deliveries.count == 1)
        #expect(
            changes.changeSet.objectChanges.map { change in
                "\(change.type) \(changes.identity(of: change)[0])"
            }.sorted() == ["delete 2", "move 3", "update 1"])
        for change in changes.changeSet.objectChanges {
            let object = try changes.object(of: change)
            #expect(object[change.type == .delete ? "b" : "a"] == nil)
            #expect(object[change.type == .delete ? "a" : "b"] != nil)
        }
    }

    /// Before: received rows. Change: a request that can't be read. Expected: the list shows the
    /// old columns, and follows.
    @Test func afterAFailureTheOldColumnsAreShown() throws {
        let store = try makeStore()
        try store.addFunction("checked", argumentCount: 1) { values in
            guard values[0] != "a3" else { throw StoreError(.error, "refused") }
            return 1
        }
        let watch = try Watch(store, "items", sort: ["id"], columns: ["id", "a"])
        for row in 0..<3 { _ = try watch.controller.object(at: ListIndexPath(section: 0, row: row)) }
        var request = FetchRequest(entity: "items", predicate: "checked(a)", sorts: [Sort("id")])
        request.columns = ["id", "b"]
        #expect(throws: StoreError.self) { try watch.controller.setRequest(request) }
        #expect(try watch.controller.values("a") == [["a1", "a2", "a3"]])
        try store.execute("UPDATE items SET a = 'x' WHERE id = 1")
        #expect(watch.take() == ["update 1 from 0.0 to 0.0 a"])
        #expect(try watch.controller.values("a") == [["x", "a2", "a3"]])
    }
}
