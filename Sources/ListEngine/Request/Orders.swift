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
    private let components: [KeyComponent]
    /// Compare rows value by value; nil where the bytes of their keys determine the order.
    private let comparers: [CollationComparer]?

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
        components = sorts + identity.components
        if components.allSatisfy(\.collation.isBytewise) {
            comparers = nil
            return
        }
        var comparers: [CollationComparer] = []
        for component in components {
            comparers.append(try CollationComparer(collation: component.collation.name, connection: connection))
        }
        self.comparers = comparers
    }

    /// Whether the bytes of keys determine the order.
    var isBytewise: Bool { comparers == nil }

    /// Whether the row with sort values and identity `a` precedes that with `b`, where bytes do not
    /// determine that.
    func isBefore(_ a: RowValues, _ b: RowValues) throws(StoreError) -> Bool {
        guard let comparers else { return false }
        for (index, component) in components.enumerated() {
            let order = try comparers[index].compare(a, index, b, index, component)
            if order != 0 { return order < 0 }
        }
        return false
    }
}

/// The order of a request's sections.
struct SectionOrder {
    let component: KeyComponent
    /// Compares texts by a collation that only SQLite has; nil where bytes determine the order.
    let comparer: CollationComparer?

    init(component: KeyComponent, connection: Connection) throws(StoreError) {
        self.component = component
        let collation = component.collation
        comparer =
            collation.isBytewise ? nil : try CollationComparer(collation: collation.name, connection: connection)
    }

    /// Whether bytes determine the order.
    var isBytewise: Bool { comparer == nil }
}
