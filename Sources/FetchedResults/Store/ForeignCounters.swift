internal import LogFollower
internal import SQLiteKit

/// The findings of a store about the commits of other connections to its main database, and to the
/// attached ones of which lists watch tables.
public struct ForeignCounters: Sendable {
    /// States that were followed row by row in the write-ahead log.
    public package(set) var followed = 0
    /// Pages of the log in these states.
    public package(set) var frames = 0
    /// Rows of watched tables that these states changed.
    public package(set) var rows = 0
    /// How often it was not known which rows changed, by reason: the lists were then read from
    /// scratch.
    public package(set) var unknown: [UnknownRowsReason: Int] = [:]
}

/// Why a store could not determine which rows other connections have changed. Raw values are
/// the C interface's.
public enum UnknownRowsReason: Int, Sendable, CaseIterable {
    /// The schema, the page size or the mode of vacuuming changed.
    case layout = 0
    /// The new part of the log was longer than is worth comparing.
    case many = 1
    /// The log was restarted before it was read.
    case restarted = 2
    /// The pages do not fit together, or can't be read as SQLite's, for example because they are
    /// encrypted.
    case pages = 3
    /// The store had released the delivered state (`StoreOptions.snapshotLimit`), or could not hold
    /// it.
    case snapshot = 4
    /// Another connection has committed so close to a commit of this one that the two can't be
    /// separated.
    case raced = 5
    /// The old content of a row can't be read.
    case image = 6
}

extension Store {
    /// The version of the SQLite library that the process uses, if it has SQLite's WAL-reset bug
    /// (https://www.sqlite.org/wal.html#walresetbug): 3.7.0 to 3.51.2 without 3.44.6 and 3.50.7.
    /// Where two connections write a log into the database file at the same time, commits can be
    /// lost.
    ///
    /// Stores do not cause it: they write a log into the file only while they prevent that it is
    /// restarted. SQLite's automatic checkpoints and other programs can cause it.
    public static var sqliteWithResetBug: String? { Connection.versionWithResetBug }

    /// The counters of the commits of other connections.
    public var foreignCounters: ForeignCounters {
        get throws {
            try checkOpen()
            let log = delivery.foreign.allCounters
            var counters = ForeignCounters()
            counters.followed = log.advances
            counters.frames = log.frames
            counters.rows = log.rowsFound
            for (uncertainty, count) in log.uncertain {
                if let reason = UnknownRowsReason(rawValue: uncertainty.rawValue) { counters.unknown[reason] = count }
            }
            return counters
        }
    }
}
