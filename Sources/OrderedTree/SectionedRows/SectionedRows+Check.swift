extension ListTree {
    /// Everything that must hold of the index, against the true keys when they are given; empty when
    /// all does. O(rows log rows), for tests.
    package func checkInvariants(key: ((Int64) -> [UInt8])? = nil) -> [String] {
        let checker = InvariantChecker(forest: forest, key: key)
        for index in 0..<sectionCount {
            let section = positions.handle(at: index)
            let rows = checker.checkSection(section)
            if positions.weights(of: section) != .init(first: 1, second: rows) {
                checker.faults.append("weights of section \(section)")
            }
        }
        checker.checkTables(rows: rowCount)
        return checker.faults + positions.checkInvariants()
    }
}
