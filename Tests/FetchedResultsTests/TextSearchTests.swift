import ListEngine
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists of full-text searches, which read touched documents alone.
@Suite struct TextSearchTests {
    /// A full-text index over notes, and how its documents are written.
    struct Mode: CustomTestStringConvertible, Sendable {
        let name: String
        var options = ""
        /// Whether the texts are in the table of the notes.
        var isExternal = false
        var hasTriggers = false
        /// Whether the log shows each document that another connection touches.
        var isFollowedInLog = true
        var isContentless: Bool { options.contains("content=''") }
        var testDescription: String { name }

        var schema: String {
            let content = isExternal ? ", content='notes', content_rowid='id'" : ""
            let delete = isContentless || isExternal
            var sql = """
                CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                CREATE TABLE elsewhere (x);
                CREATE VIRTUAL TABLE words USING fts5(title, body\(content)\(options));
                """
            guard hasTriggers else { return sql }
            let remove =
                delete
                ? "INSERT INTO words (words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body)"
                : "DELETE FROM words WHERE rowid = old.id"
            let insert = "INSERT INTO words (rowid, title, body) VALUES (new.id, new.title, new.body)"
            sql += """
                CREATE TRIGGER note_inserted AFTER INSERT ON notes BEGIN \(insert); END;
                CREATE TRIGGER note_deleted AFTER DELETE ON notes BEGIN \(remove); END;
                CREATE TRIGGER note_updated AFTER UPDATE ON notes BEGIN \(remove); \(insert); END;
                """
            return sql
        }

        /// Statements that write a note and its document.
        func write(_ change: Change) -> [String] {
            if hasTriggers { return [change.sql("notes", "id")] }
            let isDelete = isContentless || isExternal
            var sql: [String] = []
            // The index is written with the texts that it was given.
            if isDelete, let old = change.old {
                sql.append(
                    "INSERT INTO words (words, rowid, title, body) SELECT 'delete', id, title, body FROM notes WHERE id = \(old)"
                )
                sql.append(change.sql("notes", "id"))
                if let new = change.new {
                    sql.append(
                        "INSERT INTO words (rowid, title, body) SELECT id, title, body FROM notes WHERE id = \(new)")
                }
                return sql
            }
            return [change.sql("notes", "id"), change.sql("words", "rowid")]
        }
    }

    enum Change {
        case insert(Int, String, String)
        case update(Int, String)
        case move(Int, Int)
        case delete(Int)

        var old: Int? {
            switch self {
            case .insert: nil
            case .update(let id, _), .move(let id, _), .delete(let id): id
            }
        }

        var new: Int? {
            switch self {
            case .insert(let id, _, _), .update(let id, _), .move(_, let id): id
            case .delete: nil
            }
        }

        func sql(_ table: String, _ key: String) -> String {
            switch self {
            case .insert(let id, let title, let body):
                "INSERT INTO \(table) (\(key), title, body) VALUES (\(id), '\(title)', '\(body)')"
            case .update(let id, let body): "UPDATE \(table) SET body = '\(body)' WHERE \(key) = \(id)"
            case .move(let from, let to): "UPDATE \(table) SET \(key) = \(to) WHERE \(key) = \(from)"
            case .delete(let id): "DELETE FROM \(table) WHERE \(key) = \(id)"
            }
        }
    }

    static let modes = [
        Mode(name: "own texts"), Mode(name: "own texts, by triggers", hasTriggers: true),
        Mode(name: "own texts without sizes", options: ", columnsize=0, prefix='2 3', tokenize='porter'"),
        Mode(name: "external, by triggers", isExternal: true, hasTriggers: true),
        Mode(name: "external", options: ", detail=column", isExternal: true, isFollowedInLog: false),
        Mode(name: "without texts", options: ", content=''", isFollowedInLog: false),
        Mode(
            name: "without texts, by triggers", options: ", content='', detail=none", hasTriggers: true,
            isFollowedInLog: false),
    ]

    enum Place: CaseIterable { case memory, log, logOfOther }

    private static let search = "words MATCH :text"
    /// Predicates on the table of the notes.
    private static let predicates = [
        "id IN (SELECT rowid FROM words WHERE words MATCH :text)",
        "title < 'x' AND notes.id in (select w.rowid from main.words as w where w.words = :text) -- of this",
        "rowid NOT IN (SELECT rowid FROM words WHERE words MATCH :text AND rowid > 2)",
        "EXISTS (SELECT 1 FROM words WHERE words MATCH :text AND words.rowid = notes.id)",
        "NOT EXISTS (SELECT * FROM words WHERE notes.id == words.rowid AND (words MATCH :text OR 0))".replacing(
            " OR 0", with: ""),
        "id IN (SELECT rowid FROM words(:text))", "id = 2 OR id IN (SELECT rowid FROM words WHERE words MATCH :text)",
    ]

