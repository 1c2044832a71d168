import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// Parameters get the numbers that SQLite gives them, in a text that has no names.
@Suite struct NumberedTextTests {
    private static let parameters = [
        "?", "?1", "?3", "?7", ":a", ":b", "@a", "$a", ":a1", "$a::b", "$a::b(c d)", "@a(x)", "#a", ":ä", "::a", ":",
        "'?1'",
        "':a'", "\":a\"", "`?`", "[:a]", "x'00'", "a", "1", "/* :a */ 1", "-- :b\n 1",
    ]

    /// Before: a SELECT of parameters of all forms, and of what only looks like one. Expected: both
    /// texts are valid or neither is; SQLite gives them the same numbers, and finds names in one.
    @Test(arguments: RandomTests.seeds(1..<200)) func numbersAreSQLites(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
        defer { connection.close() }
        try connection.execute("CREATE TABLE t (a, b)")
        let terms = (0..<1 + random.below(8)).map { _ in random.pick(Self.parameters) }
        let sql = "SELECT \(terms.joined(separator: random.pick([" , ", ","]))) FROM t"
        let text = NumberedText(sql)
        let comment = Comment(rawValue: "\(RandomTests.replay(seed, "NumberedText")): \(sql)")
        guard let original = try? connection.prepare(sql) else {
            #expect((try? connection.prepare(text.sql)) == nil, comment)
            return
        }
        let numbered = try connection.prepare(text.sql)
        let count = original.parameterCount
        #expect(numbered.parameterCount == count, comment)
        let names = (0..<count).map { original.parameterName($0 + 1) }
        for index in 0..<count { #expect(numbered.parameterName(index + 1)?.hasPrefix("?") ?? true, comment) }
        let given = (1...max(count, 1)).prefix(count).map { Value.integer(Int64($0)) }
        #expect(try text.values(.positional(given)) == given, comment)
        guard names.allSatisfy({ $0 != nil }) else {
            #expect(throws: StoreError.self, comment) {
                try text.values(.named(zip(names, given).compactMap { name, value in name.map { ($0, value) } }))
            }
            return
        }
        #expect(try text.values(.named(zip(names, given).map { ($0 ?? "", $1) })) == given, comment)
        try numbered.bind(given)
        try original.bind(given)
    }

    /// A name without a prefix stands for `:name`; the last value of a name counts.
    @Test func namesHaveValues() throws {
        let text = NumberedText("a = :a AND b = @a AND c = :a AND d = ?4 AND e = :b")
        #expect(text.sql == "a = ? AND b = ? AND c = ?1 AND d = ?4 AND e = ?")
        #expect(
            throws: StoreError(
                .sql, "no value is given for the predicate's parameter ?3", sql: text.sql)
        ) { try text.values(.named([("a", 1), ("@a", 2), ("b", 5), ("?4", 4)])) }
        let others = NumberedText("a = :a AND b = @a AND c = :a AND e = :b")
        #expect(try others.values(.named([("a", 9), ("@a", 2), (":b", 3), (":a", 1)])) == [1, 2, 3])
        #expect(throws: StoreError(.sql, "the predicate has no parameter named c", sql: others.sql)) {
            try others.values(.named([("c", 9)]))
        }
    }

    /// Terms are found at any depth of parentheses.
    @Test(arguments: [0, 1, 100, 1_000, 100_000]) func parenthesesAreReadToAnyDepth(_ depth: Int) {
        let open = String(repeating: "(", count: depth)
        let close = String(repeating: ")", count: depth)
        let terms = PredicateTerms(
            "\(open)a = ? AND \(open)b > ? AND c IN (?, ?)\(close)\(close) AND \(open)d = ?5\(close)"
        ).terms
        #expect(terms.map(\.column) == ["a", "b", "c", "d"])
        #expect(PredicateTerms("\(open)a = ? OR b = ?\(close)").terms.isEmpty)
    }
}
