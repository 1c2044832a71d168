extension Connection {
    /// Runs `body` in one read transaction, or in the transaction that is open.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard isAutocommit else { return try body() }
        if beginStatement == nil { beginStatement = try prepare("BEGIN") }
        if endStatement == nil { endStatement = try prepare("COMMIT") }
        try beginStatement?.run()
        // A transaction that only reads has nothing that could fail to be committed.
        defer { try? endStatement?.run() }
        return try body()
    }

    /// "main", "temp" if it is in use, and the names of attached databases.
    package func databaseNames() throws(StoreError) -> [String] {
        if databaseListStatement == nil { databaseListStatement = try prepare("PRAGMA database_list") }
        guard let statement = databaseListStatement else { return [] }
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.text(1)) }
        return names
    }
}
