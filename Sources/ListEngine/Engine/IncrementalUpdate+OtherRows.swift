internal import OrderedTree
internal import SQLiteKit

/// Reading what the tree compares with: keys and sort values of rows that were not touched.
extension IncrementalUpdate {
    /// The key of a row in the list, which the tree compares with when it does not hold enough of
    /// it.
    mutating func key(of id: Int64) throws -> [UInt8] {
        if let new = touched[id]?.new { return new.key }
        if let key = others[id] { return key }
        let key = try readOrder(of: id) { unsafe [UInt8](decoder.key($0, firstSort: compiled.identity.count)) }
        others.add(id, key)
        return key
    }

    /// Reads the keys that the insertion of the touched rows from `start` on will compare with:
    /// together, and in the order of the table, so that each of its pages is read once. Does so if
    /// a quarter of the rows before needed one, as each row is searched a second time for that.
    ///
    /// By the time that a row is inserted, it may have other neighbours, and may need a key that is
    /// not among these.
    mutating func readAheadIfWorthwhile(from start: Int) throws {
        guard compiled.rowOrder == nil, others.readCount > start / 4, let batch = try compiled.plan.sortBatch() else {
            return
        }
        var wanted: [Int64] = []
        for index in start..<touched.count {
            prefetchPlace(ahead: index)
            let row = touched[at: index]
            guard row.fate.inserts, let new = row.new, case .known(let section) = new.section else { continue }
            let other = unsafe new.key.withUnsafeBytes { unsafe list.rows.rowToCompare(with: $0, in: section) }
            if let other, touched[other]?.new == nil { wanted.append(other) }
        }
        if wanted.isEmpty { return }
        try engine.forEachRow(of: decoder.identities.inTableOrder(wanted), batch, compiled, decoder) {
            others.add(ahead: $0, unsafe [UInt8](decoder.key($1, firstSort: $2)))
            return true
        }
    }

    /// The sort values of a row in the list, and its identity.
    func orderValues(of id: Int64) throws -> RowValues {
        if let values = touched[id]?.new?.values { return values }
        return try readOrder(of: id) { decoder.orderValues($0, firstSort: compiled.identity.count) }
    }

    private func readOrder<Result>(of id: Int64, _ read: (Statement) -> Result) throws -> Result {
        engine.counters.statementsRun += 1
        engine.counters.rowsRead += 1
        guard let statement = try compiled.sortValues.statement(for: id, decoder.identities) else {
            throw StoreError(.gone, "the identity of a row of the list is not known any more")
        }
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.gone, "a row of the list is not in the database any more") }
        return read(statement)
    }
}
