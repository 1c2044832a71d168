import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Lists that read virtual tables: what makes them read again.
@Suite struct VirtualTableTests {
    /// A virtual table with what lists of it need, and writes that change what it yields.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let schema: String
        let select: String
        let writes: [String]
        var testDescription: String { name }
    }

    private static let documents =
        """
        CREATE TABLE documents (id INTEGER PRIMARY KEY, body, "the 'body'");
        INSERT INTO documents VALUES (1, 'red fox', 'a'), (2, 'red hen', 'b'), (3, 'blue fox', 'c');
        """
    private static let matches = "SELECT rowid AS id, body FROM found WHERE found MATCH 'red' ORDER BY rank, rowid"
    private static let ids = "SELECT rowid AS id FROM found WHERE found MATCH 'red' ORDER BY rowid"
    private static let inner = [
        "INSERT INTO found (rowid, body) VALUES (9, 'red red'), (10, 'green')",
        "UPDATE found SET body = 'blue ' || body WHERE rowid = 1", "UPDATE found SET rowid = 20 WHERE rowid = 2",
        "DELETE FROM found WHERE rowid = 9", "INSERT OR REPLACE INTO found (rowid, body) VALUES (20, 'blue')",
        "INSERT INTO found (found) VALUES ('rebuild')", "INSERT INTO found (found) VALUES ('optimize')",
    ]

    static let forms: [Form] = [
        Form(
            name: "FTS5",
            schema: documents + "CREATE VIRTUAL TABLE found USING fts5(body);"
                + "INSERT INTO found (rowid, body) SELECT id, body FROM documents", select: matches,
            writes: inner + ["INSERT INTO found (found, rank) VALUES ('rank', 'bm25(-1.0)')"]),
        Form(
            name: "FTS5 without sizes",
            schema: documents + "CREATE VIRTUAL TABLE found USING fts5(body, columnsize = 0);"
                + "INSERT INTO found (rowid, body) SELECT id, body FROM documents", select: ids, writes: inner),
        Form(
            name: "FTS5, external",
            schema: documents
                + "CREATE VIRTUAL TABLE found USING fts5(body, content = 'documents', content_rowid = id);"
                + "INSERT INTO found (found) VALUES ('rebuild')", select: matches,
            writes: [
                "INSERT INTO documents VALUES (4, 'red', 'd')", "INSERT INTO found (rowid, body) VALUES (4, 'red')",
                "UPDATE documents SET body = 'red cat' WHERE id = 3", "INSERT INTO found (found) VALUES ('rebuild')",
                "UPDATE documents SET body = 'red dog' WHERE id = 1",
                "INSERT INTO found (found, rowid, body) VALUES ('delete', 4, 'red')",
            ]),
        Form(
            name: "FTS5, without texts",
            schema: "CREATE VIRTUAL TABLE found USING fts5(body, content='');"
                + "INSERT INTO found (rowid, body) VALUES (1, 'red'), (2, 'blue')", select: ids,
            writes: [
                "INSERT INTO found (rowid, body) VALUES (3, 'red')",
                "INSERT INTO found (found, rowid, body) VALUES ('delete', 1, 'red')",
                "INSERT INTO found (rowid, body) VALUES (1, 'hen')",
                """
                BEGIN; INSERT INTO found (found, rowid, body) VALUES ('delete', 1, 'hen');
                INSERT INTO found (rowid, body) VALUES (1, 'red'); COMMIT
                """,
                "INSERT INTO found (found) VALUES ('delete-all')",
            ]),
        Form(
            name: "FTS4",
            schema: documents + "CREATE VIRTUAL TABLE found USING fts4(body);"
                + "INSERT INTO found (rowid, body) SELECT id, body FROM documents",
            select: "SELECT rowid AS id, body FROM found WHERE found MATCH 'red' ORDER BY rowid", writes: inner),
        Form(
            name: "FTS4, external",
            schema: documents
                + "CREATE VIRTUAL TABLE found USING fts4(body, \"the 'body'\", content=\"documents\");"
                + "INSERT INTO found (found) VALUES ('rebuild')", select: ids,
            writes: [
                "INSERT INTO documents VALUES (4, 'red', 'd')",
                "INSERT INTO found (docid, body, \"the 'body'\") VALUES (4, 'red', 'd')",
                "UPDATE documents SET body = 'red cat' WHERE id = 3", "INSERT INTO found (found) VALUES ('rebuild')",
            ]),
        Form(
            name: "R-Tree",
            schema: "CREATE VIRTUAL TABLE found USING rtree(id, low, high);"
                + "INSERT INTO found VALUES (1, 0, 1), (2, 5, 6), (3, 2, 3)",
            select: "SELECT id, low FROM found WHERE low < 4 ORDER BY low",
            writes: [
                "UPDATE found SET low = 4, high = 9 WHERE id = 1", "UPDATE found SET low = 2.5 WHERE id = 3",
                "INSERT INTO found VALUES (7, 1, 1)", "DELETE FROM found WHERE id = 3",
            ]),
        Form(
            name: "FTS5, external, with a quote",
            schema: """
                CREATE TABLE "it's" (id INTEGER PRIMARY KEY, body); INSERT INTO "it's" VALUES (1, 'red'), (2, 'blue');
                CREATE VIRTUAL TABLE found USING fts5(body, content='it''s', content_rowid='id');
                INSERT INTO found (found) VALUES ('rebuild');
                """, select: matches,
            writes: [
                "UPDATE \"it's\" SET body = 'red hen' WHERE id = 1",
                "INSERT INTO \"it's\" VALUES (3, 'red'); INSERT INTO found (rowid, body) VALUES (3, 'red')",
            ]
        ),
        Form(
            name: "a name within a name",
            schema: documents
                + """
                CREATE VIRTUAL TABLE found USING fts5(body); CREATE VIRTUAL TABLE found_a USING fts5(body);
                INSERT INTO found (rowid, body) SELECT id, body FROM documents;
                INSERT INTO found_a (rowid, body) VALUES (1, 'x');
                """, select: matches, writes: inner),
    ]

    enum Place: CaseIterable {
        case memory, log, logOfOther, rollback, rollbackOfOther

        var isRollback: Bool { self == .rollback || self == .rollbackOfOther }
        var isOther: Bool { self == .logOfOther || self == .rollbackOfOther }
    }

    /// Before: a list of the SELECT. Change: writes, of the store or of another connection.
    /// Expected: what the SELECT yields; nothing is read again for a write to another table.
    @Test(arguments: forms, Place.allCases)
    func aListOfAVirtualTableFollowsItsTables(_ form: Form, _ place: Place) throws {
        let file = TemporaryFile()
        let store = try Store(path: place == .memory ? ":memory:" : file.path)
        if place.isRollback { try store.execute("PRAGMA journal_mode = DELETE") }
        try store.executeScript(form.schema + "; CREATE TABLE elsewhere (x)")
        var options = StoreOptions()
        options.journalMode = "unchanged"
        let writer = try place.isOther ? Store(path: file.path, options: options) : store
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(select: form.select, identity: ["id"]))
        try list.performFetch()
        for write in form.writes {
            try writer.executeScript(write)
            try store.dispatch()
            let expected = try store.connection.rows(form.select)
            let shown = try (0..<list.numberOfObjects).map {
                try list.object(at: ListIndexPath(section: 0, row: $0)).values ?? []
            }
            #expect(shown == expected, "\(write)")
        }
        let reads = list.counters.rereads
        try writer.execute("INSERT INTO elsewhere VALUES (1)")
        try store.dispatch()
        if !place.isRollback { #expect(list.counters.rereads == reads) }
    }
}
