internal import SQLiteKit

/// The order of a request's rows: by their sort values, then by their identities.
struct RowOrder {
    let sorts: [KeyComponent]
    let keyPaths: [KeyPath]
    /// Whether an old image of a row has all sort values.
    let hasOwnValues: Bool
    /// The columns of the sort values, relative to the first of them.
    let columns: KeyColumns
    /// The first of them in the rows of `KeyReading` and `TouchedReaders.members`.
    let firstColumn: Int
    /// Reads the sort values of rows.
    let reader: RowReader
    /// Whether the bytes of keys determine the order.
    let isBytewise: Bool
    /// The orders of sort values and identity.
    private let orders: [ValueOrder]

    init(
        _ terms: [SortTerm], _ identity: RowIdentity, firstColumn: Int, _ reader: RowReader,
        _ connection: Connection
    ) throws(StoreError) {
        sorts = terms.map(\.component)
        keyPaths = terms.map(\.keyPath)
        hasOwnValues = keyPaths.allSatisfy { $0.tableColumn != nil }
        columns = KeyColumns(Array(terms.indices), sorts)
        self.firstColumn = firstColumn
        self.reader = reader
        var orders: [ValueOrder] = []
        for component in sorts + identity.components { orders.append(try ValueOrder(component, connection)) }
        self.orders = orders
        isBytewise = orders.allSatisfy(\.isBytewise)
    }

    /// Whether the row with sort values and identity `a` precedes that with `b`.
    func isBefore(_ a: RowValues, _ b: RowValues) throws(StoreError) -> Bool {
        for (index, order) in orders.enumerated() {
            let order = try order.compare(a, index, b, index)
            if order != 0 { return order < 0 }
        }
        return false
    }
}
