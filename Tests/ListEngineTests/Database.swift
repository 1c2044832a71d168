import OrderedTree
import SQLiteKit
import TestSupport

@testable import ListEngine

/// A database with the parts that an engine needs, and nothing else: a connection, its touched
/// rows, and the state of its lists.
final class Database: DatabaseState {
    let connection: Connection
    let capture: ChangeCapture
    let compiledRequests = CompiledRequests()
    private(set) var dataVersion: Connection.DataVersion
    private(set) var schemaVersions: [ExactText: Int64]
    private var pagerVersion: Connection.PagerVersion

    init(_ script: String) throws {
        connection = try Connection.open(path: ":memory:", readOnly: false, create: true, immutable: false)
        try Self.execute(script, connection)
        dataVersion = try connection.readDataVersion()
        schemaVersions = try connection.readSchemaVersions()
        pagerVersion = connection.pagerVersion
        capture = ChangeCapture(connection: connection)
        try capture.start()
    }

    deinit {
        capture.stop()
        connection.close()
    }

    func checkOpen() throws(StoreError) {}
    func readDataVersion() throws -> Connection.DataVersion { try connection.readDataVersion() }
    func readSchemaVersions() throws -> [ExactText: Int64] { try connection.readSchemaVersions() }
    var hasUndeliveredChanges: Bool { !capture.isEmpty }
    var hasUnknownChanges: Bool { false }
    var mayHaveOtherSchema: Bool { false }
    var isPagerUnchanged: Bool { connection.pagerVersion == pagerVersion }
    var writeCount: Int { capture.writeCount }
    var rollbackCount: Int { capture.rollbackCount }
    func hasAllTouched(_ watch: TableWatch) -> Bool { capture.hasAllTouched(watch) }
    func shownState(of name: ExactText?) -> (any FollowedState)? { nil }
    let isBeforeCommit = false
    func willReadList() throws {}
    var fetchedAhead: (any ShownState)? { nil }
    let mergesCommits = false

    /// An engine whose list is fetched.
    func engine(
        _ request: FetchRequest, sections: MappedSections? = nil, nodes: NodeSizes = .standard
    ) throws -> ListEngine {
        let engine = try ListEngine(
            connection: connection, database: self, request: request, nodes: nodes, sections: sections,
            indexTitle: { _ in nil }, watch: { [capture] in try Watches($0, in: capture) })
        engine.show(try engine.prepareFetch { _ in true })
        return engine
    }

    /// Executes a script, and returns the round that it makes.
    func round(_ script: String) throws -> Round {
        try Self.execute(script, connection)
        return try endRound()
    }

    private func endRound() throws -> Round {
        dataVersion = try connection.readDataVersion()
        pagerVersion = connection.pagerVersion
        let versions = try connection.readSchemaVersions()
        let isSchemaChanged = versions != schemaVersions
        schemaVersions = versions
        return Round(capture.take(), reread: isSchemaChanged ? .schema : nil)
    }

    private static func execute(_ script: String, _ connection: Connection) throws {
        try connection.eachStatement(of: script) { try $0.run() }
    }

    // MARK: Following

    private struct Follower { weak var list: Watch? }
    private var followers: [Follower] = []

    /// Lets a list follow all that `execute` changes.
    func follow(_ list: Watch) { followers.append(Follower(list: list)) }

    /// Executes a script. What it has committed is one round of all lists, also if it fails.
    func execute(_ script: String) throws {
        try following { try Self.execute(script, connection) }
    }

    /// Executes one statement with values for its parameters.
    func execute(_ sql: String, _ values: [Value]) throws {
        try following { _ = try connection.rows(sql, values) }
    }

    /// Runs a transaction, which is one round.
    func transaction(_ body: () throws -> Void) throws {
        try connection.execute("BEGIN")
        try body()
        try execute("COMMIT")
    }

    private func following(_ body: () throws -> Void) throws {
        let outcome = Result { try body() }
        if connection.isAutocommit {
            let round = try endRound()
            let lists = followers.compactMap(\.list)
            let prepared = lists.map { $0.prepare(round) }
            for (list, next) in zip(lists, prepared) { list.show(next) }
        }
        try outcome.get()
    }
}
