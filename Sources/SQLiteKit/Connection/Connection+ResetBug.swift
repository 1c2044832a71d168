internal import CSQLite

/// SQLite's WAL-reset bug (https://www.sqlite.org/wal.html#walresetbug): where two connections
/// write a log into the database file, or write to it, at the same time, commits can be lost, and
/// the file can be damaged.
extension Connection {
    /// Whether a version of SQLite has it, as `sqlite3_libversion_number` returns versions. It was
    /// fixed in 3.51.3, and in patches of two earlier branches.
    package static func hasResetBug(version: Int32) -> Bool {
        switch version {
        case ..<3_007_000, 3_044_006..<3_045_000, 3_050_007..<3_051_000, 3_051_003...: false
        default: true
        }
    }

    /// The version of the SQLite library that the process uses, if it has the bug.
    package static let versionWithResetBug: String? =
        unsafe hasResetBug(version: sqlite3_libversion_number()) ? String(cString: sqlite3_libversion()) : nil
}
