internal import ListEngine
internal import SQLiteKit

/// The subscriptions of one table, by the value that their lists' predicates require in a column. A
/// row affects those of the value that it had, and of the one that it has now; the other lists are
/// not queried, however many there are.
struct ValueIndex {
    private struct Column {
        let number: Int
        let component: KeyComponent
        var subscriptions: [[UInt8]: [ObjectIdentifier: Subscription]] = [:]
    }

    private let watch: TableWatch
    private var columns: [Column] = []
    /// Those whose predicates require no value, or several.
    private var others: [ObjectIdentifier: Subscription] = [:]
    private var count = 0

    init(_ watch: TableWatch) { self.watch = watch }

    /// Querying so few lists costs no more than reading the touched rows once more.
    private static let usualLimit = 1

    var isUseful: Bool { count > Self.usualLimit }

    mutating func add(_ subscription: Subscription) {
        let id = ObjectIdentifier(subscription.watches)
        guard let test = subscription.test(of: watch) else { return others[id] = subscription }
        count += 1
        columns[index(of: test)].subscriptions[test.key, default: [:]][id] = subscription
    }

    mutating func remove(_ subscription: Subscription) {
        let id = ObjectIdentifier(subscription.watches)
        guard let test = subscription.test(of: watch) else { return others[id] = nil }
        count -= 1
        let column = index(of: test)
        columns[column].subscriptions[test.key]?[id] = nil
        if columns[column].subscriptions[test.key]?.isEmpty ?? false { columns[column].subscriptions[test.key] = nil }
    }

    private mutating func index(of test: ValueTest) -> Int {
        if let index = columns.firstIndex(where: { $0.number == test.column && $0.component == test.component }) {
            return index
        }
        columns.append(Column(number: test.column, component: test.component))
        return columns.count - 1
    }

    /// The subscriptions that touched rows affect, and for each the rows that do; all rows for
    /// those that require no value.
    func subscriptions(concernedBy rows: TouchedRows) throws -> [(subscription: Subscription, rows: TouchedRows)] {
        var found: [ObjectIdentifier: (subscription: Subscription, rows: TouchedRows)] = [:]
        func note(_ values: RowValues?, _ row: TouchedRows.Row) {
            guard let values else { return }
            for column in columns {
                let key = RowValues.Part(values, column.number).encoded(column.component)
                for (id, subscription) in column.subscriptions[key] ?? [:] {
                    found[id, default: (subscription, TouchedRows())].rows.add(row)
                }
            }
        }
        for row in rows.all {
            note(row.image, row)
            note(try watch.currentValues(of: row), row)
        }
        return Array(found.values) + others.values.map { ($0, rows) }
    }
}
