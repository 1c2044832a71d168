import SQLiteKit
import TestSupport
import Testing

@Suite struct SQLTokensTests {
    private static let pieces: [(text: String, token: SQLTokens.Token)] = [
        ("SELECT", .word("SELECT")), ("name_1", .word("name_1")), ("x", .word("x")), ("grün", .word("grün")),
        ("a$b", .word("a$b")), ("\"a \"\" b\"", .quoted("a \" b")), ("`a``b`", .quoted("a`b")),
        ("[a \"b]", .quoted("a \"b")), ("'it''s'", .other), ("x'0a'", .other), ("X'0A'", .other), ("17", .other),
        ("1.5e10", .other), (".", .punctuation(".")), ("?", .parameter), ("?12", .parameter), (":name", .parameter),
        ("@name", .parameter), ("$name", .parameter), ("$a::b", .parameter), (":a(b)", .parameter),
        ("(", .punctuation("(")), (")", .punctuation(")")),
        (",", .punctuation(",")), (";", .punctuation(";")), ("*", .punctuation("*")), ("=", .punctuation("=")),
        ("'-- no comment'", .other), ("\"/* none */\"", .quoted("/* none */")),
    ]

    /// What separates tokens.
    private static let blanks = [" ", "\n", "\t ", " \r\n", " -- 'a\n", "/* \" */", " /**/ ", "/* * / */ "]

    /// Before: tokens with blanks and comments between them. Expected: the tokens, and the place of
    /// each one.
    @Test(arguments: RandomTests.seeds(1..<80)) func tokensAreReadInTheirOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var sql = ""
        var tokens: [SQLTokens.Token] = []
        var ranges: [Range<Int>] = []
        for _ in 0..<random.below(30) {
            sql += random.pick(Self.blanks)
            let piece = random.pick(Self.pieces)
            ranges.append(sql.utf8.count..<(sql.utf8.count + piece.text.utf8.count))
            sql += piece.text
            tokens.append(piece.token)
        }
        sql += random.pick(Self.blanks + ["", "--", "/* no end"])
        let found = Array(SQLTokens(sql))
        let comment = Comment(rawValue: "\(RandomTests.replay(seed, "SQLTokens")): \(sql)")
        #expect(found.map(\.token) == tokens, comment)
        #expect(found.map(\.range) == ranges, comment)
    }

    /// Before: any characters. Expected: tokens that are not empty, in their order.
    @Test(arguments: RandomTests.seeds(1..<80)) func anyTextHasTokens(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts = [
            "'", "\"", "`", "[", "]", "-", "/", "*", "x", "0", ".", "?", ":", "$", " ", "\n", "ä", "\u{301}", "\u{0}",
            "\\",
        ]
        for _ in 0..<20 {
            let sql = (0..<random.below(20)).map { _ in random.pick(parts) }.joined()
            var end = 0
            for (_, range) in SQLTokens(sql) {
                let comment = Comment(rawValue: "\(RandomTests.replay(seed, "SQLTokens")): \(sql)")
                #expect(range.lowerBound >= end && !range.isEmpty && range.upperBound <= sql.utf8.count, comment)
                end = range.upperBound
            }
        }
    }
}
