/// Rows that differ between the state that the lists show and the present one, whichever connection
/// changed them.
extension ChangeCapture {
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
    /// touched are among them unless they are unchanged: the images that it noted can show
    /// intermediate states. Returns false, and changes nothing, if an image is unavailable.
    ///
    /// - Parameters:
    ///   - changes: All rows of watched tables that differ.
    ///   - old: A connection that shows the state of the lists; nil if there is none.
    package func replace(in database: ExactText, with changes: [TableChange], old: Connection?) -> Bool {
        guard let noted = touched(in: database, changes, old: old) else { return false }
        for watch in watches(in: database) { watch.removeAll() }
        for table in noted { table.watch.replaceAll(with: table.rows) }
        return true
    }

    /// Rows as touched ones, by the watches of their tables; nil if an image is unavailable.
    package func touched(in database: ExactText, _ changes: [TableChange], old: Connection?) -> [TouchedTable]? {
        var touched: [TouchedTable] = []
        guard let encoding = connection.encoding else { return nil }
        let watches = watches(in: database)
        for change in changes {
            guard let watch = watches.first(where: { ExactText($0.table) == change.table }) else { continue }
            guard let rows = watch.layout.touched(change, encoding, old) else { return nil }
            touched.append(TouchedTable(watch, rows))
        }
        return touched
    }

    /// Adds committed rows, of which only the keys are known, to the touched ones.
    package func add(_ tables: [TouchedTable]) {
        for table in tables { table.watch.add(table.rows) }
    }
}

extension ImageLayout {
    /// The rows of a change of the table with their old images; nil if a key or an image is
    /// unavailable.
    ///
    /// - Parameter old: A connection that shows the state of the lists.
    fileprivate func touched(_ change: TableChange, _ encoding: TextEncoding, _ old: Connection?) -> TouchedRows? {
        // Prepared for the first record that does not contain its image. Without the statement that
        // image is unavailable.
        lazy var oldRow = old.flatMap { try? $0.prepare(select) }
        func image(_ record: [UInt8], _ key: RowValues) -> RowValues? {
            self.image(record, rowid: key.integer(0), encoding) ?? oldRow.flatMap { read(key, $0) }
        }
        var rows = TouchedRows()
        rows.reserve(change.rowids.count)
        for (rowid, record) in change.rowids {
            guard let record else {
                rows.note(.rowid(rowid, image: nil))
                continue
            }
            guard let image = image(record, RowValues([.integer(rowid)])) else { return nil }
            rows.note(.rowid(rowid, image: image))
        }
        // New records before old ones, so that a row that has both gets the image of the old one.
        for record in change.newRecords {
            guard let key = key(record, encoding) else { return nil }
            rows.note(.key(key, image: nil))
        }
        for record in change.oldRecords {
            guard let key = key(record, encoding), let image = image(record, key) else { return nil }
            rows.note(.key(key, image: image))
        }
        return rows
    }

    private func key(_ record: [UInt8], _ encoding: TextEncoding) -> RowValues? {
        recordKey.flatMap { RowValues(record: record, rowid: 0, layout: $0, encoding: encoding) }
    }

    /// nil if the record does not contain it.
    private func image(_ record: [UInt8], rowid: Int64, _ encoding: TextEncoding) -> RowValues? {
        self.record.flatMap { RowValues(record: record, rowid: rowid, layout: $0, encoding: encoding) }
    }

    /// Reads the row with a key; nil if that fails, or if there is none.
    private func read(_ key: RowValues, _ select: Statement) -> RowValues? {
        do {
            for index in 0..<key.count { try select.bind(key, index, at: index + 1) }
            defer { select.reset() }
            return try select.step() ? select.rowValues(from: 0, count: columnCount) : nil
        } catch {
            return nil
        }
    }
}
