internal import SQLiteKit

/// Reads some columns of rows by their keys: one row by a statement of its own, many by a statement
/// that takes all their keys. Rows of a view or of a whole SELECT are searched, or all are run
/// through (`SearchCosts`).
///
/// The statements are prepared when they are first needed.
final class RowReader {
    /// The values that identify rows in a statement.
    enum KeyKind {
        case rowid
        /// The values of the declared key, or of the columns that the request names.
        case identity
    }

    /// A way to read rows.
    enum Way {
        case one(KeyKind)
        /// The connection's table of rowids, or its list of keys.
        case many(KeyKind)
        /// With rowids from one to another.
        case range
        /// With one of so many identities.
        case search(Int)
        /// All rows of the list.
        case scan
    }

    /// Which columns of the statements have the identity.
    let identity: IdentityColumns
    /// Where the columns begin that it reads.
    let firstColumn: Int
    let columnCount: Int
    /// Whether the request's parameters precede the keys.
    let hasParameters: Bool
    /// Whether one statement can read many rows.
    let readsMany: Bool
    /// The text of a statement; nil if no statement reads rows in that way.
    private let text: (Way) -> String?
    private let connection: Connection
    /// The statements that take one kind of key; `many` is nil in it if no statement can.
    private typealias KeyStatements = (one: Statement?, many: Statement??)
    private var byRowid: KeyStatements = (nil, nil)
    private var byIdentity: KeyStatements = (nil, nil)
    private var range: Statement?
    private var search: Statement?
    private var scan: Statement?
    private var rowids: RowidVirtualTable?
    private var keys: KeyList?
    /// nil for rows of a table.
    var costs: SearchCosts?

    init(
        _ connection: Connection, identity: IdentityColumns, firstColumn: Int, columnCount: Int, hasParameters: Bool,
        readsMany: Bool = true, costs: SearchCosts? = nil, scan: Statement? = nil, _ text: @escaping (Way) -> String?
    ) {
        self.connection = connection
        self.identity = identity
        self.firstColumn = firstColumn
        self.columnCount = columnCount
        self.hasParameters = hasParameters
        self.readsMany = readsMany
        self.costs = costs
        self.scan = scan
        self.text = text
    }

    /// Reads some columns of the rows of an entity.
    ///
    /// - Parameter filtered: Whether only those rows are read that belong to the list.
    convenience init(_ columns: [String], of sql: RequestSQL, filtered: Bool = false, _ connection: Connection) {
        let identity = sql.identityColumns
        let fits = sql.fitsBehindIdentity(columns.count)
        self.init(
            connection, identity: identity, firstColumn: fits ? identity.count : 0, columnCount: columns.count,
            hasParameters: filtered, readsMany: fits,
            costs: sql.entity.storage == .unobserved ? SearchCosts(columnCount: columns.count) : nil
        ) { sql.rows($0, columns, filtered: filtered) }
    }

    /// The same on another connection.
    func copy(on connection: Connection) -> RowReader {
        RowReader(
            connection, identity: identity, firstColumn: firstColumn, columnCount: columnCount,
            hasParameters: hasParameters, readsMany: readsMany, costs: costs, text)
    }

    private func prepared(_ known: Statement?, _ way: Way) throws(StoreError) -> Statement? {
        if let known { return known }
        guard let text = text(way) else { return nil }
        return try connection.prepare(text)
    }

    // MARK: One row

    /// Prepares the statement that reads one row by such a key.
    @discardableResult
    func prepare(_ key: KeyKind) throws(StoreError) -> Statement {
        let known =
            switch key {
            case .rowid: byRowid.one
            case .identity: byIdentity.one
            }
        guard let statement = try prepared(known, .one(key)) else {
            throw StoreError(.misuse, "rows are not identified by such a key")
        }
        switch key {
        case .rowid: byRowid.one = statement
        case .identity: byIdentity.one = statement
        }
        return statement
    }

    /// Prepares all statements that read single rows by their identities, so that it is found now
    /// what they can't read.
    func prepareSingle(_ entity: Entity) throws(StoreError) {
        if entity.isIdentityRowid || entity.isIdentityNullable { try prepare(.rowid) }
        if !entity.isIdentityRowid { try prepare(.identity) }
    }

    private func bound(
        _ statement: Statement, ownParameters: Int, _ request: CompiledRequest
    ) throws(StoreError) -> Statement {
        if hasParameters { try request.bind(statement, ownParameters: ownParameters) }
        return statement
    }

    /// The statement that reads the row with a rowid.
    func one(rowid: Int64, _ request: CompiledRequest) throws(StoreError) -> Statement {
        let statement = try bound(prepare(.rowid), ownParameters: 1, request)
        try statement.bind(rowid, at: hasParameters ? statement.parameterCount : 1)
        return statement
    }

    /// The statement that reads the row with a key.
    func one(key: RowValues, _ request: CompiledRequest) throws(StoreError) -> Statement {
        let statement = try bound(prepare(.identity), ownParameters: key.count, request)
        let first = hasParameters ? statement.parameterCount - key.count + 1 : 1
        for index in 0..<key.count { try statement.bind(key, index, at: first + index) }
        return statement
    }

    /// The statement that reads the row with an identity, in which the rowid can replace a key.
    func one(identity: RowValues, _ request: CompiledRequest) throws(StoreError) -> Statement {
        if let rowid = identity.standInRowid(keyCount: self.identity.keyCount) { return try one(rowid: rowid, request) }
        return try one(key: identity, request)
    }

