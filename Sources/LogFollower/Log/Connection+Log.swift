internal import SQLiteKit

extension Connection {
    /// Whether the read transaction, which shows a position of a database's log, reads it from the
    /// database file alone. With the program's own VFS, the index of the log decides, and a
    /// checkpoint that has ended since the transaction began is not distinguished from one before.
    func isInFile(_ position: LogPosition?, of database: String, _ index: LogIndex) -> Bool {
        readsFileAlone(database) ?? (index.backfilledFrame == position?.lastFrame)
    }
}
