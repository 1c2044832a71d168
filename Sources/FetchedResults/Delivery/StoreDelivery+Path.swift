internal import Glibc
internal import ListEngine
internal import SQLiteKit

/// The paths of the databases of a store that follows them.
struct FollowedPaths {
    /// Opens the files that are there now.
    let open: () throws -> Connection
    /// Whether there was no file at one of them.
    var lackFile = false
}

/// Following a path: when another file replaces the database file, the store continues with that
/// one, and the lists are compared with it.
extension StoreDelivery {
    /// Continues with the files that are at the paths now. Throws `failure` if the store does not
    /// follow paths, and as long as it can't.
    func followPaths(_ failure: StoreError) throws {
        // The program may use the connection's handle, which would be closed.
        guard let paths, !isShared else { throw failure }
        guard !connection.isInTransaction, !connection.hasStatementUnderWay else {
            waking.postpone()
            throw failure
        }
        do {
            try waitForFiles(failure)
            try removeLeftLogs()
            let next = try paths.open()
            do {
                try checkSameApplication(next)
                try takeOver(next)
            } catch {
                next.close()
                throw error
            }
        } catch {
            let error = StoreError(any: error)
            if error == failure || error.status == .busy { throw error }
            throw StoreError(
                .io, "\(failure.message): the new file can't be followed: \(error.message)",
                sqliteCode: failure.sqliteCode)
        }
    }

    /// Whether a dispatch failed because there is no file that the store can follow, so that it has
    /// to wait for another one.
    func waitsForFile(_ error: any Error) -> Bool {
        paths != nil && !isShared && waking.wakesProgram && StoreError(any: error).sqliteCode == StoreError.movedFile
    }

    /// A file may be missing for the moment between its removal and the renaming of the next one.
    private func waitForFiles(_ failure: StoreError) throws {
        for path in connection.movedDatabases.compactMap(connection.fileName) {
            for _ in 0..<Self.longestGap where paths?.lackFile == false && !exists(path) { usleep(1000) }
            let isMissing = !exists(path)
            paths?.lackFile = isMissing
            // The store is woken when there is a file.
            if isMissing { throw failure }
        }
    }

    /// In milliseconds.
    private static let longestGap = 50

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Removes the logs of the old files that are beside the new ones. Everything in them is
    /// written to the old files first, which may exist at another path.
    private func removeLeftLogs() throws {
        for name in connection.movedDatabases {
            guard let path = connection.fileName(of: name), let log = LeftLog(beside: path) else { continue }
            foreign.writeBack(ExactText(name))
            guard try connection.writeLogBack(name) else {
                throw StoreError(
                    .busy, "\(path)-wal is the log of the file that was replaced, and a connection still reads it")
            }
            try log.remove()
        }
    }

    private func checkSameApplication(_ next: Connection) throws {
        for name in ["main"] + connection.attachedNames {
            let pragma = "PRAGMA \(quoted(name)).application_id"
            let (id, nextID) = (try connection.firstInteger(pragma), try next.firstInteger(pragma))
            if id != nextID {
                throw StoreError(.schema, "its application_id is \(nextID ?? 0) rather than \(id ?? 0)")
            }
        }
        for watch in capture.watches where try next.definition(of: watch) != connection.definition(of: watch) {
            throw StoreError(.schema, "its table \(watch.table) is another one")
        }
    }

    private func takeOver(_ next: Connection) throws {
        capture.stop()
        // The hooks of this store's connection are free.
        defer { _ = Result { unsafe try capture.start() } }
        try connection.takeOver(next)
        noteSchemaChange(isExclusive: true)
        versions.forgetSchema()
    }
}

extension Connection {
    /// The statement that made a watched table; nil if there is no such table.
    fileprivate func definition(of watch: TableWatch) throws(StoreError) -> String? {
        let statement = try prepare(
            "SELECT sql FROM \(quoted(watch.schema)).sqlite_schema WHERE name = ?1 COLLATE NOCASE")
        defer { statement.reset() }
        try statement.bind(.text(watch.table), at: 1)
        return try statement.step() ? statement.text(0) : nil
    }
}
