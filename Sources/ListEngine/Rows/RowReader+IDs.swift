internal import SQLiteKit

/// Reading rows of a list by their ids.
extension RowReader {
    /// The values that determine the id of the row that a statement shows.
    enum IDSource {
        case one(Int64)
        /// The identity in its columns. It may also show rows that were not requested.
        case identity(hasOthers: Bool)
        /// The row's number among these ids, in the last column.
        case number([Int64])
    }

    /// The statement that reads a row; nil if its identity is not known any more.
    func one(_ id: Int64, _ decoder: KeyDecoder) throws(StoreError) -> Statement? {
        if decoder.identities.areRowids { return try one(rowid: id, decoder.compiled) }
        guard let identity = decoder.identities.identity(of: id) else { return nil }
        return try one(identity: identity, decoder.compiled)
    }

    /// What `body` makes of the statement at a row that is in the list. Throws `gone` if there is
    /// no such row.
    func read<Result>(_ id: Int64, _ decoder: KeyDecoder, _ body: (Statement) -> Result) throws -> Result {
        guard let statement = try one(id, decoder) else {
            throw StoreError(.gone, "the identity of a row of the list is not known any more")
        }
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.gone, "a row of the list is not in the database any more") }
        return body(statement)
    }

    /// Calls `body` with statements that together read the rows with these ids, as long as it
    /// returns true. Each must be stepped before `body` returns.
    ///
    /// - Parameter affordsScan: Whether to run through all rows of a view or SELECT for many ids,
    ///   though it is not known what that costs.
    func read(
        _ ids: [Int64], _ decoder: KeyDecoder, affordsScan: Bool, _ body: (Statement, IDSource) throws -> Bool
    ) throws {
        if costs != nil, readsMany, ids.count > 1 || costs?.alwaysScans ?? false {
            return try readResults(ids, decoder, affordsScan: affordsScan, body)
        }
        if ids.count > 1, readsMany {
            let isRead =
                decoder.identities.areRowids
                ? try readRowids(ids, decoder, body) : try readKeyed(ids, decoder, body)
            if isRead { return }
        }
        for id in ids {
            guard let statement = try one(id, decoder) else { continue }
            guard try body(statement, .one(id)) else { return }
        }
    }

    /// How many rows to read together: as many as a batch has, or, if only running through all rows
    /// finds them, as many as there is room for.
    func size(_ batchSize: Int, room: Int) -> Int {
        costs?.prefersScan(room) ?? false ? max(batchSize, room) : batchSize
    }

    private func readRowids(
        _ ids: [Int64], _ decoder: KeyDecoder, _ body: (Statement, IDSource) throws -> Bool
    ) throws -> Bool {
        // As in a list that is sorted by them. All differ.
        if let first = ids.min(), let last = ids.max(), last &- first == ids.count - 1,
            let statement = try range(first, last)
        {
            _ = try body(statement, .identity(hasOthers: false))
            return true
        }
        return try many(rowids: ids[...], decoder.compiled) {
            _ = try body($0, .identity(hasOthers: false))
        }
    }

    /// Reads rows by their declared keys, and by the rowid where a NULL in the key makes that the
    /// identity.
    private func readKeyed(
        _ ids: [Int64], _ decoder: KeyDecoder, _ body: (Statement, IDSource) throws -> Bool
    ) throws -> Bool {
        var standIns: [Int64] = []
        var keyed: [Int64] = []
        var keys: [RowValues] = []
        for id in ids {
            guard let key = decoder.identities.identity(of: id) else { continue }
            if let rowid = key.standInRowid(keyCount: identity.keyCount) {
                standIns.append(rowid)
            } else {
                keyed.append(id)
                keys.append(key)
            }
        }
        var isWanted = true
        if !keys.isEmpty {
            let isRead = try many(keys: keys[...], decoder.compiled) {
                isWanted = try body($0, .number(keyed))
            }
            guard isRead else { return false }
        }
        if !isWanted || standIns.isEmpty { return true }
        return try many(rowids: standIns[...], decoder.compiled) {
            _ = try body($0, .identity(hasOthers: false))
        }
    }

    private func readResults(
        _ ids: [Int64], _ decoder: KeyDecoder, affordsScan: Bool, _ body: (Statement, IDSource) throws -> Bool
    ) throws {
        let searchCount = SearchCosts.searchCount(
            decoder.compiled.request.batchSize, identityCount: identity.count)
        if costs?.scans(ids.count, searchCount: searchCount, affordsScan: affordsScan) ?? false,
            let statement = try scan(decoder.compiled)
        {
            _ = statement.takeSteps()
            _ = try body(statement, .identity(hasOthers: true))
            costs?.scanSteps = statement.takeSteps()
            return
        }
        for start in stride(from: 0, to: ids.count, by: searchCount) {
            let keys = ids[start..<min(start + searchCount, ids.count)].compactMap(decoder.identities.identity)
            guard let statement = try search(keys, count: searchCount, decoder.compiled) else { continue }
            _ = statement.takeSteps()
            let isWanted = try body(statement, .identity(hasOthers: false))
            costs?.searchSteps = statement.takeSteps() / searchCount
            if !isWanted { return }
        }
    }
}
