package import SQLiteKit

extension Connection {
    /// All rows of a statement.
    package func rows(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
        let statement = try prepare(sql)
        try statement.bind(parameters)
        var rows: [[Value]] = []
        while try statement.step() { rows.append(statement.rowValues(from: 0, count: statement.columnCount).values) }
        return rows
    }
}
