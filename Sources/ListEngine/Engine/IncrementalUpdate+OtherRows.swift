internal import OrderedTree
internal import SQLiteKit

/// Reading what the tree compares with: keys and sort values of rows that were not touched.
extension IncrementalUpdate {
    /// The key of a row in the list, which the tree compares with when it does not hold enough of
    /// it.
    mutating func key(of id: Int64) throws -> UnsafeRawBufferPointer {
        if let new = newRow(id) { return unsafe new.key.bytes }
        if let key = others[id] { return unsafe key.bytes }
        let key = unsafe try readOrder(of: id) { unsafe decoder.key($0, firstSort: compiled.identity.count) }
        return unsafe others.add(id, key).bytes
    }

    /// Reads the keys that the insertion of the touched rows from `start` on will compare with:
    /// together, and in the order of the table, so that each of its pages is read once. Does so if
    /// a third of those that were inserted before needed one, as each row is searched a second time
    /// for that.
    ///
    /// By the time that a row is inserted, it may have other neighbours, and may need a key that is
    /// not among these.
    mutating func readAheadIfWorthwhile(from start: Int, _ insertedCount: Int) throws {
        guard compiled.rowOrder == nil, others.readCount > insertedCount / 3,
            let batch = try compiled.plan.sortBatch()
        else { return }
        var wanted: [Int64] = []
        for position in start..<touched.count {
            prefetchPlace(ahead: position)
            let index = order[position]
            guard touched[at: index].fate.inserts, let new = touched[at: index].new,
                case .known(let section) = new.section
            else { continue }
            let other = unsafe list.rows.rowToCompare(with: new.key.bytes, in: section)
            if let other, newRow(other) == nil { wanted.append(other) }
        }
        if wanted.isEmpty { return }
        try engine.forEachRow(of: decoder.identities.inTableOrder(wanted), batch, compiled, decoder) {
            unsafe others.add(ahead: $0, decoder.key($1, firstSort: $2))
            return true
        }
    }

    /// The sort values of a row in the list, and its identity.
    func orderValues(of id: Int64) throws -> RowValues {
        if newRow(id) != nil, let values = ownOrder?[id] { return values }
        return try readOrder(of: id) { decoder.orderValues($0, firstSort: compiled.identity.count) }
    }

    /// What was read of a touched row that is in the new list.
    func newRow(_ id: Int64) -> TouchedEntry.NewRow? { touched.index(of: id).flatMap { touched[at: $0].new } }

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
