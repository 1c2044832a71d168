internal import SQLiteKit

/// Compares rows value by value, where bytes do not determine their order.
struct RowOrder {
    private let components: [KeyComponent]
    private let comparers: [CollationComparer]

    /// The order of sort values followed by identities.
    init(sorts: [KeyComponent], identity: [KeyComponent], connection: Connection) throws(StoreError) {
        components = sorts + identity
        var comparers: [CollationComparer] = []
        for component in components {
            comparers.append(try CollationComparer(collation: component.collation.name, connection: connection))
        }
        self.comparers = comparers
    }

    /// Whether the row with sort values and identity `a` precedes that with `b`.
    func isBefore(_ a: RowValues, _ b: RowValues) throws(StoreError) -> Bool {
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
