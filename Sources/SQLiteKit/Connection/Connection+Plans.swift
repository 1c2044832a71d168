/// One step of SQLite's plan for a statement (https://www.sqlite.org/eqp.html).
package struct PlanStep {
    package let text: String
    /// How many steps it is part of.
    package let depth: Int

    /// Whether SQLite sorts here, if only in parts.
    package var isSort: Bool { text.hasPrefix("USE TEMP B-TREE FOR") }

    /// Whether it reads all rows of a table, which has this name in the statement. A plan names the
    /// database of a table if the statement does.
    package func isScan(of table: String, in database: String) -> Bool {
        [table, "\(database).\(table)"].contains { text == "SCAN \($0)" || text.hasPrefix("SCAN \($0) ") }
    }
}

extension Connection {
    /// SQLite's plan for a statement.
    package func queryPlan(_ sql: String) throws(StoreError) -> [PlanStep] {
        let statement = try prepare("EXPLAIN QUERY PLAN " + sql)
        defer { statement.reset() }
        var steps: [PlanStep] = []
        var depths: [Int64: Int] = [:]
        while try statement.step() {
            let depth = depths[statement.integer(1)].map { $0 + 1 } ?? 0
            depths[statement.integer(0)] = depth
            steps.append(PlanStep(text: statement.text(3), depth: depth))
        }
        return steps
    }
}
