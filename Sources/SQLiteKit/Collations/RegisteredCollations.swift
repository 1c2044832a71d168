internal import CSQLite

/// Compares two texts, given as bytes: negative, 0 or positive. If it throws, the statement that
/// compares fails, and everything that it wrote is undone.
package typealias TextComparison = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int32

/// Safe to hold; only calling the comparison is unsafe.
@safe private final class ComparisonBox {
    let compare: TextComparison
    /// The connection that compares. It has the box, so it is open in each comparison.
    private let handle: OpaquePointer?
    /// The activities of the connections that can't be used inside the comparison; that which
    /// compares is the last one.
    private let activities: [Activity]

    init(_ compare: @escaping TextComparison, _ connection: Connection, calledBy others: [Activity] = []) {
        unsafe self.compare = compare
        unsafe handle = connection.handle
        activities = others + [connection.activity]
    }

    /// Compares two texts for SQLite. If that fails, so does the statement, whatever this returns.
    func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
        let activity = activities[activities.count - 1]
        // The statement has failed already. Its order does not matter, but its time does.
        if activity.comparisonFailure != nil, activity.isInStatement { return 0 }
        do {
            return try calling { unsafe try compare(a, b) }
        } catch {
            let failure = ComparisonFailure(
                error: StoreError(any: error), isInWrite: unsafe sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE,
                isOfProgram: !activity.isInStatement)
            activity.fail(failure)
            // The library does not see the end of a statement that the program runs.
            if failure.isOfProgram { unsafe sqlite3_interrupt(handle) }
            return 0
        }
    }

    private func calling<Result>(_ body: () throws -> Result) rethrows -> Result {
        try activities[0].inStatement(.small) {
            try activities.count == 1 ? body() : activities[1].inStatement(.small, body)
        }
    }
}

extension Connection {
    /// Registers a collation. `compare` is released when it is replaced, when the connection
    /// closes, or if this fails.
    package func addCollation(_ name: String, _ compare: @escaping TextComparison) throws(StoreError) {
        let box = unsafe ComparisonBox(compare, self)
        try register(name, box)
        try addedCollations().add((name, box)) { isSameName($0.name, name) }
    }

    private func addedCollations() throws(StoreError) -> Additions<(name: String, box: ComparisonBox)> {
        try registration {
            Additions { collation, connection throws(StoreError) in
                unsafe try connection.register(collation.name, ComparisonBox(collation.box.compare, connection))
            }
        }
    }

    /// Registers the collations of this connection with another one of the library that the same
    /// thread uses, as far as it does not have them.
    package func shareCollations(with reader: Connection) throws(StoreError) {
        for (name, box) in try addedCollations().items where !reader.hasCollation(name) {
            unsafe try reader.register(name, ComparisonBox(box.compare, reader, calledBy: [activity]))
        }
    }

    private func register(_ name: String, _ comparison: ComparisonBox) throws(StoreError) {
        let box = unsafe Unmanaged.passRetained(comparison)
        let code = unsafe sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, box.toOpaque(),
            { context, aCount, a, bCount, b in
                guard let context = unsafe context else { return 0 }
                let box = unsafe Unmanaged<ComparisonBox>.fromOpaque(context).takeUnretainedValue()
                return unsafe box.order(
                    UnsafeRawBufferPointer(start: a, count: a == nil ? 0 : Int(aCount)),
                    UnsafeRawBufferPointer(start: b, count: b == nil ? 0 : Int(bCount)))
            },
            { context in
                if let context = unsafe context { unsafe Unmanaged<ComparisonBox>.fromOpaque(context).release() }
            })
        guard code == SQLITE_OK else {
            // SQLite calls the destructor only if the registration succeeds.
            unsafe box.release()
            throw failure(code)
        }
    }

    /// Registers the order of a locale under the locale's name.
    package func addCollation(_ locale: Locale) throws(StoreError) {
        unsafe try addCollation(locale.name) { a, b in
            let (a, b) = unsafe (locale.transform(a), locale.transform(b))
            if a.lexicographicallyPrecedes(b) { return -1 }
            return b.lexicographicallyPrecedes(a) ? 1 : 0
        }
    }

    /// Whether this connection has a collation.
    package func hasCollation(_ name: String) -> Bool {
        // SQLite prepares this statement also with an empty name, which nobody else can use.
        !name.isEmpty && (try? prepare("SELECT 1 ORDER BY 1 COLLATE \(quoted(name))")) != nil
    }
}