    private static let changes: [Change] = [
        .insert(4, "red", "dog"), .insert(5, "green", "cat"), .update(4, "blue cat"), .update(5, "red red"),
        // As many words as before.
        .update(5, "green hen"), .update(5, "red hen"), .move(5, 20), .update(20, "dog"), .move(20, 2000), .delete(1),
        .delete(2000),
    ]

    private static func start(_ mode: Mode) -> [Change] {
        [.insert(1, "red", "fox"), .insert(2, "blue", "red hen"), .insert(3, "blue", "fox")]
    }

    /// The rows of a list, as values.
    private static func rows(_ list: FetchedResultsController) throws -> [[Value]] {
        try (0..<list.numberOfObjects).map { try list.object(at: ListIndexPath(section: 0, row: $0)).values ?? [] }
    }

    /// Before: lists of an index, and of the notes by searches. Change: documents are inserted,
    /// updated, given other rowids and deleted. Expected: each list is what a new one is, without
    /// having been read whole; the log shows less than hooks in some modes.
    @Test(arguments: modes, Place.allCases)
    func aTouchedDocumentIsReadAlone(_ mode: Mode, _ place: Place) throws {
        let file = TemporaryFile()
        let store = try Store(path: place == .memory ? ":memory:" : file.path)
        try store.executeScript(mode.schema)
        for change in Self.start(mode) { for sql in mode.write(change) { try store.execute(sql) } }
        var options = StoreOptions()
        options.journalMode = "unchanged"
        let writer = try place == .logOfOther ? Store(path: file.path, options: options) : store
        var requests = [Self.search, "words = :text AND rowid > 1", "title = 'red' AND words MATCH :text"].map { text in
            FetchRequest(entity: "words", predicate: text, parameters: ["red"])
        }
        requests.append(FetchRequest(entity: "words"))
        requests += Self.predicates.map { text in
            FetchRequest(
                entity: "notes", predicate: text, parameters: ["red"], sorts: [Sort("title")])
        }
        let lists = try requests.map { request in
            let list = try FetchedResultsController(store: store, request: request)
            try list.performFetch()
            return list
        }
        for change in Self.changes {
            try writer.transaction { for sql in mode.write(change) { try writer.execute(sql) } }
            try store.dispatch()
            for list in lists {
                let new = try FetchedResultsController(store: store, request: list.request)
                try new.performFetch()
                let (shown, expected) = (try Self.rows(list), try Self.rows(new))
                #expect(shown == expected, "\(change) \(list.request.predicate ?? "")")
            }
        }
        let isFollowed = mode.isFollowedInLog || place != .logOfOther
        for list in lists {
            let whole = list.counters.rereads.filter { $0.key != .fetch }
            #expect(whole.keys.allSatisfy { !isFollowed && $0 == .foreign }, "\(list.request) \(whole)")
            #expect(isFollowed || !whole.isEmpty)
        }
        let reads = lists.map { $0.counters.rowsRead }
        try writer.execute("INSERT INTO elsewhere VALUES (1)")
        try store.dispatch()
        #expect(lists.map { $0.counters.rowsRead } == reads)
    }

    /// Triggers that write to an index.
    struct Triggers: CustomTestStringConvertible, Sendable {
        var insert = "AFTER INSERT ON notes BEGIN \(Self.add); END"
        var delete = "AFTER DELETE ON notes BEGIN \(Self.remove); END"
        var update = "AFTER UPDATE ON notes BEGIN \(Self.remove); \(Self.add); END"
        var more = ""
        var testDescription: String { [insert, delete, update, more].joined(separator: "; ") }

        static let add = "INSERT INTO words (rowid, title, body) VALUES (new.id, new.title, new.body)"
        static let remove =
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body)"

        /// Before an insert of what is not the row's.
        init(add: String) { insert = "AFTER INSERT ON notes BEGIN \(add); END" }

