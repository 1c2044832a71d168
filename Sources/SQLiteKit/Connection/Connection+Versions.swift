internal import CSQLite

/// Identifies the state of a connection's databases: the main one and the attached ones.
extension Connection {
    /// A number for each database. It changes whenever this connection changes that database, or
    /// SQLite detects a change by another connection, which it does when it takes a lock
    /// (SQLITE_FCNTL_DATA_VERSION).
    package struct PagerVersion: Equatable {
        private let main: UInt32
        private let attached: [UInt32]

        fileprivate init(main: UInt32, attached: [UInt32]) {
            self.main = main
            self.attached = attached
        }

        package static func == (a: PagerVersion, b: PagerVersion) -> Bool {
            a.main == b.main && (a.attached.isEmpty && b.attached.isEmpty || a.attached == b.attached)
        }
    }

    package var pagerVersion: PagerVersion {
        PagerVersion(
            main: pagerVersion(of: nil), attached: attachedNames.isEmpty ? [] : attachedNames.map(pagerVersion(of:)))
    }

    /// - Parameter name: nil for the main database, because every commit reads that version: a name
    ///   would be copied.
    private func pagerVersion(of name: String?) -> UInt32 {
        guard isOpen else { return 0 }
        var version: UInt32 = 0
        unsafe sqlite3_file_control(handle, name, SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// A number for each database. It changes whenever another connection has committed to that
    /// database, and never by commits of this one
    /// (https://www.sqlite.org/pragma.html#pragma_data_version).
    package struct DataVersion: Equatable {
        private let main: Int64
        private let attached: [Int64]

        fileprivate init(main: Int64, attached: [Int64]) {
            self.main = main
            self.attached = attached
        }

        /// Whether no other connection has changed the main database between the two.
        package func isSameMain(as other: DataVersion) -> Bool { main == other.main }

        /// The attached databases that other connections have changed since a former version, by
        /// their numbers among `attachedNames`; nil if other databases were attached then.
        package func attachedChanged(since former: DataVersion) -> [Int]? {
            guard attached.count == former.attached.count else { return nil }
            return attached.indices.filter { attached[$0] != former.attached[$0] }
        }
    }

    package func readDataVersion() throws -> DataVersion {
        // No other connection can change a database that has no file.
        let main = fileName == nil ? 0 : try readNumber("PRAGMA main.data_version", &mainStatements.dataVersion)
        guard !attachedNames.isEmpty else { return DataVersion(main: main, attached: []) }
        let attached = try attachedNames.map {
            isAttached($0) ? try readNumber("PRAGMA \(quoted($0)).data_version") : -1
        }
        return DataVersion(main: main, attached: attached)
    }

    /// Whether a database that was attached still is attached.
    private func isAttached(_ name: String) -> Bool { unsafe sqlite3_db_readonly(handle, name) >= 0 }

    /// The schema's version of each database, by its name.
    package func readSchemaVersions() throws -> [ExactText: Int64] {
        try readSchemaVersions(of: try databaseNames().map(ExactText.init))
    }

    /// The same for databases that are attached.
    package func readSchemaVersions(of names: some Collection<ExactText>) throws -> [ExactText: Int64] {
        var versions: [ExactText: Int64] = [:]
        for name in names {
            versions[name] =
                try name.isMain ? readSchemaVersion() : readNumber("PRAGMA \(quoted(name.text)).schema_version")
        }
        return versions
    }

    /// The version of the main database's schema.
    package func readSchemaVersion() throws -> Int64 {
        try readNumber("PRAGMA main.schema_version", &mainStatements.schemaVersion)
    }

    /// "main", "temp" if it is in use, and the names of attached databases, which the connection
    /// records.
    func databaseNames() throws(StoreError) -> [String] {
        let statement = try numberStatement("PRAGMA database_list")
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.text(1)) }
        attachedNames = names.filter { $0 != "main" && $0 != "temp" }
        return names
    }

    /// - Parameter statement: Where the statement is stored.
    private func readNumber(_ sql: String, _ statement: inout Statement?) throws(StoreError) -> Int64 {
        if let statement { return try readNumber(statement) }
        let made = try prepare(sql)
        statement = made
        return try readNumber(made)
    }

    private func readNumber(_ sql: String) throws(StoreError) -> Int64 { try readNumber(try numberStatement(sql)) }

    private func readNumber(_ statement: Statement) throws(StoreError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func numberStatement(_ sql: String) throws(StoreError) -> Statement {
        if let statement = versionStatements[ExactText(sql)] { return statement }
        let statement = try prepare(sql)
        versionStatements[ExactText(sql)] = statement
        return statement
    }
}

extension StoreError {
    /// SQLITE_READONLY_DBMOVED, which the compiler does not import from the header.
    package static var movedFile: Int32 { SQLITE_READONLY | (4 << 8) }
}

extension Connection {
    /// Throws if the file of a database is no longer the one at its path: moved away, removed, or
    /// replaced. Whatever is written to such a file is lost with it (SQLITE_FCNTL_HAS_MOVED).
    package func checkNotMoved() throws(StoreError) {
        if let failure = movedFileFailure { throw failure }
    }

    package var movedFileFailure: StoreError? {
        if attachedNames.isEmpty, !hasMoved(nil) { return nil }
        guard let name = movedDatabases.first else { return nil }
        return StoreError(
            .io, "the file of the database was moved, replaced or removed: \(fileName(of: name) ?? name)",
            sqliteCode: StoreError.movedFile)
    }

    /// The databases whose files are no longer at their paths.
    package var movedDatabases: [String] { (["main"] + attachedNames).filter(hasMoved) }

    /// The same, without searching the main file's path at each commit.
    var movedFileFailureAtCommit: StoreError? {
        guard attachedNames.isEmpty else { return movedFileFailure }
        if mainFile == nil, let fileName { mainFile = FilePresence(path: fileName) }
        if mainFile?.isPresent(search: { !hasMoved(nil) }) ?? false { return nil }
        // A file at the path may be another one.
        mainFile = nil
        return movedFileFailure
    }

    /// - Parameter name: nil for the main database.
    func hasMoved(_ name: String?) -> Bool {
        var moved: Int32 = 0
        // A database without a file does not support this operation.
        return unsafe sqlite3_file_control(handle, name, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }
}
