public import SQLiteKit

extension Store {
    /// Runs one statement to its end; rows that it yields are dropped.
    public func execute(_ sql: String, _ parameters: [Value] = []) throws {
        let statement = try statement(sql)
        try statement.bind(parameters)
        try run(statement)
    }

    /// Runs one statement with named parameters, each of which must be given.
    public func execute(_ sql: String, named parameters: [(name: String, value: Value)]) throws {
        let statement = try statement(sql)
        try statement.bind(named: parameters)
        try run(statement)
    }

    /// Runs any number of statements without parameters, until one fails.
    public func executeScript(_ sql: String) throws {
        try checkOpen()
        try connection.eachStatement(of: sql) { statement in
            guard statement.parameterCount == 0 else {
                throw StoreError(.sql, "a statement of a script can't have parameters", sql: statement.sql)
            }
            try run(statement)
        }
    }

    /// Calls `row` with the values of each row that a statement yields.
    public func query(_ sql: String, _ parameters: [Value] = [], row: ([Value]) throws -> Void) throws {
        try query(sql, parameters) { _, values in try row(values) }
    }

    /// The same with the statement.
    func query(_ sql: String, _ parameters: [Value], eachRow: (Statement, [Value]) throws -> Void) throws {
        let statement = try statement(sql)
        try statement.bind(parameters)
        try afterwardsDeliver {
            note(statement)
            do {
                while try statement.step() {
                    try eachRow(statement, statement.rowValues(from: 0, count: statement.columnCount).values)
                }
            } catch {
                // The writes of the statement stay, unless this fails as well.
                try statement.end()
                throw error
            }
        }
    }

    package func prepare(_ sql: String) throws -> Statement {
        try checkOpen()
        return try connection.prepare(sql)
    }

    package func run(_ statement: Statement) throws {
        try afterwardsDeliver {
            note(statement)
            try statement.run()
        }
    }

    /// Steps to the next row of a statement; false at its end.
    package func step(_ statement: Statement) throws -> Bool {
        if !statement.isUnderWay { note(statement) }
        let hasRow = try statement.step()
        if !hasRow { delivery.deliverIfDue() }
        return hasRow
    }

    /// Ends a statement, though it may have more rows; its writes are committed and delivered.
    package func end(_ statement: Statement) throws {
        guard statement.isUnderWay else { return statement.reset() }
        try afterwardsDeliver { try statement.end() }
    }

    /// Reads a row before the changes that led to it are delivered.
    func afterwardsDeliver<Result>(_ work: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try work()
        } catch {
            // SQLite may have rolled back the transaction in which a list was fetched.
            delivery.deliverIfDue()
            throw error
        }
        delivery.deliverIfDue()
        return result
    }

    private func note(_ statement: Statement) {
        switch statement.kind {
        case .data, .transaction: break
        case .rollback: delivery.capture.noteRollback()
        case .schema: delivery.noteSchemaChange(isExclusive: false)
        case .exclusive: delivery.noteSchemaChange(isExclusive: true)
        }
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changes: Int64 {
        get throws {
            try checkOpen()
            return connection.changes
        }
    }

    /// The rowid of the last INSERT; 0 before the first.
    public var lastInsertRowid: Int64 {
        get throws {
            try checkOpen()
            return connection.lastInsertRowid
        }
    }

    /// Registers a collation, which must be a total order that never changes.
    package func addCollation(_ name: String, _ compare: @escaping TextComparison) throws {
        try checkOpen()
        unsafe try connection.addCollation(name, compare)
        delivery.noteSchemaChange(isExclusive: true)
    }

    /// Registers a SQL function or aggregate.
    package func addFunction(_ function: SQLFunction) throws {
        try checkOpen()
        try connection.addFunction(function)
        delivery.noteSchemaChange(isExclusive: true)
    }

    /// Registers a SQL function for statements, the schema and requests. It replaces one of that
    /// name with as many arguments.
    ///
    /// A list calls it again only for rows that have changed, so there it must return the same
    /// result for the same arguments. It is called in the middle of a statement, where it can't use
    /// the store. A statement fails with the message of the error that it throws, and the status
    /// `error`.
    ///
    /// - Parameters:
    ///   - name: How SQL calls it. Names that begin with `fr_` belong to the library.
    ///   - argumentCount: How many arguments it takes; nil for any number.
    ///   - isDeterministic: Whether it returns the same result for the same arguments as long as
    ///     the database is used. SQLite may then call it less often, and accepts it in indexes and
    ///     generated columns.
    ///   - function: Called with the values of the arguments.
    public func addFunction(
        _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
        _ function: @escaping ([Value]) throws -> Value
    ) throws {
        if let argumentCount, argumentCount < 0 {
            throw StoreError(.range, "a function can't have \(counted(argumentCount, "argument"))")
        }
        try addFunction(
            SQLFunction(
                name: name, argumentCount: argumentCount ?? -1, isDeterministic: isDeterministic,
                kind: .scalar { try function($0.values) }))
    }

    /// Registers a collation: negative, 0 or positive as the first text sorts before, with or after
    /// the second.
    ///
    /// If it throws, the statement that compares fails, and everything that it wrote is undone.
    /// SQLite can't undo only that statement, so an open transaction in which it wrote is rolled
    /// back.
    public func addCollation(_ name: String, _ compare: @escaping (String, String) throws -> Int) throws {
        unsafe try addCollation(name) { a, b in
            unsafe try Int32(
                compare(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self)).signum())
        }
    }
}
