internal import SQLiteKit

/// Statements that read the rows next to a window, each prepared when it is first needed.
///
/// The rows after one with the sort values (a, b) are the rows with a and something after b,
/// followed by the rows with something after a. Each of these groups is one range of an index
/// that serves the order; a condition that covers them all is not one range.
final class WindowNeighbours {
    enum Side {
        case before
        case after
    }

    /// Rows that are equal to a given one in the first terms of the order, and differ in the next
    /// one.
    struct NeighbourGroup: Hashable {
        enum Test {
            case less
            case greater
            case null
            case notNull
        }

        let side: Side
        /// How many terms are equal.
        let equalCount: Int
        let test: Test

        /// How many values of the given row the statement takes.
        var valueCount: Int {
            switch test {
            case .less, .greater: equalCount + 1
            case .null, .notNull: equalCount
            }
        }
    }

    private let sql: RequestSQL
    private let connection: Connection
    private var statements: [NeighbourGroup: Statement] = [:]
    private var isServed: Bool?

    init(_ sql: RequestSQL, _ connection: Connection) {
        self.sql = sql
        self.connection = connection
    }

    /// Whether an index serves the order, at least in its first terms. If not, SQLite reads all
    /// rows for each group.
    func areServed() throws(StoreError) -> Bool {
        if let isServed { return isServed }
        let isSorted = try connection.queryPlan(sql.keys).contains { $0.text == "USE TEMP B-TREE FOR ORDER BY" }
        isServed = !isSorted
        return !isSorted
    }

    /// The groups of rows on one side of a row, nearest first, given what the row has for the terms
    /// of the order.
    func groups(_ side: Side, of values: [RowValues.Part]) -> [NeighbourGroup] {
        zip(sql.orderComponents, values).enumerated().reversed().flatMap { index, term in
            Self.tests(side, term.0, isNull: term.1.rowValues.storageClass(term.1.index) == .null)
                .map { NeighbourGroup(side: side, equalCount: index, test: $0) }
        }
    }

    private static func tests(_ side: Side, _ component: KeyComponent, isNull: Bool) -> [NeighbourGroup.Test] {
        let isNullNext = component.nullsFirst == (side == .before)
        if isNull { return isNullNext ? [] : [.notNull] }
        let beyond: NeighbourGroup.Test = component.isDescending == (side == .before) ? .greater : .less
        return isNullNext ? [beyond, .null] : [beyond]
    }

    /// The statement that reads the rows of a group, as `touched` does, nearest first. Its own
    /// parameters are the values and how many rows it reads.
    func statement(_ group: NeighbourGroup) throws(StoreError) -> Statement {
        if let statement = statements[group] { return statement }
        let statement = try connection.prepare(sql.neighbours(group))
        statements[group] = statement
        return statement
    }
}
