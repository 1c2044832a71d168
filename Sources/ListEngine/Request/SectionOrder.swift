internal import SQLiteKit

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
