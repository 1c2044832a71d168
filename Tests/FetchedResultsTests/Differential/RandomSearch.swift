import FetchedResults
import SQLiteKit
import TestSupport

/// A full-text index of the random database over the texts of documents, in any of FTS5's modes.
struct SearchModel {
    /// What has the texts of the index.
    private enum Texts: CaseIterable {
        case own
        case documents
        case none
        /// `content=''` from which documents can be deleted, which FTS5 has since SQLite 3.43.
        case noneWithDelete
    }

    /// The table of the documents, with the texts that the index was given.
    let documents: EntityModel
    /// The index.
    let index: EntityModel
    let statements: [String]
    private let texts: Texts
    private let hasTriggers: Bool
    /// Whether triggers leave documents out, which `rebuild` would index.
    private let omitsDocuments: Bool
    /// Searches that the tokenizer and the detail allow.
    private let searches: [String]
    /// Whether one column can be searched.
    private let hasColumns: Bool

    private static let vocabulary = ["red", "green", "blue", "redder", "running", "runs", "runner", "reddish"]

    init(_ random: inout SeededRandom, hasContentlessDelete: Bool) {
        texts = random.pick(
            [.own, .own, .own, .documents, .documents, .none, hasContentlessDelete ? .noneWithDelete : .none])
        hasTriggers = random.chance(60)
        // Their triggers do not have the form of FTS5's manual.
        let omits = hasTriggers && random.chance(30)
        omitsDocuments = omits
        let columns = ["x", "y"].map { EntityModel.Column(name: $0, type: "TEXT") }
        documents = EntityModel(name: "documents", columns: [.init(name: "id", type: "INTEGER")] + columns)
        index = EntityModel(
            name: "found", columns: ["x", "y"].map { EntityModel.Column(name: $0, type: "") }, isView: true)
        let tokenizer = random.pick(["", "porter", "trigram", "ascii", "porter ascii"])
        let detail = random.pick(["full", "full", "column", "none"])
        var options = ["detail=\(detail)"]
        if !tokenizer.isEmpty { options.append("tokenize='\(tokenizer)'") }
        if random.chance(30) { options.append("prefix='1 3'") }
        if texts == .own || texts == .documents, random.chance(20) { options.append("columnsize=0") }
        switch texts {
        case .own: break
        case .documents: options += ["content='documents'", "content_rowid='id'"]
        case .none: options.append("content=''")
        case .noneWithDelete: options += ["content=''", "contentless_delete=1"]
        }
        var searches = ["red", "red OR run", "run NOT red", "red AND run"]
        // The trigrams of a longer word are a phrase, which only the full detail allows.
        if tokenizer != "trigram" || detail == "full" {
            searches += ["green OR runs", "running AND red", "red NOT blue", "reddish"]
        }
        if tokenizer != "trigram" { searches += ["re*", "run*", "green AND r*"] }
        if detail != "none" { searches += ["x: red", "{y}: run OR red", "- x: red"] }
        if detail == "full" { searches += ["\"red green\"", "^red", "\"runs\" + \"red\""] }
        if detail == "full", tokenizer != "trigram" { searches.append("NEAR(red blue, 1)") }
        self.searches = searches
        hasColumns = detail != "none"
        var statements = [
            "CREATE TABLE documents (id INTEGER PRIMARY KEY, x TEXT, y TEXT)",
            "CREATE VIRTUAL TABLE found USING fts5(x, y, \(options.joined(separator: ", ")))",
        ]
        for option in ["automerge", "crisismerge", "pgsz"] where random.chance(50) {
            let value = option == "pgsz" ? random.pick([64, 200, 1000]) : random.pick([2, 4, 8])
            statements.append("INSERT INTO found (found, rank) VALUES ('\(option)', \(value))")
        }
        if hasTriggers {
            let remove =
                texts == .own || texts == .noneWithDelete
                ? "DELETE FROM found WHERE rowid = old.id"
                : "INSERT INTO found (found, rowid, x, y) \(values("old", "'delete', "))"
            let insert = "INSERT INTO found (rowid, x, y) \(values("new"))"
            func values(_ row: String, _ command: String = "") -> String {
                let values = "\(command)\(row).id, \(row).x, \(row).y"
                return omits ? "SELECT \(values) WHERE \(row).id <> 3" : "VALUES (\(values))"
            }
            statements += [
                "CREATE TRIGGER i1 AFTER INSERT ON documents BEGIN \(insert); END",
                "CREATE TRIGGER i2 AFTER DELETE ON documents BEGIN \(remove); END",
                "CREATE TRIGGER i3 AFTER UPDATE ON documents BEGIN \(remove); \(insert); END",
            ]
        }
        self.statements = statements
    }

    /// The statement that takes documents out of the index, which needs the texts that it was given
    /// if it has none.
    private func remove(_ condition: String) -> String {
        texts == .own || texts == .noneWithDelete
            ? "DELETE FROM found WHERE rowid IN (SELECT id FROM documents WHERE \(condition))"
            : "INSERT INTO found (found, rowid, x, y) SELECT 'delete', id, x, y FROM documents WHERE \(condition)"
    }

