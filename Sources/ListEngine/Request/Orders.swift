internal import SQLiteKit

/// Compares rows whose order can't be told from bytes, value by value.
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

    /// Whether the row with sort values and identity `a` stands before that with `b`.
    func isBefore(_ a: RowValues, _ b: RowValues) throws(StoreError) -> Bool {
        for (index, component) in components.enumerated() {
            let order = try comparers[index].compare(a, index, b, index, component)
            if order != 0 { return order < 0 }
        }
        return false
    }
}

/// How sections of a request stand to each other.
struct SectionOrder {
    let component: KeyComponent
    /// Compares texts by a collation that only SQLite knows; nil where bytes tell the order.
    let comparer: CollationComparer?

    init(component: KeyComponent, connection: Connection) throws(StoreError) {
        self.component = component
        if case .custom(let name) = component.collation {
            comparer = try CollationComparer(collation: name, connection: connection)
        } else {
            comparer = nil
        }
    }

    /// Whether bytes tell the order.
    var isBytewise: Bool { comparer == nil }
}
