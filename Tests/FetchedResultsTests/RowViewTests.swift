import ListEngine
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Views that show the rows of one table, each by itself, and are followed as the table is.
@Suite struct RowViews {
    /// A view, the columns that identify its rows, and the table that it shows.
    struct View: CustomStringConvertible {
        let sql: String
        var identity = ["id"]
        var table = "data"
        var description: String { sql }
    }

    private static let followed = [
        View(sql: "SELECT id, json_extract(data, '$.title') AS title, json_extract(data, '$.done') AS done FROM data"),
        View(sql: "SELECT d.id, upper(d.data) AS title FROM data AS d WHERE d.n > 1 -- the end"),
        View(sql: "SELECT d.\"id\" AS [the id], data title, n from data d", identity: ["the id"]),
        View(sql: "SELECT *, n + 1 AS title FROM data WHERE n IN (1, 2) AND data LIKE '%t%' /* end */"),
        View(sql: "SELECT data.*, CASE WHEN n > 2 THEN id END AS title FROM data"),
        View(sql: "SELECT id, abs(n - 2) AS title, strftime('%Y', n) FROM data"),
        View(sql: "SELECT rowid AS id, json_extract(x, '$.title') AS title, n FROM plain", table: "plain"),
        View(sql: "SELECT key AS id, data AS title, n FROM keyed WHERE data > 'T2'", table: "keyed"),
        View(sql: "SELECT rowid AS id, data AS title, n FROM keyed", table: "keyed"),
        View(sql: "SELECT b, a AS aa, data AS title FROM pairs", identity: ["aa", "b"], table: "pairs"),
    ]

    private static let readWhole = [
        View(sql: "SELECT id, max(n) AS title FROM data"),
        View(sql: "SELECT id, n AS title FROM data WHERE n GROUP BY n"),
        View(sql: "SELECT DISTINCT id, n AS title FROM data"),
        View(sql: "SELECT id, n AS title FROM data WHERE n ORDER BY id LIMIT 3"),
        View(sql: "SELECT id, n AS title FROM data ORDER BY id LIMIT 3"),
        View(sql: "SELECT id, row_number() OVER (ORDER BY n, id) AS title FROM data"),
        View(sql: "SELECT id, (SELECT x FROM other WHERE other.id = n) AS title FROM data"),
        View(sql: "SELECT id, n AS title FROM data WHERE EXISTS (SELECT 1 FROM other WHERE id = n)"),
        View(sql: "SELECT id, n AS title FROM data WHERE n IN single"),
        View(sql: "SELECT data.id, n AS title FROM data, other WHERE other.id = n"),
        View(sql: "SELECT data.id, n AS title FROM data LEFT JOIN other ON other.id = n"),
        View(sql: "SELECT a.id, a.n AS title FROM data a LEFT JOIN data b ON a.id = b.id"),
        View(sql: "SELECT id, n AS title FROM data UNION ALL SELECT 'z', 1"),
        View(sql: "SELECT id, n AS title FROM data WHERE n UNION SELECT 'z', 1"),
        View(sql: "WITH c AS (SELECT * FROM data) SELECT id, n AS title FROM c"),
        View(sql: "SELECT id, n AS title FROM data WHERE date('now') > '2000'"),
        View(sql: "SELECT id, n AS title FROM data WHERE random() IS NOT NULL"),
        View(sql: "SELECT id || '' AS id, n AS title FROM data"),
        View(sql: "SELECT id, n AS title FROM data", identity: ["id", "title"]),
        View(sql: "SELECT a AS id, data AS title FROM pairs WHERE b = 3", table: "pairs"),
        View(sql: "SELECT id, n AS title FROM maybe", table: "maybe"),
    ]

    private final class World {
        let file = TemporaryFile()
        let store: Store
        let other: Connection
        private(set) var lists: [Watch] = []
        private var random = SeededRandom(seed: 1)

