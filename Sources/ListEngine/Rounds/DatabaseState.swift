internal import ChangeSets
package import SQLiteKit

/// The state of a database in relation to the one that its lists show. A list reads rows only where
/// both are the same.
package protocol DatabaseState: AnyObject {
    /// The compiled requests of its lists.
    var compiledRequests: CompiledRequests { get }
    /// Throws if the database can't be read now, for example because it is closed.
    func checkOpen() throws(StoreError)

    /// The data version of the state that the lists show.
    var dataVersion: Connection.DataVersion { get }
    /// The schema versions of that state.
    var schemaVersions: [ExactText: Int64] { get }
    /// The data version of the state that can be read now.
    func readDataVersion() throws -> Connection.DataVersion
    /// The schema versions of the state that can be read now.
    func readSchemaVersions() throws -> [ExactText: Int64]
    /// Whether there are writes that the lists do not show yet.
    var hasUndeliveredChanges: Bool { get }
    /// Whether the database may have changed in a way that no hook reported.
    var hasUnknownChanges: Bool { get }
    /// Whether the schema may differ from the one that the lists show.
    var mayHaveOtherSchema: Bool { get }
    /// Whether no connection has committed since the state that the lists show, according to the
    /// pager, which is right once it holds a lock.
    var isPagerUnchanged: Bool { get }
    /// The number of writes through this connection.
    var writeCount: Int { get }
    /// The number of rollbacks of this connection, of transactions and to savepoints.
    var rollbackCount: Int { get }
    /// Whether a watch has all rows that this connection touched and that the lists do not show
    /// yet.
    func hasAllTouched(_ watch: TableWatch) -> Bool
    /// The state of a database that the lists show, as other connections hold it readable; nil if
    /// none does.
    ///
    /// - Parameter name: "main", or the name under which it is attached; nil for all databases that
    ///   the list reads, if these are several.
    func shownState(of name: ExactText?) -> (any FollowedState)?
    /// Whether changes are prepared that are not committed yet.
    var isBeforeCommit: Bool { get }

    /// Called in the read transaction in which a list is about to be read.
    func willReadList() throws
    /// Holds the state readable that a fetch reads, if the lists do not show it yet.
    var fetchedAhead: (any ShownState)? { get }
    /// Whether other connections may commit between a commit of this one and its delivery.
    var mergesCommits: Bool { get }
}

/// A list has to be read from scratch in a state that is not committed yet, so that no snapshot can
/// show it.
package struct PrematureRead: Error {
    package init() {}
}

/// The basis of the shown state of a list, which determines how the next one is prepared.
package enum Basis {
    /// The state that the last round delivered.
    case committed
    /// A later state: the list was fetched when there were changes that no round had delivered.
    case ahead
    /// An earlier round: the list could not follow a later one.
    case failure
}

extension DatabaseState {
    /// Makes other connections hold the state that a round reads. Called before the round reads a
    /// list from scratch, as it is not known then in which rows the list differs from an earlier
    /// state. False if another connection has committed meanwhile, so that none can show that
    /// state. Throws `PrematureRead` if the state is not committed yet: the round is then prepared
    /// again after the commit.
    func holdReadState(of name: ExactText?) throws -> Bool {
        guard let shown = shownState(of: name) else { return true }
        if isBeforeCommit { throw PrematureRead() }
        return shown.hold()
    }

    /// Whether other connections have committed since the state that the lists show.
    package func hasForeignCommits() throws -> Bool { try readDataVersion() != dataVersion }

    /// The changes in the state that is read now and that no round has delivered: `store` and
    /// `foreign`. Called in the read transaction of a fetch.
    var undelivered: ChangeOrigin {
        get throws {
            var undelivered: ChangeOrigin = hasUndeliveredChanges ? .store : []
            if try hasForeignCommits() { undelivered.insert(.foreign) }
            return undelivered
        }
    }
}
