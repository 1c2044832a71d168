internal import SQLiteKit

/// What rows showed before a round, where their content is more than their own columns.
///
/// A row's own columns are in its old image. A key path is followed as it was: at each hop the parent's row is looked for
/// among the touched rows' old images, and, if none of these was the one, in the database, where a row that was not
/// touched is still the same.
struct PastContent {
    private let compiled: CompiledRequest
    private let round: Round
    private let watches: [ExactText: TableWatch]
    private let connection: Connection

    init(compiled: CompiledRequest, round: Round, subscription: Subscription, connection: Connection) {
        self.connection = connection
        self.compiled = compiled
        self.round = round
        watches = Dictionary(subscription.related.map { (ExactText($1.table.sqlName), $0) }) { first, _ in first }
    }

    /// The old content of a row with its old image (nil if the row itself was not touched) and its current columns (nil
    /// if it is not in the list any more); nil if it can't be known.
    func content(image: Record?, current: Record?) throws -> Record? {
        guard let base = image ?? current, base.count == compiled.entity.columns.count else { return nil }
        var parts: [Record.Part] = []
        for column in compiled.content.columns {
            if let tableColumn = column.tableColumn {
                parts.append(Record.Part(base, tableColumn))
            } else {
                parts.append(try value(of: column.keyPath, base))
            }
        }
        return Record(parts: parts)
    }

    private func value(of keyPath: KeyPath, _ base: Record) throws -> Record.Part {
        var row = base
        for hop in keyPath.hops {
            guard let column = hop.child.columnIndex(hop.key.column), column < row.count,
                row.storageClass(column) != .null,
                let parent = try parentRow(of: hop, key: Record.Part(row, column))
            else { return .null }
            row = parent
        }
        guard let last = keyPath.hops.last, let column = last.parent.columnIndex(keyPath.column.name), column < row.count else {
            return .null
        }
        return Record.Part(row, column)
    }

    /// The row of the parent that a foreign key referred to before the round.
    private func parentRow(of hop: KeyPath.Hop, key: Record.Part) throws -> Record? {
        let touched = round.rows(of: watches[ExactText(hop.parent.sqlName)])
        if let touched {
            guard let column = hop.parent.columnIndex(hop.key.parentColumn) else { return nil }
            let parent = hop.parent.columns[column]
            let wanted = try KeyMatch(
                key, hop.comparesAlike ? .none : hop.child.column(hop.key.column)?.conversion ?? .none,
                keyConversion: hop.comparesAlike ? .none : parent.conversion, parent.collation, connection: connection)
            for image in touched.rowids.images + touched.keys.images {
                if let image, column < image.count, try wanted.matches(Record.Part(image, column)) { return image }
            }
        }
        let columnCount = hop.parent.columns.count
        guard let parent = compiled.parentRows[hop.target],
            let row = try first(parent.row, key, { $0.record(from: 0, count: $0.columnCount) })
        else { return nil }
        let rowKey: Record?
        if let statement = parent.key {
            rowKey = try first(statement, key) { $0.record(from: 0, count: $0.columnCount) }
        } else {
            rowKey = Record(row, columns: Array(columnCount..<row.count))
        }
        // A touched row whose image is not the one sought did not have this key before.
        if let touched, let rowKey, touched.contains(rowKey) { return nil }
        return row
    }

    /// The first row of a statement that is given a key.
    private func first<Result>(
        _ statement: Statement, _ key: Record.Part, _ read: (Statement) -> Result
    ) throws -> Result? {
        try statement.bind(key.record, key.index, at: 1)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }
}
