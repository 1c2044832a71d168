import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Keys of rows that were not touched, with which many touched rows are compared.
@Suite struct OtherRows {
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let columns: String
        var options = ""
        let key: String

        /// The rows with the numbers from `first` on. What their names have in common is too long
        /// for an excerpt.
        func insert(_ count: Int, from first: Int) -> String {
            """
            WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT \(key), printf('person %02d of the department for the affairs of the northern \
            provinces %05d', i % 40, i * 7919 % 100000) FROM n
            """
        }
    }

    static let kinds = [
        Kind(testDescription: "rowid", columns: "id INTEGER PRIMARY KEY, name", key: "i"),
        Kind(testDescription: "text key", columns: "id TEXT PRIMARY KEY NOT NULL, name", key: "hex(i * 31 % 997) || i"),
        Kind(
            testDescription: "composite key", columns: "a, b NOT NULL, name, PRIMARY KEY (a, b)",
            key: "iif(i % 3, i % 7, NULL), i"),
        Kind(
            testDescription: "WITHOUT ROWID", columns: "a, b, name, PRIMARY KEY (a, b)", options: "WITHOUT ROWID",
            key: "i % 7, i"),
    ]

    private static let rowCount = 3_000
    private static let changeCount = 400

    /// A list of the rows with leaves of the usual size, which store less of most keys than small
    /// ones.
    private func makeList(
        _ kind: Kind, _ others: String = "", predicate: String? = nil
    ) throws -> (Store, FetchedResultsController) {
        let table = "CREATE TABLE items (\(kind.columns)) \(kind.options);"
        let store = try makeStore("\(table) \(others) \(kind.insert(Self.rowCount, from: 1))")
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", predicate: predicate, sorts: [Sort("name")]))
        try list.performFetch()
        return (store, list)
    }

    /// Runs a statement. Returns what the list read for it, and expects its rows to be those of the
    /// table.
    private func run(_ sql: String, _ store: Store, _ list: FetchedResultsController) throws -> (
        rows: Int, statements: Int
    ) {
        let before = list.counters
        try store.execute(sql)
        let after = list.counters
        var names: [Value] = []
        let test = list.request.predicate.map { "WHERE \($0)" } ?? ""
        try store.query("SELECT name FROM items \(test) ORDER BY name") { names.append($0[0]) }
        #expect(try list.objects.map { try #require(try $0.get()["name"]) } == names)
        return (Int(after.rowsRead - before.rowsRead), Int(after.statementsRun - before.statementsRun))
    }

    /// Before: names that begin alike. Change: 400 more of them in one statement. Expected: most of
    /// the new rows are compared with another one, and each of those is read at most once. The new
    /// rows are read together, unless a table of the program has the name of the table of rowids.
    @Test(arguments: kinds, ["", "CREATE TABLE fetchedresults_rowids (id);"])
    func insertedRowsAreComparedWithOneOther(_ kind: Kind, others: String) throws {
        let (store, list) = try makeList(kind, others)
        let read = try run(kind.insert(Self.changeCount, from: Self.rowCount + 1), store, list)
        #expect(read.rows > Self.changeCount * 3 / 2)
        #expect(read.rows <= Self.changeCount * 2)
        #expect((read.statements <= Self.changeCount + 20) == others.isEmpty)
    }

    /// Before: names that have in common what an excerpt can contain. Change: as above. Expected:
    /// few of the new rows are compared with another one.
    @Test(arguments: kinds) func excerptsPlaceInsertedRows(_ kind: Kind) throws {
        let (store, list) = try makeList(kind)
        try store.execute("UPDATE items SET name = replace(name, ' for the affairs of the northern provinces', '')")
        try list.performFetch()
        let insert = kind.insert(Self.changeCount, from: Self.rowCount + 1)
        let read = try run(insert.replacing(" for the affairs of the northern provinces", with: ""), store, list)
        #expect(read.rows < Self.changeCount * 11 / 10)
    }

    /// The same for rows that get other names, as far as names that begin alike allow.
    @Test(arguments: kinds) func renamedRowsAreComparedWithOneOther(_ kind: Kind) throws {
        let (store, list) = try makeList(kind)
        let read = try run("UPDATE items SET name = name || 'x' WHERE substr(name, -1) = '7'", store, list)
        #expect(read.rows <= Self.rowCount / 10 * 2 + 20)
        #expect(read.statements <= Self.rowCount / 10 + 20)
    }

    /// Before: a list with a predicate. Change: most of its rows get other names in one statement.
    /// Expected: the rows that the predicate selects. They are read together, unless a name in the
    /// predicate means nothing, or something else, where the table is joined with that of rowids.
    @Test(arguments: [
        ("name LIKE '%7%' AND length(name) > 3", true), ("rowid % 3 > 0", false),
        ("name <> 'fetchedresults_rowid'", false), (#"name < "FetchedResults_RowID" OR 1"#, false),
    ])
    func predicatesSelectRowsThatAreReadTogether(_ predicate: String, _ areTogether: Bool) throws {
        for kind in Self.kinds where kind.options.isEmpty || !predicate.hasPrefix("rowid") {
            let (store, list) = try makeList(kind, predicate: predicate)
            let read = try run("UPDATE items SET name = 'a' || name WHERE substr(name, -1) = '7'", store, list)
            #expect((read.statements < Self.rowCount / 20) == areTogether, "\(kind): \(read.statements)")
        }
    }
}