        init(insert: String? = nil, more: String = "") {
            if let insert { self.insert = insert }
            self.more = more
        }
    }

    /// Before: an index of notes that triggers keep as in FTS5's manual, and a list of a search.
    /// Change: notes. Expected: the list is what a new one is, and `explain()` does not advise
    /// other triggers.
    @Test(arguments: [
        Triggers(),
        Triggers(add: "insert into [words](body, ROWID, title) values (NEW.body, new.rowid, new.\"TITLE\")"),
        Triggers(insert: "AFTER INSERT ON notes FOR EACH ROW BEGIN /* note */ \(Triggers.add); END"),
    ])
    func theRowsTextsAreSearchedWhereTriggersWriteThem(_ triggers: Triggers) throws {
        #expect(try !isAdvised(triggers))
    }

    /// The same with triggers that write something else: `explain()` advises the manual's.
    @Test(arguments: [
        Triggers(add: "INSERT INTO words (rowid, title, body) VALUES (new.id, new.body, new.title)"),
        Triggers(add: "INSERT INTO words (rowid, title, body) VALUES (new.id, 'red', new.body)"),
        Triggers(add: "INSERT INTO words (rowid, title, body) VALUES (new.id, new.title || ' red', new.body)"),
        Triggers(add: "INSERT INTO words (rowid, title, body) VALUES (new.id, upper(new.title), new.body)"),
        Triggers(add: "INSERT INTO words (rowid, title) VALUES (new.id, new.title)"),
        Triggers(add: "INSERT INTO words (rowid, title, body) SELECT new.id, new.title, new.body WHERE new.id < 3"),
        Triggers(add: "\(Triggers.add); UPDATE notes SET title = 'red' WHERE id = new.id AND title = 'blue'"),
        Triggers(insert: "AFTER INSERT ON notes WHEN new.title <> 'red' BEGIN \(Triggers.add); END"),
        Triggers(insert: "BEFORE INSERT ON notes BEGIN \(Triggers.add); END"),
        Triggers(
            more:
                "CREATE TRIGGER other AFTER INSERT ON notes BEGIN \(Triggers.add.replacing("new.title", with: "'red'")); END"
        ),
        Triggers(
            more:
                "CREATE TEMP TRIGGER other AFTER INSERT ON notes BEGIN \(Triggers.add.replacing("new.body", with: "'red'")); END"
        ),
    ])
    func theIndexIsSearchedWhereTriggersWriteSomethingElse(_ triggers: Triggers) throws {
        #expect(try isAdvised(triggers))
    }

    private func isAdvised(_ triggers: Triggers) throws -> Bool {
        let store = try makeStore(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
            CREATE VIRTUAL TABLE words USING fts5(title, body, content='notes', content_rowid='id');
            CREATE TRIGGER note_inserted \(triggers.insert);
            CREATE TRIGGER note_deleted \(triggers.delete);
            CREATE TRIGGER note_updated \(triggers.update);
            \(triggers.more);
            INSERT INTO notes VALUES (1, 'red', 'fox'), (2, 'blue', 'hen');
            """)
        let lists = try ["title : red", "red", "hen"].map { text in
            let list = try FetchedResultsController(
                store: store,
                request: FetchRequest(
                    entity: "notes", predicate: "id IN (SELECT rowid FROM words WHERE words MATCH ?)",
                    parameters: [.text(text)]))
            try list.performFetch()
            return list
        }
        for change in ["INSERT INTO notes VALUES (3, 'red', 'fox')", "INSERT INTO notes VALUES (4, 'blue', 'red')"] {
            try store.execute(change)
            for list in lists {
                let new = try FetchedResultsController(store: store, request: list.request)
                try new.performFetch()
                let (shown, expected) = (try Self.rows(list), try Self.rows(new))
                #expect(shown == expected, "\(change) \(list.request.parameters)")
            }
        }
        return try lists[0].explain().advice.contains { $0.contains("FTS5's manual") }
    }

    /// Before: a list of an index, of three documents. Change: a document is updated, and one that
    /// another connection touches. Expected: records name the column, and have the old text.
    @Test func recordsHaveTheOldTextsOfADocument() throws {
        let store = try makeStore(
            """
            CREATE VIRTUAL TABLE words USING fts5(title, body);
            INSERT INTO words (rowid, title, body) VALUES (1, 'red', 'fox'), (2, 'red', 'hen'), (3, 'blue', 'fox');
            """)
        let watch = try Watch(
            store, FetchRequest(entity: "words", predicate: "words MATCH ?", parameters: ["red"]))
        try store.execute("UPDATE words SET body = 'cat' WHERE rowid = 2")
        #expect(watch.take() == ["update 2 from 0.1 to 0.1 body"])
        try store.execute("UPDATE words SET title = 'green' WHERE rowid = 1")
        #expect(watch.take() == ["delete 1 at 0.0"])
        try store.execute("INSERT INTO words (words) VALUES ('optimize')")
        #expect(watch.take() == [])
    }

    /// A search that can't be followed, and why it is read whole.
    struct Whole: CustomTestStringConvertible, Sendable {
        var options = ""
        let entity: String
        let predicate: String
        var reason = RereadReason.related
        var testDescription: String { predicate + options }
    }

    static let wholes = [
        Whole(entity: "words", predicate: "words MATCH 'red' AND rank < 0"),
        Whole(entity: "words", predicate: "words MATCH 'red' AND bm25(words) < 0"),
        Whole(entity: "words", predicate: "rowid IN (SELECT id FROM notes)"),
        Whole(
            entity: "notes", predicate: "id IN (SELECT rowid FROM words WHERE words MATCH 'red' ORDER BY rank LIMIT 2)"),
        Whole(entity: "notes", predicate: "id IN (SELECT rowid + 1 FROM words WHERE words MATCH 'red')"),
        Whole(entity: "notes", predicate: "id + 1 IN (SELECT rowid FROM words WHERE words MATCH 'red')"),
        Whole(entity: "notes", predicate: "title IN (SELECT title FROM words WHERE words MATCH 'red')"),
        Whole(
            entity: "notes",
            predicate: "EXISTS (SELECT count(*) FROM words WHERE words MATCH 'red' AND words.rowid = notes.id)"),
        Whole(entity: "notes", predicate: "EXISTS (SELECT 1 FROM words WHERE words MATCH 'red')"),
        Whole(
            entity: "notes",
            predicate:
                "title IN (SELECT title FROM notes WHERE id IN (SELECT rowid FROM words WHERE words MATCH 'hen'))"),
        Whole(entity: "notes", predicate: "(SELECT count(*) FROM words WHERE words MATCH 'red') > 1"),
        Whole(entity: "notes", predicate: "id IN (SELECT rowid FROM words WHERE words MATCH 'red' UNION SELECT 1)"),
        Whole(
            options: ", content='notes', content_rowid='id', columnsize=0", entity: "words",
            predicate: "words MATCH 'red'", reason: .view),
        Whole(
            options: ", content='', columnsize=0", entity: "notes",
            predicate: "id IN (SELECT rowid FROM words WHERE words MATCH 'red')"),
    ]

    /// Before: a list that depends on more than touched documents. Change: a document. Expected:
    /// the list is what a new one is, and its counters have the reason.
    @Test(arguments: wholes) func otherSearchesAreReadWhole(_ whole: Whole) throws {
        let store = try makeStore(Mode(name: "", options: whole.options).schema)
        for id in 1...3 {
            for table in ["notes (id", "words (rowid"] {
                try store.execute("INSERT INTO \(table), title, body) VALUES (\(id), 'red', 'fox')")
            }
        }
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: whole.entity, predicate: whole.predicate))
        try list.performFetch()
        for table in ["notes (id", "words (rowid"] {
            try store.execute("INSERT INTO \(table), title, body) VALUES (4, 'red', 'hen')")
        }
        let new = try FetchedResultsController(store: store, request: list.request)
        try new.performFetch()
        let (shown, expected) = (try Self.rows(list), try Self.rows(new))
        #expect(shown == expected)
        let rereads = list.counters.rereads
        #expect(Set(rereads.keys) == [.fetch, whole.reason], "\(rereads)")
    }

    /// Before: a search for a prefix, for which FTS5 seeks no document. Change: two documents, then
    /// three. Expected: the first two are read alone, the next ones with the list.
    @Test(arguments: [("words MATCH 're*'", []), ("words MATCH ?", [Value.text("re*")])])
    func manyDocumentsOfAPrefixAreReadWithTheList(_ predicate: String, _ parameters: [Value]) throws {
        let store = try makeStore(
            """
            CREATE VIRTUAL TABLE words USING fts5(title);
            INSERT INTO words (title) VALUES ('red'), ('read'), ('blue');
            """)
        let watch = try Watch(
            store, FetchRequest(entity: "words", predicate: predicate, parameters: parameters))
        try store.execute("INSERT INTO words (title) VALUES ('reed'), ('reads')")
        #expect(watch.take() == ["insert 4 at 0.2", "insert 5 at 0.3"])
        #expect(watch.controller.counters.rereads == [.fetch: 1])
        try store.execute("UPDATE words SET title = 'green' WHERE rowid < 4")
        #expect(watch.take() == ["delete 2 at 0.1", "delete 1 at 0.0"])
        #expect(watch.controller.counters.rereads == [.fetch: 1, .many: 1])
    }

    /// Before: a list of a module without tables of its own. Change: another table. Expected: the
    /// list is read whole, and its counters say so.
    @Test func aListOfAnUnknownModuleIsReadWholeAfterEachWrite() throws {
        let store = try makeStore(
            """
            CREATE TABLE elsewhere (x); CREATE VIRTUAL TABLE words USING fts5(title);
            CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row');
            """)
        var request = FetchRequest(entity: "terms")
        request.identity = ["term"]
        let watch = try Watch(store, request)
        try store.execute("INSERT INTO words (title) VALUES ('red')")
        #expect(watch.take() == ["insert red at 0.0"])
        try store.execute("INSERT INTO elsewhere VALUES (1)")
        #expect(watch.controller.counters.rereads == [.fetch: 1, .view: 2])
        let explanation = try watch.controller.explain()
        #expect(!explanation.isIncremental && explanation.wholeReads[.view]?.hasPrefix("each commit") == true)
    }
}
