internal import CSQLite

extension Connection {
    /// Whether foreign keys are enforced.
    package var enforcesForeignKeys: Bool {
        var value: Int32 = 0
        return unsafe fr_sqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &value) == SQLITE_OK && value != 0
    }

    /// Runs `body` while no trigger runs and no foreign key is enforced. Triggers of the temporary
    /// database do run: SQLite can't disable them. Unlike PRAGMA foreign_keys, this has an effect
    /// inside a transaction.
    package func withoutReactions(_ body: () throws -> Void) throws {
        let settings = [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_FKEY]
        var former: [(setting: Int32, value: Int32)] = []
        // Fails only for a setting that SQLite does not have.
        defer { for (setting, value) in former { unsafe _ = fr_sqlite_configure(handle, setting, value, nil) } }
        for setting in settings {
            var value: Int32 = 0
            var code = unsafe fr_sqlite_configure(handle, setting, -1, &value)
            if code == SQLITE_OK {
                former.append((setting, value))
                code = unsafe fr_sqlite_configure(handle, setting, 0, nil)
            }
            guard code == SQLITE_OK else { throw failure(code) }
        }
        try body()
    }
}
