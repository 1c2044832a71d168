package import SQLiteKit

/// How the state of a database stands to the one that its lists show. A list reads rows only where both are the same.
package protocol DatabaseState: AnyObject {
    /// Those of its lists.
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
    /// Whether something was written that the lists do not show yet.
    var hasUndeliveredChanges: Bool { get }
    /// Whether the database may have changed in a way that no hook reported.
    var hasUnknownChanges: Bool { get }
    /// Whether the schema may be another one than the lists show.
    var mayHaveOtherSchema: Bool { get }
    /// Whether nobody has committed since the state that the lists show, as far as the pager knows, which is so once it
    /// holds a lock.
    var isPagerUnchanged: Bool { get }
    /// How much was written, counted through this connection.
    var writeCount: Int { get }
    /// Runs `body` with what still shows the state of a database that the lists show, whatever others have committed
    /// since; nil if nothing does.
    ///
    /// - Parameter name: "main", or the name under which it is attached.
    func withSnapshot<Result>(of name: ExactText, _ body: (ShownSnapshot?) throws -> Result) rethrows -> Result
    /// Runs `body` with what the lists show otherwise than that does; not if nothing shows that state.
    ///
    /// - Parameter name: The one database that the list reads; nil if it reads several.
    func withLaterContents(of name: ExactText?, _ body: (inout LaterContents) -> Void)

    /// Called in the read transaction in which a list is about to be read.
    func willReadList() throws
    /// What keeps the state readable that a fetch reads, if others have committed what is not delivered yet.
    var fetchedAhead: (any FetchedAhead)? { get }
}

/// A state that was fetched before it was delivered.
package protocol FetchedAhead: AnyObject {
    /// Runs `body` with a connection that shows the state of a database; nil if there is none, or if it was released.
    func reading<Result>(_ name: ExactText, _ body: (Connection?) throws -> Result) rethrows -> Result
}

/// A connection that shows the state that the lists show, but for what this connection has committed since.
package struct ShownSnapshot {
    package let connection: Connection
    /// What the lists show otherwise.
    package let later: LaterContents

    package init(_ connection: Connection, later: LaterContents) {
        self.connection = connection
        self.later = later
    }
}

/// What the shown state of a list rests on, which decides how the next one is worked out.
package enum Basis {
    /// What the last round delivered.
    case committed
    /// What a transaction had written that no round has delivered: the list was fetched inside it.
    case transaction
    /// An earlier round: the list could not follow a later one.
    case failure
}
