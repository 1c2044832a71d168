import CSQLite
import SQLiteKit
import TestSupport
import Testing

/// Searches of documents by their texts, which find what the index finds that has them.
@Suite struct DocumentSearchTests {
    /// The arguments of an index, and its tokenizers.
    struct Index: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        var tokenizers = ["unicode61"]
        var testDescription: String { arguments.joined(separator: ", ") }

        var layout: DocumentIndex.Layout {
            DocumentIndex.Layout(arguments, tokenizers: tokenizers, columns: ["a", "b"])
        }
    }

    static let indexes = [
        Index(arguments: ["a", "b"]),
        Index(arguments: ["a", "b", "tokenize = 'porter unicode61'"], tokenizers: ["porter", "unicode61"]),
        Index(arguments: ["a", "b", "tokenize = \"unicode61 remove_diacritics 0 tokenchars '-'\""]),
        Index(arguments: ["a", "b", "tokenize = ascii", "detail = column"], tokenizers: ["ascii"]),
        Index(arguments: ["a", "b", "detail = none"]), Index(arguments: ["a", "b UNINDEXED"]),
        Index(arguments: ["a", "b", "tokenize = trigram"], tokenizers: ["trigram"]),
    ]

    private static let words = ["red", "reds", "green", "blue", "fox", "hen", "a", "über", "uber", "ÜBER", "x-y", "5"]
    private static let queries: [Value] =
        [
            "red", "red fox", "red OR hen", "\"red fox\"", "NEAR(red fox, 2)", "re* OR b*", "b : red OR hen",
            "{a b} : fox", "- a : red", "red NOT hen", "über", "^red OR blue", "red + green", "\"x-y\"", "", "red AND",
            "c : red", "\"",
        ].map { .text($0) } + [.null, .integer(5), .blob([0x72, 0x65, 0x64])]

    private static func makeValue(_ random: inout SeededRandom) -> Value {
        switch random.below(12) {
        case 0: .null
        case 1: .integer(5)
        case 2: .real(5.5)
        case 3: .blob(Array("red fox".utf8))
        case 4: .text("red\u{0}fox")
        default:
            .text(
                (0..<random.below(8)).map { _ in random.pick(words) }.joined(separator: random.pick([" ", ", ", "  "])))
        }
    }

    /// Whether a statement yields 1, 0 or NULL; an error is NULL as well.
    private static func answer(_ connection: Connection, _ sql: String, _ values: [Value]) -> Value {
        do {
            let statement = try connection.prepare(sql)
            try statement.bind(values)
            defer { statement.reset() }
            return try statement.step() ? statement.rowValues(from: 0, count: 1).values[0] : .null
        } catch {
            return .null
        }
    }

    /// Before: an index with random documents, of values of all types. Expected: each query finds
    /// by the texts of a document what it finds in the index, in all columns and in one; NULL
    /// stands for its error. Documents that are not known have no answer.
    @Test(arguments: indexes, ["UTF-8", "UTF-16le"])
    func theyFindWhatTheIndexFinds(_ index: Index, _ encoding: String) throws {
        var random = SeededRandom(seed: 5)
        let connection = try memoryConnection(encoding: encoding)
        defer { connection.close() }
        try connection.execute("CREATE VIRTUAL TABLE t USING fts5(\(index.testDescription))")
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?1, ?2)")
        var rows = TouchedRows()
        for id in 1...70 {
            try insert.bind([Self.makeValue(&random), Self.makeValue(&random)])
            try insert.run()
            rows.add(.rowid(Int64(id), image: nil))
        }
        var answers: Set<Int64> = []
        for column in [nil, "a", "b"] {
            let (number, documents) = try #require(try connection.documentSearch(column, index.layout))
            let call = "SELECT fr_matches(\(number), t.rowid, ?1, t.a, t.b) FROM t WHERE t.rowid = ?2"
            #expect(Self.answer(connection, call, [.text("red"), .integer(1)]) == .null)
            documents.documents = [rows]
            for id in 1...70 {
                for query in Self.queries {
                    let found = Self.answer(connection, call, [query, .integer(Int64(id))])
                    let test = "SELECT EXISTS (SELECT 1 FROM t WHERE \(column ?? "t") MATCH ?1 AND rowid = ?2)"
                    let expected = Self.answer(connection, test, [query, .integer(Int64(id))])
                    #expect(found == expected, "\(query) in \(column ?? "t") of \(id)")
                    if case .integer(let answer) = found { answers.insert(answer) }
                }
            }
            documents.documents = [rows, TouchedRows()]
            #expect(Self.answer(connection, call, [.text("red"), .integer(1)]) == .null)
            documents.documents = []
        }
        #expect(answers == [0, 1])
    }

    /// Before: a connection on which a search by texts is possible. Change: the program registers
    /// another tokenizer under the name of FTS5's. Expected: no search by texts, which would be
    /// made with FTS5's.
    @Test func aReplacedTokenizerIsNotUsed() throws {
        let connection = try memoryConnection(encoding: "UTF-8")
        defer { connection.close() }
        let layout = Self.indexes[0].layout
        #expect(try connection.documentSearch(nil, layout) != nil)
        var statement: OpaquePointer?
        var api: UnsafeMutablePointer<fts5_api>?
        unsafe sqlite3_prepare_v2(connection.handle, "SELECT fts5(?1)", -1, &statement, nil)
        unsafe withUnsafeMutablePointer(to: &api) { place in
            _ = unsafe sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
            _ = unsafe sqlite3_step(statement)
        }
        unsafe sqlite3_finalize(statement)
        var (data, ascii): (UnsafeMutableRawPointer?, fts5_tokenizer) = (nil, fts5_tokenizer())
        #expect(unsafe api?.pointee.xFindTokenizer(api, "ascii", &data, &ascii) == SQLITE_OK)
        #expect(unsafe api?.pointee.xCreateTokenizer(api, "unicode61", data, &ascii, nil) == SQLITE_OK)
        #expect(try connection.documentSearch(nil, layout) == nil)
        #expect(try connection.documentSearch(nil, Self.indexes[3].layout) != nil)
    }

    /// Expected: an index in memory that can't be made, or lacks the column, answers nothing.
    @Test func whatCannotBeInMemoryIsNotSearched() throws {
        let connection = try memoryConnection(encoding: "UTF-8")
        defer { connection.close() }
        for arguments in [["documents", "b"], ["a", "b", "unknown = 1"], ["a -- comment"]] {
            let layout = DocumentIndex.Layout(arguments, tokenizers: ["unicode61"], columns: ["a", "b"])
            #expect(try connection.documentSearch(nil, layout) == nil, "\(arguments)")
        }
        #expect(try connection.documentSearch("c", Self.indexes[0].layout) == nil)
    }
}
