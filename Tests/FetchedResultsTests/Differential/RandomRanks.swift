import FetchedResults
import SQLiteKit
import TestSupport

/// Ranks, highlights and snippets in requests for the documents of a full-text index.
///
/// The judge of ranks is SQLite's own `bm25`, as long as the present statistics are those of the
/// list; with older ones it is the library's function, which takes them as a parameter.
extension RequestModel {
    /// The weights that some predicates give `rank`.
    static let rankOption = "bm25(0.5, 4.0)"

    private static let ranks = [
        ("rank", "t.rank"), ("found.rank", "t.rank"), ("bm25(found)", "bm25(t.found)"),
        ("bm25(found, 10.0, 0.5)", "bm25(t.found, 10.0, 0.5)"), ("-bm25(found, 2)", "-bm25(t.found, 2)"),
    ].map(path)

    private static let marks = [
        ("highlight(found, 0, '[', ']')", "highlight(t.found, 0, '[', ']')"),
        ("snippet(found, -1, '[', ']', '...', 2)", "snippet(t.found, -1, '[', ']', '...', 2)"),
    ].map(path)

    private static func path(_ text: String, _ sql: String) -> Path {
        Path(text: text, sql: sql, collation: .binary, isKeyPath: false, isVirtual: false, isAboutMatches: true)
    }

    /// Whether it is a search among the documents of the index, so that these have ranks.
    var searchesItself: Bool { predicate?.sql.contains("t.found") ?? false }

    /// Whether ranks determine its order or its content.
    var ranks: Bool { ordersByRank || (content ?? []).contains(where: Self.isRank) }
    var ordersByRank: Bool { sorts.map(\.path).contains(where: Self.isRank) }

    private static func isRank(_ path: Path) -> Bool { ranks.contains { $0.text == path.text } }

    /// Other terms about matches, or none.
    mutating func chooseMatchTerms(_ random: inout SeededRandom) {
        sorts.removeAll(where: \.path.isAboutMatches)
        content?.removeAll(where: \.isAboutMatches)
        if content?.isEmpty ?? false { content = nil }
        guard searchesItself, random.chance(75) else { return }
        if random.chance(80) {
            let rank = random.pick(Self.ranks)
            let sort = Criterion(path: rank, descriptor: Sort(rank.text, isDescending: random.chance(20)))
            sorts.insert(sort, at: random.chance(80) ? 0 : sorts.count)
        }
        if random.chance(60) {
            content = (content ?? Self.paths(entity)) + random.some(Self.ranks + Self.marks).prefix(2)
        }
        rankTolerance = random.pick([.infinity, .infinity, 0, 0.2, 1])
    }

    /// Some SQL with the ranks of its list's statistics, and of the option that is in the database:
    /// FTS5 keeps in memory one that was rolled back.
    func ranked(_ sql: String, _ connection: Connection) throws -> String {
        guard ranks else { return sql }
        var option = predicate?.sql.contains(Self.rankOption) ?? false ? Self.rankOption : "bm25()"
        if option == "bm25()" {
            let rows = try connection.rows("SELECT v FROM found_config WHERE k = 'rank'", [])
            option = rows.first?[0].text ?? option
        }
        let weights = option.dropFirst("bm25(".count)
        let plain = sql.replacing("t.rank", with: "bm25(t.found\(weights == ")" ? "" : ", ")\(weights)")
        // The terms precede the predicate with its parameter.
        return statistics == nil
            ? plain : plain.replacing("?", with: "?1").replacing("bm25(t.found", with: "fr_bm25(t.found, ?2")
    }

    /// The values of all parameters of this SQL.
    var rankedParameters: [Value] { (predicate?.parameters ?? []) + (statistics.map { [$0] } ?? []) }

    /// The statistics that a list has which is read now; NULL if it has no ranks, or no row
    /// matches.
    func presentStatistics(_ connection: Connection) throws -> Value {
        guard ranks, let predicate else { return .null }
        let sql = "SELECT fr_bm25_statistics(t.found) FROM found AS t WHERE \(predicate.sql) LIMIT 1"
        return try connection.rows(sql, predicate.parameters).first?[0] ?? .null
    }
}
