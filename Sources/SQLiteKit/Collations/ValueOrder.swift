/// The order of values, as one component of keys has it.
package struct ValueOrder {
    package let component: KeyComponent
    /// Compares two values by a collation that only SQLite can apply; nil where bytes determine the
    /// order.
    private let comparison: Statement?

    package init(_ component: KeyComponent, _ connection: Connection) throws(StoreError) {
        self.component = component
        let name = quoted(component.collation.name)
        comparison =
            component.collation.isBytewise
            ? nil : try connection.prepare("SELECT (?1 COLLATE \(name) > ?2) - (?1 COLLATE \(name) < ?2)")
    }

    /// Whether bytes determine the order.
    package var isBytewise: Bool { comparison == nil }

    /// Negative, 0 or positive: the first value sorts before, with or after the second one.
    package func compare(_ a: RowValues, _ aIndex: Int, _ b: RowValues, _ bIndex: Int) throws(StoreError) -> Int {
        if a.storageClass(aIndex) == .integer, b.storageClass(bIndex) == .integer, !component.isDescending {
            let (a, b) = (a.integer(aIndex), b.integer(bIndex))
            return a < b ? -1 : a > b ? 1 : 0
        }
        if case .binary = component.collation, !component.isDescending, a.storageClass(aIndex) == .text,
            b.storageClass(bIndex) == .text
        {
            let (a, b) = unsafe (a.bytes(aIndex), b.bytes(bIndex))
            return unsafe a.precedes(b) ? -1 : a.hasSameBytes(as: b) ? 0 : 1
        }
        if let comparison { return try compare(a, aIndex, b, bIndex, by: comparison) }
        let (a, b) = (RowValues.Part(a, aIndex).encoded(component), RowValues.Part(b, bIndex).encoded(component))
        return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
    }

    private func compare(
        _ a: RowValues, _ aIndex: Int, _ b: RowValues, _ bIndex: Int, by comparison: Statement
    ) throws(StoreError) -> Int {
        let isANull = a.storageClass(aIndex) == .null
        let isBNull = b.storageClass(bIndex) == .null
        if isANull || isBNull {
            if isANull && isBNull { return 0 }
            return isANull == component.nullsFirst ? -1 : 1
        }
        try comparison.bind(a, aIndex, at: 1)
        try comparison.bind(b, bIndex, at: 2)
        defer { comparison.reset() }
        try comparison.step()
        let order = Int(comparison.integer(0))
        return component.isDescending ? -order : order
    }
}