    // MARK: Many rows

    /// Calls `body` with the statement that reads the rows with some rowids. False if none can.
    func many(
        rowids all: ArraySlice<Int64>, _ request: CompiledRequest, _ body: (Statement) throws -> Void
    ) throws -> Bool {
        guard let statement = try preparedMany(.rowid), let rowids else { return false }
        rowids.removeAll()
        for rowid in all { unsafe rowids.append(rowid) }
        try body(bound(statement, ownParameters: 0, request))
        return true
    }

    /// The same for the rows with some keys. Their numbers among these are in the last column.
    func many(
        keys all: ArraySlice<RowValues>, _ request: CompiledRequest, _ body: (Statement) throws -> Void
    ) throws -> Bool {
        guard let statement = try preparedMany(.identity), let rowids, let keys else { return false }
        keys.keys = Array(all)
        defer { keys.keys = [] }
        rowids.removeAll()
        for number in 0..<all.count { unsafe rowids.append(Int64(number)) }
        try body(bound(statement, ownParameters: 0, request))
        return true
    }

    private func preparedMany(_ key: KeyKind) throws(StoreError) -> Statement? {
        let known =
            switch key {
            case .rowid: byRowid.many
            case .identity: byIdentity.many
            }
        if let known { return known }
        let statement = try prepareMany(key)
        switch key {
        case .rowid: byRowid.many = .some(statement)
        case .identity: byIdentity.many = .some(statement)
        }
        return statement
    }

    private func prepareMany(_ key: KeyKind) throws(StoreError) -> Statement? {
        // A table of that name would be read in place of the connection's.
        guard let text = text(.many(key)), try !SchemaReader(connection: connection).exists(RowidVirtualTable.name)
        else {
            return nil
        }
        rowids = try connection.rowidTable()
        // The statement calls the list's function.
        if key == .identity { keys = try connection.keyList() }
        do {
            return try connection.prepare(text)
        } catch  where error.status == .sql && hasParameters {
            // The predicate has a name, such as `rowid`, that means nothing where there are two
            // tables.
            return nil
        }
    }

    /// The statement that reads the rows whose rowids are in a range: SQLite steps from one to the
    /// next, rather than searching each. nil if there is none.
    func range(_ first: Int64, _ last: Int64) throws(StoreError) -> Statement? {
        guard let statement = try prepared(range, .range) else { return nil }
        range = statement
        try statement.bind(first, at: 1)
        try statement.bind(last, at: 2)
        return statement
    }

    // MARK: Rows of a view or SELECT

    /// The statement that reads the rows with some identities, as many as one search takes.
    func search(_ keys: [RowValues], count: Int, _ request: CompiledRequest) throws(StoreError) -> Statement? {
        guard let first = keys.first, let statement = try prepared(search, .search(count)) else { return nil }
        search = statement
        let own = count * identity.count
        var parameter = try bound(statement, ownParameters: own, request).parameterCount - own + 1
        for number in 0..<count {
            let key = number < keys.count ? keys[number] : first
            for part in 0..<identity.count {
                try statement.bind(key, part, at: parameter)
                parameter += 1
            }
        }
        return statement
    }

    /// The statement that runs through all rows of the list.
    func scan(_ request: CompiledRequest) throws(StoreError) -> Statement? {
        guard let statement = try prepared(scan, .scan) else { return nil }
        scan = statement
        try request.bind(statement, ownParameters: 0)
        return statement
    }
}

/// Which of two ways reads rows of a view or of a whole SELECT by their identities.
///
/// A search asks for each identity, joined by OR. SQLite moves that into the view, and searches
/// with its indexes, where it can: in plain views, compound ones, and groups by the identity. Where
/// it can't (a LIMIT, a window function), it runs through all rows for each search. It is better
/// then to run through all rows once, and to select as many of them as there is room for. SQLite's
/// count of the steps of its virtual machine shows which of the two is cheaper
/// (https://www.sqlite.org/c3ref/c_stmtstatus_counter.html).
struct SearchCosts {
    /// The greatest number of rows that one search asks for.
    private static let searchLimit = 64
    /// A search by an index takes fewer steps for each row, beside the steps for its columns.
    private static let stepsOfSearch = 300

    let columnCount: Int
    /// The steps of a search for one row, and of running through all rows, once they were measured.
    var searchSteps: Int?
    var scanSteps: Int?
    /// Whether it never searches, so that short lists of tests are run through as well.
    var alwaysScans = false

    init(columnCount: Int) { self.columnCount = columnCount }

    /// How many rows one search asks for.
    static func searchCount(_ batchSize: Int, identityCount: Int) -> Int {
        max(1, min(batchSize, searchLimit, 500 / identityCount))
    }

    /// Whether reading up to `count` rows together is cheaper by running through all rows.
    func prefersScan(_ count: Int) -> Bool {
        if alwaysScans { return true }
        guard let searchSteps, searchSteps > Self.stepsOfSearch + 4 * columnCount else { return false }
        return scanSteps.map { $0 < searchSteps * count } ?? true
    }

    /// Whether to read so many rows by running through all rows.
    ///
    /// - Parameter affordsScan: Whether to do so for more rows than one search asks for, though it
    ///   is not known what that costs.
    func scans(_ count: Int, searchCount: Int, affordsScan: Bool) -> Bool {
        guard !alwaysScans, let scanSteps else { return affordsScan && count > searchCount || prefersScan(count) }
        return scanSteps < (searchSteps ?? Self.stepsOfSearch) * count
    }
}