        /// - Parameter sums: Whether lists with totals, and lists of groups, are among the lists.
        init(_ view: View, section: String, sums: Bool) throws {
            store = try Store(path: file.path)
            try store.executeScript(
                """
                CREATE TABLE data (id TEXT PRIMARY KEY NOT NULL, data TEXT, n INTEGER);
                CREATE TABLE maybe (id TEXT PRIMARY KEY, data TEXT, n INTEGER);
                CREATE TABLE plain (x, n INTEGER);
                CREATE TABLE keyed (key INTEGER PRIMARY KEY, data TEXT COLLATE NOCASE, n INTEGER);
                CREATE TABLE pairs (
                    a TEXT NOT NULL COLLATE NOCASE, b INTEGER NOT NULL, data TEXT, n INTEGER, PRIMARY KEY (b, a));
                CREATE TABLE other (id INTEGER PRIMARY KEY, x); INSERT INTO other VALUES (1, 'one'), (2, 'two');
                CREATE TABLE single (n INTEGER PRIMARY KEY); INSERT INTO single VALUES (1), (2);
                CREATE VIEW v AS \(view.sql);
                """)
            other = try Connection.open(path: file.path, readOnly: false, create: false)
            let requests = [nil, "title IS NOT NULL AND title <> 't3'"].flatMap { predicate in
                [false, true].map { isWindow in
                    var request = FetchRequest(entity: "v", predicate: predicate, sorts: [Sort("title")])
                    request.identity = view.identity
                    if isWindow { request.limit = 7 } else { request.section = Sort(section) }
                    return request
                }
            }
            let totals = [
                Total("rows", .count), Total("long", .count, of: "title > 't2'"),
                Total("sum", .sum, of: "length(title)"),
                Total("most", .max, of: "length(title)"),
            ]
            let summing = requests.map { request in
                var request = request
                (request.totals, request.totalsOfAllRows) = (totals, true)
                return request
            }
            let groups = [nil, "title <> 't3'"].map { predicate in
                var request = FetchRequest(entity: "v", predicate: predicate)
                (request.identity, request.groupBy, request.totals) = (view.identity, ["lower(title)"], totals)
                return request
            }
            for number in 1...40 { try change(view.table, 0, number) }
            lists = try (requests + (sums ? summing + groups : [])).map { try Watch(store, $0) }
        }

        deinit { other.close() }

        /// Changes a table, by its own statements, through the store or another connection.
        func change(_ table: String, _ kind: Int, _ number: Int) throws {
            let (json, n) = ("json_object('title', 't' || \(number % 7), 'done', \(number % 3))", number % 5)
            let insert =
                switch table {
                case "plain": "INTO plain VALUES (\(json), \(n))"
                case "keyed": "INTO keyed VALUES (\(number), 'T' || \(number % 7), \(n))"
                case "pairs": "INTO pairs VALUES ('a' || \(number % 4), \(number % 9), 't' || \(number % 7), \(n))"
                default: "INTO \(table) VALUES ('k' || \(number), \(json), \(n))"
                }
            let (key, content) =
                switch table {
                case "plain": ("rowid = \(number + 3)", "x = \(json)")
                case "keyed": ("key = \(number + 3)", "data = 't' || \(n)")
                case "pairs": ("a = 'A' || \(number % 3)", "data = 't' || \(n)")
                default: ("id = 'k' || \(number + 3)", "data = \(json)")
                }
            let sql =
                switch kind {
                case 0: "INSERT OR REPLACE \(insert)"
                case 1: "UPDATE \(table) SET \(content) WHERE rowid = \(number)"
                case 2: "UPDATE \(table) SET n = n + 1, \(content) WHERE n = \(n)"
                case 3: "UPDATE OR REPLACE \(table) SET \(key) WHERE rowid = \(number)"
                case 4: "UPDATE OR IGNORE \(table) SET rowid = \(number + 5) WHERE rowid = \(number)"
                case 5: "DELETE FROM \(table) WHERE rowid = \(number)"
                default: "DELETE FROM \(table) WHERE n = \(n) AND rowid > 30"
                }
            if random.chance(50) {
                try store.execute(sql)
            } else {
                try other.execute(sql)
                try store.dispatch()
            }
        }

        /// Runs random changes, and compares each list with a new one after each of them.
        func run(_ table: String) throws {
            for step in 0..<60 {
                let kind = random.below(7)
                try change(table, kind, 1 + random.below(45))
                for list in lists {
                    let shown = try Self.rows(list.controller)
                    let fetched = try FetchedResultsController(store: store, request: list.controller.request)
                    try fetched.performFetch()
                    let expected = try Self.rows(fetched)
                    try #require(shown == expected, "step \(step), change \(kind)")
                }
            }
        }

        /// The rows of all sections, with the totals of the list and of each section.
        private static func rows(_ list: FetchedResultsController) throws -> [[[Value]]] {
            let sections = try (0..<list.numberOfSections).map { section in
                try (0..<list.numberOfObjects(inSection: section)).map { row in
                    let object = try list.object(at: ListIndexPath(section: section, row: row))
                    return object.layout.columns.map { object[$0] ?? nil }
                }
            }
            let totals = try (0..<list.numberOfSections).map { try list.totals(ofSection: $0).values ?? [] }
            return sections + [[try list.totals().values ?? []] + totals]
        }
    }

