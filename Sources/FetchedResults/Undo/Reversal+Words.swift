internal import ListEngine
internal import SQLiteKit

/// The words of full-text indexes, which an index itself removes and inserts
/// (https://www.sqlite.org/fts5.html#external_content_tables).
extension Reversal {
    /// Removes the words of the texts that will change. The texts are still the ones whose words
    /// the index has.
    func removeWords(_ indexes: [RecordedIndex], to side: TransactionSide) throws {
        for index in indexes {
            let delete = try connection.prepare("DELETE FROM \(index.sqlName) WHERE rowid = ?")
            for row in index.sizes?.rows ?? [] where row[side.opposite] != nil {
                try delete.bind(row.rowid ?? 0, at: 1)
                try delete.run()
            }
        }
    }

    /// Inserts the words of the texts, once they are as they were.
    func insertWords(_ indexes: [RecordedIndex], to side: TransactionSide) throws {
        for index in indexes {
            guard let sizes = index.sizes else { continue }
            let names = index.columns.map { quoted($0) }.joined(separator: ", ")
            let parameters = index.columns.map { _ in "?" }.joined(separator: ", ")
            // Without texts of its own, the index reads the other table's.
            let insert = try connection.prepare(
                "INSERT INTO \(index.sqlName) (rowid, \(names)) "
                    + (index.contents == nil
                        ? "SELECT rowid, \(names) FROM \(index.sqlName) WHERE rowid = ?" : "VALUES (?, \(parameters))"))
            let texts = Dictionary((index.contents?.rows ?? []).map { ($0.rowid, $0) }) { first, _ in first }
            let select = try connection.prepare(sizes.select)
            for row in sizes.rows {
                if let size = row[side] {
                    try insert.bind(row.rowid ?? 0, at: 1)
                    if let text = texts[row.rowid]?[side] {
                        // The first column is the rowid.
                        for column in index.columns.indices { try insert.bind(text, column + 1, at: column + 2) }
                    }
                    try insert.run()
                    try check(size, of: row, index, select)
                }
            }
        }
    }

    /// Throws unless the index has stored the size that the text had.
    private func check(
        _ size: RowValues, of row: RecordedTable.Row, _ index: RecordedIndex, _ select: Statement
    ) throws {
        try select.bind(row.rowid ?? 0, at: 1)
        defer { select.reset() }
        let present = try select.step() ? select.rowValues(from: 0, count: size.count) : nil
        guard RecordedTable.areSame(present, size) else {
            throw StoreError(
                .schema, "the full-text index \(index.name) does not have the text of row \(row.rowid ?? 0)")
        }
    }
}

extension RecordedIndex {
    fileprivate var sqlName: String { quoted(schema, name) }
}
