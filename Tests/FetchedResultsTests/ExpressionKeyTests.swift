import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Sorts and sections by expressions. The differential tests have random ones.
@Suite struct ExpressionKeys {
    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE mails (
                id INTEGER PRIMARY KEY, subject TEXT, received INTEGER, box INTEGER REFERENCES boxes (id)
            );
            INSERT INTO boxes VALUES (1, 'in'), (2, 'out');
            INSERT INTO mails VALUES
                (1, 'bread', 86400, 1), (2, 'Apple', 86401, 1), (3, 'cider', 172800, 2), (4, 'Date', 172801, 2);
            """)
    }

    @Test func divideRowsIntoSectionsAndSortThem() throws {
        let mails = try Watch(store, "mails", sort: ["lower(subject)"], section: "date(received, 'unixepoch')")
        #expect(try mails.controller.sectionNames == ["1970-01-02", "1970-01-03"])
        #expect(try mails.controller.values("subject") == [["Apple", "bread"], ["cider", "Date"]])
        try store.execute("UPDATE mails SET received = 86402 WHERE id = 3")
        #expect(mails.take() == ["move 3 from 1.0 to 0.2 received"])
        try store.execute("UPDATE mails SET subject = 'zebra', received = 259200 WHERE id = 2")
        #expect(mails.take() == ["section insert 2 1970-01-04", "move 2 from 0.0 to 2.0 subject received"])
    }

    /// Before: two rows in the order of the lower case. Change: one is spelled differently, and the
    /// other moves before it. Expected: only the other one moves.
    @Test func anEqualKeyIsNoMove() throws {
        let mails = try Watch(store, "mails", where: "id < 3", sort: ["lower(subject)"])
        try store.executeScript(
            "BEGIN; UPDATE mails SET subject = 'BREAD' WHERE id = 1; UPDATE mails SET subject = 'c' WHERE id = 2; COMMIT"
        )
        #expect(mails.take() == ["move 2 from 0.0 to 0.1 subject", "update 1 from 0.1 to 0.0 subject"])
    }

    @Test func followKeyPaths() throws {
        let mails = try Watch(store, "mails", sort: ["box.name || subject"])
        try store.execute("UPDATE boxes SET name = 'archive' WHERE id = 2")
        #expect(try mails.controller.values("subject") == [["Date", "cider", "Apple", "bread"]])
        #expect(mails.take() == ["move 4 from 0.2 to 0.0", "move 3 from 0.3 to 0.1"])
    }

    @Test func compareByTheirCollation() throws {
        func subjects(_ sort: Sort) throws -> [[Value]] {
            try Watch(store, FetchRequest(entity: "mails", sorts: [sort])).controller.values("subject")
        }
        #expect(try subjects(Sort("subject || ''")) == [["Apple", "Date", "bread", "cider"]])
        #expect(try subjects(Sort("subject || '' COLLATE NOCASE")) == [["Apple", "bread", "cider", "Date"]])
        #expect(try subjects(Sort("subject || ''", collation: "NOCASE")) == [["Apple", "bread", "cider", "Date"]])
        #expect(
            try subjects(Sort("subject || ''", isDescending: true, collation: "NOCASE"))
                == [["Date", "cider", "bread", "Apple"]])
    }

    @Test func canBeServedByAnIndex() throws {
        try store.executeScript("CREATE INDEX by_day ON mails (date(received, 'unixepoch'))")
        let mails = try Watch(store, "mails", section: "date(received, 'unixepoch')")
        let plan = try store.connection.prepare(
            "EXPLAIN QUERY PLAN " + mails.controller.engine.compiled.keys.inOrder.sql)
        var steps: [String] = []
        while try plan.step() { steps.append(plan.text(3)) }
        #expect(steps == ["SCAN main.mails USING INDEX by_day"])
    }

    /// Before: a list that is cached. Change: none. Expected: it is taken from the file at the next
    /// start, unless the zone of the process decides.
    @Test(arguments: [
        ("date(id, 'unixepoch')", true), ("date(id, 'unixepoch', 'localtime')", false),
        ("date(id, 'unixepoch', 'UTC')", false),
    ])
    func aListOfDatesIsCached(section: String, isCached: Bool) throws {
        let starts = try Starts()
        var request = FetchRequest(entity: "items", sorts: [Sort("strftime('%d', id, 'auto')")], section: Sort(section))
        request.cacheName = "days"
        #expect(try !starts.fetch(request).isFromCache)
        #expect(try starts.fetch(request).isFromCache == isCached)
        request.predicate = "strftime('%d', id, 'auto') > '01'"
        #expect(try !starts.fetch(request).isFromCache)
        #expect(try !starts.fetch(request).isFromCache)
    }

    /// A column may have any name.
    @Test func aColumnComesFirst() throws {
        try store.executeScript(
            "CREATE TABLE odd (id INTEGER PRIMARY KEY, \"lower(name)\", name); INSERT INTO odd VALUES (1, 2, 'a'), (2, 1, 'B')"
        )
        #expect(try Watch(store, "odd", sort: ["lower(name)"]).controller.values("id") == [[2, 1]])
    }

    @Test(arguments: [
        ("random() + id", "random()"), ("date('now') || id", "'now'"), ("date() || id", "date"),
        ("strftime('%d') || id", "strftime"), ("strftime(trim('%d')) || id", "strftime"),
        ("date(\"NOW\") || id", "NOW"), ("CURRENT_TIME || id", "CURRENT_TIME"), ("count(*)", "count"),
        ("sum(id)", "sum"), ("row_number() OVER (ORDER BY id)", "row_number"), ("1", "no column"),
        ("lower(\"colour\")", "no column"), ("(SELECT id)", "SELECT"), ("id IN (SELECT 1)", "SELECT"),
        ("id + ?", "parameters"), ("id + :p", "parameters"), ("lower(colour)", "colour"), ("lower(id", "parentheses"),
        ("id) + (id", "parentheses"), ("id; DROP TABLE mails", "syntax"), ("id + /*", "incomplete"),
        ("subject DESC", "direction"), ("subject asc", "direction"), ("my subject", "syntax"),
        ("other.id + 1", "other.id"),
    ])
    func whatIsNoKeyIsRefused(key: String, word: String) throws {
        for request in [
            FetchRequest(entity: "mails", sorts: [Sort(key)]), FetchRequest(entity: "mails", section: Sort(key)),
        ] {
            expectFailure(.sql, naming: key, word) {
                _ = try FetchedResultsController(store: store, request: request)
            }
        }
        #expect(try Watch(store, "mails").controller.numberOfObjects == 4)
    }

    @Test func theForeignKeyToATableIsNamed() throws {
        expectFailure(.schema, naming: "boxes", "foreign key", "box") {
            _ = try Watch(store, "mails", sort: ["boxes.name"])
        }
    }
}
