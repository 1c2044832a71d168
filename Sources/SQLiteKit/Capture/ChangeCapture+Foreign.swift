/// Rows that differ between the state that the lists show and the present one, whichever connection
/// changed them.
extension ChangeCapture {
    /// A row that differs, as it is stored.
    package enum ForeignRow {
        /// In a table with rowids: the row's old record; nil if the row did not exist.
        case rowid(Int64, oldRecord: [UInt8]?)
        /// In a table WITHOUT ROWID: a record that no longer exists, or a new one.
        case old(record: [UInt8])
        case new(record: [UInt8])
    }

    /// The names of the tables of a database that are watched.
    package func tables(in database: ExactText) -> Set<ExactText> {
        Set(watches(in: database).map { ExactText($0.table) })
    }

    package func watches(in database: ExactText) -> [TableWatch] {
        watches.filter { ExactText($0.schema) == database }
    }

    /// Whether any table of a database is watched.
    package func watches(_ database: ExactText) -> Bool { watches.contains { ExactText($0.schema) == database } }

    /// Replaces all rows that were touched in a database by these. Rows that this connection
    /// touched are among them unless they are unchanged: the images that it noted can be those of
    /// intermediate states. Returns false, and changes nothing, if an image is unavailable.
    ///
    /// - Parameters:
    ///   - rows: All rows of watched tables that differ, by table. New records precede old ones, so
    ///     that a row that has both gets the image of the old one.
    ///   - old: A connection that shows the state of the lists; nil if there is none.
    package func replace(
        in database: ExactText, with rows: [(table: ExactText, rows: [ForeignRow])], old: Connection?
    ) -> Bool {
        guard let noted = touched(in: database, rows, old: old) else { return false }
        for watch in watches(in: database) { watch.removeAll() }
        for table in noted { table.watch.replaceAll(with: table.rows) }
        return true
    }

    /// Rows as touched ones, by the watches of their tables; nil if an image is unavailable.
    package func touched(
        in database: ExactText, _ rows: [(table: ExactText, rows: [ForeignRow])], old: Connection?
    ) -> [TouchedTable]? {
        var touched: [TouchedTable] = []
        guard let encoding = connection.encoding else { return nil }
        let watches = watches(in: database)
        for (table, rows) in rows {
            guard let watch = watches.first(where: { ExactText($0.table) == table }) else { continue }
            let images = ForeignImages(watch.layout, encoding, old)
            var touchedRows = TouchedRows()
            touchedRows.reserve(rows.count)
            for row in rows {
                guard let row = images.noted(row) else { return nil }
                touchedRows.note(row)
            }
            touched.append(TouchedTable(watch, touchedRows))
        }
        return touched
    }

    /// Adds rows of which only the keys are known to the touched rows of the main database.
    package func add(_ rows: [(watch: TableWatch, rows: [KeyedRow])]) {
        for (watch, rows) in rows { watch.add(rows) }
    }
}

/// A row by its row key, with its values in the state of the lists.
enum NotedRow {
    case rowid(Int64, image: RowValues?)
    case key(RowValues, image: RowValues?)
}

/// The values of rows of one table in the state that the lists show.
private final class ForeignImages {
    private let layout: ImageLayout
    private let encoding: TextEncoding
    private let old: Connection?
    /// Selects a row of that state by its key. Prepared for the first record that does not contain
    /// its image. Without the statement that image is unavailable.
    private lazy var select: Statement? = old.flatMap { try? $0.prepare(layout.select) }

    init(_ layout: ImageLayout, _ encoding: TextEncoding, _ old: Connection?) {
        self.layout = layout
        self.encoding = encoding
        self.old = old
    }

    /// nil if the row's key or image is unavailable.
    func noted(_ row: ChangeCapture.ForeignRow) -> NotedRow? {
        switch row {
        case .rowid(let rowid, oldRecord: nil): .rowid(rowid, image: nil)
        case .rowid(let rowid, oldRecord: let record?):
            image(record, RowValues([.integer(rowid)])).map { .rowid(rowid, image: $0) }
        case .old(let record):
            key(record).flatMap { key in image(record, key).map { .key(key, image: $0) } }
        case .new(let record): key(record).map { .key($0, image: nil) }
        }
    }

    private func key(_ record: [UInt8]) -> RowValues? {
        guard let layout = layout.recordKey else { return nil }
        return RowValues(record: record, rowid: 0, layout: layout, encoding: encoding)
    }

    private func image(_ record: [UInt8], _ key: RowValues) -> RowValues? {
        if let layout = layout.record,
            let image = RowValues(record: record, rowid: key.integer(0), layout: layout, encoding: encoding)
        {
            return image
        }
        guard let select else { return nil }
        do {
            for index in 0..<key.count { try select.bind(key, index, at: index + 1) }
            defer { select.reset() }
            return try select.step() ? select.rowValues(from: 0, count: layout.columnCount) : nil
        } catch {
            return nil
        }
    }
}
