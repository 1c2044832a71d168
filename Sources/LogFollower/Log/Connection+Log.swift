package import SQLiteKit

extension Connection {
    /// Whether the read transaction, which shows a position of a database's log, reads it from the
    /// database file alone. With the program's own VFS, the index of the log decides, and a
    /// checkpoint that has ended since the transaction began is not distinguished from one before.
    func isInFile(_ position: LogPosition?, of database: String, _ index: LogIndex) -> Bool {
        readsFileAlone(database) ?? (index.backfilledFrame == position?.lastFrame)
    }

    /// Writes the main database's log into its file, as far as that is possible without waiting.
    /// True if the file has all of it, or if there is no log.
    package func writeLogIntoFile() throws(StoreError) -> Bool {
        guard let file = try loggedFile(of: "main") else { return try !isWriteAhead("main") }
        guard let reader = try StateReader([file]) else { return false }
        defer { reader.close() }
        _ = try reader.begin()
        return try reader.checkpoint(through: self)
    }
}
