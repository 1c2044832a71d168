internal import ListEngine
internal import SQLiteKit

/// The state of the databases that the lists show, by the numbers with which SQLite distinguishes
/// states.
struct ShownVersions {
    /// By which commits of other connections are detected.
    private(set) var data: Connection.DataVersion
    private(set) var schema: [ExactText: Int64]
    /// Greater if any connection has committed since.
    private var pager: Connection.PagerVersion
    /// Whether a statement ran since that may have changed the schema.
    private(set) var mayHaveChangedSchema = false
    /// Counts the statements that may have changed the schema, and the rounds that found it
    /// changed.
    private(set) var schemaChangeCount = 0

    init(of connection: Connection) throws {
        schema = try connection.readSchemaVersions()
        data = try connection.readDataVersion()
        pager = connection.pagerVersion
    }

    /// Notes that a statement runs that may change the schema.
    mutating func noteSchemaChange() {
        mayHaveChangedSchema = true
        schemaChangeCount += 1
    }

    /// Notes that the databases are other ones, whose versions mean nothing to the former ones: the
    /// next round finds the schema changed.
    mutating func forgetSchema() { schema = [:] }

    /// Notes the state that the lists show after the round that begins. Returns why hooks do not
    /// determine what changed; nil if they do. On throw nothing is noted.
    ///
    /// - Parameters:
    ///   - version: The connection's data version.
    ///   - isShared: Whether the program may have changed the schema without the store.
    mutating func advance(
        to version: Connection.DataVersion, of connection: Connection, isShared: Bool
    ) throws -> RereadReason? {
        var reread: RereadReason?
        if version != data { reread = .foreign }
        if mayHaveChangedSchema || isShared {
            let versions = try connection.readSchemaVersions()
            // The versions of the databases that are attached now.
            data = try connection.readDataVersion()
            if versions != schema { reread = .schema }
            schema = versions
            mayHaveChangedSchema = false
        } else if reread != nil {
            // No other connection attaches databases to this one.
            let versions = try connection.readSchemaVersions(of: schema.keys)
            data = version
            if versions != schema { reread = .schema }
            schema = versions
        }
        if reread == .schema { schemaChangeCount += 1 }
        notePager(of: connection)
        return reread
    }

    /// Notes that the lists show the committed state, according to the pager.
    mutating func notePager(of connection: Connection) { pager = connection.pagerVersion }

    /// Whether no connection has committed since, according to the pager, which is right once it
    /// holds a lock.
    func isPagerUnchanged(_ connection: Connection) -> Bool { connection.pagerVersion == pager }
}
