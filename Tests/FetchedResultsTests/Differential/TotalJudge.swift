import FetchedResults
import SQLiteKit
import TestSupport

/// Computes totals of given values, in the test's own way.
struct TotalJudge {
    private let connection: Connection
    private let number: Statement
    private let truth: Statement

    init(_ connection: Connection) throws {
        self.connection = connection
        number = try connection.prepare("SELECT sum(?1)")
        truth = try connection.prepare("SELECT ?1 IS TRUE")
    }

    /// A total of some values, of which a count counts the true ones; extremes as the collation
    /// sees them. nil if a sum exceeds 64 bits.
    func total(_ function: Total.Function, _ values: [Cell], _ collation: TextOrder) throws -> Cell? {
        switch function {
        case .count: return .integer(Int64(try values.count { try single(truth, $0) == 1 }))
        case .sum, .average:
            return Self.sum(try values.map { try single(number, $0) }, isAverage: function == .average).map { Cell($0) }
        case .min, .max:
            let first = try connection.prepare(
                "SELECT column2 FROM (VALUES (?1, 0), (?2, 1)) WHERE column1 IS NOT NULL "
                    + "ORDER BY column1 COLLATE \(collation.rawValue) \(function == .min ? "ASC" : "DESC") LIMIT 1")
            var extreme = Cell.null
            for value in values {
                let both = RowValues([extreme.value, value.value])
                try first.bind(both, 0, at: 1)
                try first.bind(both, 1, at: 2)
                // Not the value itself: SQLite takes U+FFFF for U+FFFD where it converts to UTF-16.
                extreme = try first.step() ? [extreme, value][Int(first.integer(0))] : .null
                first.reset()
            }
            // Values repair texts that are not valid.
            return Cell(extreme.value).representative(collation)
        }
    }

    private func single(_ statement: Statement, _ cell: Cell) throws -> Value {
        try statement.bind(RowValues([cell.value]), 0, at: 1)
        defer { statement.reset() }
        try statement.step()
        return statement.rowValues(from: 0, count: 1).value(0)
    }

    /// Numbers of halves, or 1e300.
    private static func sum(_ numbers: [Value], isAverage: Bool) -> Value? {
        var (halves, large, count, isInteger) = (Int128(0), 0, 0, true)
        for number in numbers {
            switch number {
            case .integer(let integer): halves += 2 * Int128(integer)
            case .real(let real):
                isInteger = false
                if real == 1e300 { large += 1 } else { halves += Int128(real * 2) }
            default: continue
            }
            count += 1
        }
        if count == 0 { return .null }
        var real = large > 0 ? Double(large) * 1e300 : Double(halves) / 2
        // Halfway between two doubles, the small numbers decide.
        let rest = large > 0 ? (-real).addingProduct(Double(large), 1e300) : 0
        if abs(rest) == real.ulp / 2, rest > 0, halves > 0 { real = real.nextUp }
        if abs(rest) == real.ulp / 2, rest < 0, halves < 0 { real = real.nextDown }
        if isAverage { return .real(real / Double(count)) }
        return isInteger ? Int64(exactly: halves / 2).map(Value.integer) : .real(real)
    }
}