    /// Predicates of either entity.
    func predicates(of entity: EntityModel, _ random: inout SeededRandom) -> [(String, String, [Value])] {
        let search = [Value.text(random.pick(searches))]
        let column = hasColumns ? "y" : "found"
        if entity === index {
            return [
                ("\(column) MATCH ?", "t.\(column) MATCH ?", search),
                ("found MATCH ?", "t.found MATCH ?", search), ("found = ?", "t.found = ?", search),
                ("rowid > 4 AND (found MATCH ?)", "t.rowid > 4 AND (t.found MATCH ?)", search),
                ("found MATCH ? AND x IS NOT 'red'", "t.found MATCH ? AND t.x IS NOT 'red'", search),
                (
                    "found MATCH ? AND rank MATCH '\(RequestModel.rankOption)'",
                    "t.found MATCH ? AND t.\"rank\" MATCH '\(RequestModel.rankOption)'", search
                ),
            ]
        }
        guard entity === documents else { return [] }
        func both(_ text: String) -> (String, String, [Value]) {
            (text.replacing("T.", with: "documents."), text.replacing("T.", with: "t."), search)
        }
        return [
            both("T.id IN (SELECT rowid FROM found WHERE found MATCH ?)"),
            both("T.x IS NOT NULL AND T.id IN (SELECT f.rowid FROM found AS f WHERE f.found MATCH ? AND f.rowid <> 3)"),
            both("T.id IN (SELECT rowid FROM found AS f WHERE (f.\(column) MATCH ?)) AND T.y IS NOT NULL"),
            both("T.id NOT IN (SELECT rowid FROM found(?))"),
            both("EXISTS (SELECT 1 FROM found WHERE found MATCH ? AND T.id = found.rowid)"),
            both("CASE WHEN T.id IN (SELECT rowid FROM found WHERE found = ?) THEN T.y > 'c' ELSE T.id = 2 END"),
            both("T.id IN (SELECT rowid FROM found WHERE found MATCH ? ORDER BY rowid LIMIT 3)"),
        ]
    }

    // MARK: Writes

    private static func text(_ random: inout SeededRandom) -> String {
        if random.chance(8) { return "NULL" }
        return "'\((0..<random.below(4)).map { _ in random.pick(Self.vocabulary) }.joined(separator: " "))'"
    }

    func randomWrites(_ random: inout SeededRandom) -> [Write] {
        let id = 1 + random.below(12)
        let texts = "\(Self.text(&random)), \(Self.text(&random))"
        switch random.below(20) {
        case 0: return [Write("INSERT INTO found (found) VALUES ('optimize')")]
        case 1: return [Write("INSERT INTO found (found, rank) VALUES ('merge', \(random.pick([4, -4, 100])))")]
        case 2: return [Write("INSERT INTO found (found, rank) VALUES ('rank', 'bm25(\(random.below(3)), 2.0)')")]
        case 3 where (self.texts == .own || self.texts == .documents) && !omitsDocuments:
            return [Write("INSERT INTO found (found) VALUES ('rebuild')")]
        case 4 where self.texts == .own && !hasTriggers:
            // Documents that the table does not have.
            return [Write("INSERT OR REPLACE INTO found (rowid, x, y) VALUES (\(20 + id), \(texts))")]
        case 5 where self.texts == .own && !hasTriggers: return [Write("DELETE FROM found WHERE rowid > 20")]
        case 6..<12: return write("id = \(id)", "INSERT INTO documents VALUES (\(id), \(texts))", new: "id = \(id)")
        case 12..<16:
            let column = random.pick(["x", "y"])
            let sql = "UPDATE documents SET \(column) = \(Self.text(&random)) WHERE id = \(id)"
            return write("id = \(id)", sql, new: "id = \(id)")
        case 16:
            let sql = "UPDATE documents SET x = y, y = x WHERE id < \(id)"
            return write("id < \(id)", sql, new: "id < \(id)")
        case 17:
            let new = 1 + random.below(12)
            return write("id = \(id)", "UPDATE documents SET id = \(new) WHERE id = \(id)", new: "id = \(new)")
        default: return write("id = \(id)", "DELETE FROM documents WHERE id = \(id)", new: "0")
        }
    }

    /// A write to the table and the index, in one transaction.
    private func write(_ old: String, _ sql: String, new: String) -> [Write] {
        if hasTriggers { return [Write(sql)] }
        let isInsert = sql.hasPrefix("INSERT")
        return [
            .script(
                ([
                    isInsert ? "" : remove(old) + ";", sql + ";",
                    "INSERT INTO found (rowid, x, y) SELECT id, x, y FROM documents WHERE \(new)",
                ])
                .joined(separator: " "))
        ]
    }
}
