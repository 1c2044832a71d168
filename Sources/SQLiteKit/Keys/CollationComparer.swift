/// Compares values in the order of a collation that only SQLite knows.
package struct CollationComparer {
    private let statement: Statement

    package init(collation: String, connection: Connection) throws(StoreError) {
        let name = quoted(collation)
        statement = try connection.prepare("SELECT (?1 COLLATE \(name) > ?2) - (?1 COLLATE \(name) < ?2)")
    }

    /// Negative, 0 or positive as the first value stands before, with or after the second one.
    package func compare(
        _ a: RowValues, _ aIndex: Int, _ b: RowValues, _ bIndex: Int, _ component: KeyComponent
    ) throws(StoreError) -> Int {
        let isANull = a.storageClass(aIndex) == .null
        let isBNull = b.storageClass(bIndex) == .null
        if isANull || isBNull {
            if isANull && isBNull { return 0 }
            return isANull == component.nullsFirst ? -1 : 1
        }
        try statement.bind(a, aIndex, at: 1)
        try statement.bind(b, bIndex, at: 2)
        defer { statement.reset() }
        try statement.step()
        let order = Int(statement.integer(0))
        return component.isDescending ? -order : order
    }
}
