import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// A database in memory after a script.
func makeDatabase(_ script: String) throws -> Database { try Database("PRAGMA foreign_keys = ON; \(script)") }

extension Database {
    /// Adds a collation that compares without the case of ASCII letters.
    func addFolded() throws {
        try unsafe connection.addCollation("FOLDED") { a, b in
            let (a, b) = unsafe (a.map { $0 | 0x20 }, b.map { $0 | 0x20 })
            return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        }
    }
}

/// A list of a database, which follows all that its `execute` changes.
final class Watch {
    let engine: ListEngine
    private var delivered: [ListChanges] = []
    private(set) var errors: [StoreError] = []

    init(
        _ database: Database, _ request: FetchRequest, nodes: NodeSizes = NodeSizes(leafCapacity: 4, fanout: 4)
    ) throws {
        engine = try database.engine(request, nodes: nodes)
        database.follow(self)
    }

    convenience init(
        _ database: Database, _ entity: String, where predicate: String? = nil, _ parameters: [Value] = [],
        sort: [String] = [], section: String? = nil, columns: [String] = [],
        nodes: NodeSizes = NodeSizes(leafCapacity: 4, fanout: 4)
    ) throws {
        var request = FetchRequest(
            entity: entity, predicate: predicate, parameters: parameters, sorts: sort.map { Sort($0) },
            section: section.map { Sort($0) })
        request.columns = columns
        try self.init(database, request, nodes: nodes)
    }

    /// The records of everything that was delivered since the last call.
    func take() -> [String] {
        defer { delivered = [] }
        return delivered.flatMap(\.summary)
    }

    /// The last change set since then.
    func delivery() throws -> ListChanges { try #require(delivered.last) }

    // MARK: Following

    /// The list's next state; nil if it stays as it is. After a failure the list is behind.
    func prepare(_ round: Round) -> PreparedState? {
        do {
            let next = try engine.prepare(round, on: isBehind ? .failure : .committed)
            isBehind = false
            return next
        } catch {
            if !isBehind { errors.append(StoreError(any: error)) }
            isBehind = true
            return nil
        }
    }

    private var isBehind = false

    func show(_ next: PreparedState?) {
        if let changes = engine.commit(next).changes { delivered.append(changes) }
    }

    func setRequest(_ request: FetchRequest) throws { show(try engine.prepare(request, on: .committed)) }

    func fetch() throws { engine.show(try engine.prepareFetch { _ in true }) }

    // MARK: Reading

    var request: FetchRequest { engine.request }
    var counters: Counters { engine.currentCounters }

    private func shown() throws -> List { try #require(try engine.shownList()) }

    var sectionCount: Int { get throws { try shown().sectionCount } }
    var count: Int { get throws { try shown().count } }

    func section(at index: Int) throws -> SectionInfo {
        let list = try shown()
        return engine.info(list, list.rows.section(at: index), at: index)
    }

    var sectionNames: [String?] { get throws { try (0..<sectionCount).map { try section(at: $0).name } } }

    func object(at path: ListIndexPath) throws -> FetchedObject {
        let list = try shown()
        return try engine.object(id: list.rows.row(section: list.rows.section(at: path.section), at: path.row))
    }

    /// The values of one column in all rows, by section.
    func values(_ column: String) throws -> [[Value]] {
        try (0..<sectionCount).map { section in
            try (0..<self.section(at: section).numberOfObjects).map { row in
                try object(at: ListIndexPath(section: section, row: row))[column] ?? "no such column"
            }
        }
    }

    /// The place of the row with an identity.
    func indexPath(ofIdentity identity: [Value]) throws -> ListIndexPath? {
        let rows = try shown().rows
        return engine.decoder.id(ofIdentity: RowValues(identity)).flatMap { rows.place(of: $0) }.map {
            ListIndexPath(section: rows.index(of: $0.section), row: $0.row)
        }
    }
}