    @Test(arguments: followed) func areFollowedRowByRow(view: View) throws {
        let world = try World(view, section: "length(title)", sums: true)
        try world.run(view.table)
        for list in world.lists {
            let rereads = list.controller.counters.rereads
            #expect(rereads[.view] == nil && rereads[.foreign] == nil && rereads[.related] == nil, "\(rereads)")
        }
    }

    @Test(arguments: readWhole) func otherViewsAreReadWhole(view: View) throws {
        let world = try World(view, section: "title", sums: false)
        try world.run(view.table)
        #expect(world.lists[0].controller.counters.rereads[.view] ?? 0 > 0)
    }

    /// Before: the sum of a view's rows, of a list and of groups. Change: a row that leaves the
    /// view.
    /// Expected: that row alone is read.
    @Test func totalsOfAViewReadTouchedRowsAlone() throws {
        let store = try makeStore(
            """
            CREATE TABLE data (id INTEGER PRIMARY KEY, n INTEGER);
            INSERT INTO data VALUES (1, 1), (2, 2), (3, 3), (4, 4);
            CREATE VIEW v AS SELECT id, n * 2 AS m FROM data WHERE n > 1;
            """)
        var request = FetchRequest(entity: "v", sorts: [Sort("m")])
        (request.identity, request.totals) = (["id"], [Total("sum", .sum, of: "m")])
        let list = try Watch(store, request)
        (request.sorts, request.groupBy) = ([], ["m > 4"])
        let groups = try Watch(store, request)
        func rowsRead() -> [Int] { [list, groups].map { $0.controller.counters.rowsRead } }
        let before = rowsRead()
        try store.execute("UPDATE data SET n = n - 2 WHERE id = 3")
        #expect(try list.controller.totals()["sum"] == 12)
        #expect(try groups.controller.values("sum") == [[4, 8]])
        // A group is a row as well.
        #expect(rowsRead() == [before[0] + 1, before[1] + 2])
        try store.execute("UPDATE data SET n = 5 WHERE id = 3")
        #expect(try list.controller.totals()["sum"] == 22)
        #expect(try groups.controller.values("sum") == [[4, 18]])
    }

    /// Before: a view of a view, of a virtual table, in the temporary database, and of a table
    /// WITHOUT ROWID. Expected: they are read whole, and right.
    @Test func viewsOfOtherEntitiesAreReadWhole() throws {
        let store = try makeStore(
            """
            CREATE TABLE data (id INTEGER PRIMARY KEY, n); CREATE VIEW first AS SELECT id, n FROM data;
            CREATE VIEW second AS SELECT id, n FROM first;
            CREATE TEMP VIEW third AS SELECT id, n FROM data;
            CREATE TABLE without (id TEXT PRIMARY KEY, n) WITHOUT ROWID;
            CREATE VIEW fourth AS SELECT id, n FROM without;
            """)
        for (view, table) in [("second", "data"), ("third", "data"), ("fourth", "without")] {
            var request = FetchRequest(entity: view, sorts: [Sort("n")])
            request.identity = ["id"]
            let watch = try Watch(store, request)
            try store.execute("INSERT INTO \(table) VALUES (1, 2)")
            #expect(watch.take() == ["insert 1 at 0.0"], "\(view)")
            #expect(watch.controller.counters.rereads[.view] == 1, "\(view)")
            try store.execute("DELETE FROM \(table)")
        }
    }

    /// Before: a list of a view. Change: the view is replaced by one with another expression, and
    /// then in a way that can't be followed row by row. Expected: the difference each time.
    @Test func aViewThatIsReplacedIsReadAgain() throws {
        let store = try makeStore(
            """
            CREATE TABLE data (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO data VALUES (1, 1), (2, 2);
            CREATE VIEW v AS SELECT id, n AS m FROM data;
            """)
        var request = FetchRequest(entity: "v", sorts: [Sort("m")])
        request.identity = ["id"]
        let watch = try Watch(store, request)
        _ = try watch.controller.values("m")
        for definition in ["SELECT id, -n AS m FROM data", "SELECT id, sum(n) AS m FROM data GROUP BY id"] {
            try store.executeScript("DROP VIEW v; CREATE VIEW v AS \(definition)")
            try store.execute("UPDATE data SET n = n + 10")
            let fetched = try FetchedResultsController(store: store, request: request)
            try fetched.performFetch()
            let expected = try fetched.values("m")
            #expect(try watch.controller.values("m") == expected)
        }
    }
}
