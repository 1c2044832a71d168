internal import CSQLite
package import SQLiteKit

/// A connection whose read transaction keeps committed states of several databases readable, as
/// rows.
package final class JointSnapshot {
    package let connection: Connection
    private let names: [String]
    private let indexes: [LogIndex]
    private let beginning: Statement
    private let touches: [Statement]
    private let ending: Statement
    /// The states that the read transaction shows, by database; empty if none is open.
    package private(set) var positions: [LogPosition] = []
    /// Whether the file of each database contained all of its state when the transaction began.
    private var areInFiles: [Bool] = []

    /// Opens a connection to databases in WAL mode; nil if the index of a log is inaccessible.
    /// Throws if a database can't be opened.
    package init?(_ databases: [DatabaseFile]) throws(StoreError) {
        connection = try Connection.open(databases)
        do {
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.readEncoding()
            beginning = try connection.prepare("BEGIN")
            touches = try databases.map { [connection] database throws(StoreError) in
                try connection.prepare("SELECT 1 FROM \(quoted(database.name)).sqlite_schema LIMIT 1")
            }
            ending = try connection.prepare("COMMIT")
            // Opens the logs.
            try beginning.run()
            for touch in touches { try touch.run() }
            try ending.run()
        } catch {
            connection.close()
            throw error
        }
        names = databases.map(\.name)
        indexes = databases.compactMap { [connection] database in
            unsafe Snapshot.file(SQLITE_FCNTL_FILE_POINTER, of: database.name, connection).flatMap {
                unsafe LogIndex($0)
            }
        }
        if indexes.count == databases.count { return }
        connection.close()
        return nil
    }

    package var isHeld: Bool { !positions.isEmpty }

    /// Begins a read transaction, if it then shows these states; false if others are committed
    /// now. Throws if that is impossible now.
    package func begin(at wanted: [LogPosition]) throws(StoreError) -> Bool {
        try end()
        guard isCommitted(wanted) else { return false }
        do {
            try beginning.run()
            // The first statement that reads a database determines its state.
            for touch in touches { try touch.run() }
        } catch {
            try end()
            throw error
        }
        areInFiles = wanted.indices.map { connection.isInFile(wanted[$0], of: names[$0], indexes[$0]) }
        // Nothing was committed since: these are the states that the transaction shows.
        guard isCommitted(wanted) else {
            try end()
            return false
        }
        positions = wanted
        return true
    }

    private func isCommitted(_ wanted: [LogPosition]) -> Bool {
        wanted.count == indexes.count && zip(indexes, wanted).allSatisfy { $0.position() == $1 }
    }

    /// Whether a log could be restarted without the read transaction.
    package var isInTheWay: Bool {
        positions.indices.contains {
            !areInFiles[$0] && indexes[$0].backfilledFrame == positions[$0].lastFrame
        }
    }

    /// Ends the read transaction, if there is one.
    package func end() throws(StoreError) {
        positions = []
        if !connection.isAutocommit { try ending.run() }
    }

    package func close() {
        positions = []
        connection.close()
    }
}
