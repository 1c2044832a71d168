internal import OrderedTree
internal import SQLiteKit

/// Reading what the tree compares with: keys and sort values of rows that were not touched.
extension IncrementalUpdate {
    /// The key of a row in the list, which the tree compares with when it does not hold enough of
    /// it.
    mutating func key(of id: Int64) throws -> UnsafeRawBufferPointer {
        if let new = newRow(id) { return unsafe new.key.bytes }
        if let lastOther, lastOther.id == id { return unsafe lastOther.key.bytes }
        let bytes = unsafe try readOrder(of: id) {
            unsafe decoder.key($0, firstSort: compiled.order.reader.firstColumn)
        }
        let key = unsafe keys.copy(bytes)
        lastOther = (id, key)
        return unsafe key.bytes
    }

    /// The sort values of a row in the list, and its identity.
    func orderValues(of id: Int64) throws -> RowValues {
        if newRow(id) != nil, let values = ownOrder?[id] { return values }
        return try readOrder(of: id) { decoder.orderValues($0, firstSort: compiled.order.reader.firstColumn) }
    }

    /// The values that were read of a touched row that is in the new list.
    func newRow(_ id: Int64) -> TouchedEntry.Destination? { touched.index(of: id).flatMap { touched[at: $0].new } }

    private func readOrder<Result>(of id: Int64, _ read: (Statement) -> Result) throws -> Result {
        engine.counters.statementsRun += 1
        engine.counters.rowsRead += 1
        return try compiled.order.reader.read(id, decoder, read)
    }
}
