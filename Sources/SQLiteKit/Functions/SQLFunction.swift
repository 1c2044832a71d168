/// A SQL function or aggregate of the program.
package struct SQLFunction {
    package enum Implementation {
        case scalar((RowValues) throws -> Value)
        /// Makes a group. A window function's can also undo steps.
        case aggregate(isWindow: Bool, () -> any AggregateGroup)
    }

    package let name: String
    /// -1 for any number.
    package let argumentCount: Int
    /// Whether it returns the same result for the same arguments as long as the database is used.
    package let isDeterministic: Bool
    /// Whether other threads may call it, also at the same time.
    package let isForAnyThread: Bool
    package let kind: Implementation

    package init(
        name: String, argumentCount: Int, isDeterministic: Bool = false, isForAnyThread: Bool = false,
        kind: Implementation
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.isForAnyThread = isForAnyThread
        self.kind = kind
    }

    /// SQLite's limit (https://www.sqlite.org/limits.html).
    static let argumentCounts = -1...127

    /// Throws for names and numbers that no function of a program can have.
    func check() throws(StoreError) {
        guard !isSameName(String(name.prefix(3)), "fr_") else {
            throw StoreError(.misuse, "the function \(name) would be one of the library")
        }
        guard (1...255).contains(name.utf8.count) else {
            throw StoreError(.range, "the name of a function has 1 to 255 bytes, not \(name.utf8.count)")
        }
        guard Self.argumentCounts.contains(argumentCount) else {
            throw StoreError(.range, "a function can't have \(counted(argumentCount, "argument"))")
        }
    }

    /// Whether it takes the place of another one.
    func replaces(_ other: SQLFunction) -> Bool {
        isSameName(name, other.name) && argumentCount == other.argumentCount
    }
}

/// The rows of one group of an aggregate.
package protocol AggregateGroup: AnyObject {
    /// Adds a row with these arguments.
    func step(_ arguments: RowValues) throws
    /// The result for the rows so far. Called only in window functions.
    func value() throws -> Value
    /// Removes the first row, which had these arguments. Called only in window functions.
    func inverse(_ arguments: RowValues) throws
    /// The result. Called once, also if a step has failed; then it is not used.
    func finalize() throws -> Value
}
