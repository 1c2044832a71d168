/// Rows that other connections changed, noted beside those that this connection touched.
extension ChangeCapture {
    /// A row that another connection changed, as it is stored.
    package enum ForeignRow {
        /// Of a table with rowids: the row's old record; nil if it was not there.
        case rowid(Int64, oldRecord: [UInt8]?)
        /// Of a table WITHOUT ROWID: a record that is gone, or one that is new.
        case old(record: [UInt8])
        case new(record: [UInt8])
    }

    /// The names of the tables of the main database that are watched.
    package var mainTables: Set<ExactText> {
        Set(watches.lazy.filter { $0.schema == "main" }.map { ExactText($0.table) })
    }

    /// Notes rows of a table of the main database, with their images in the state that the lists show. False if an
    /// image can't be told, after which some rows are noted.
    ///
    /// - Parameters:
    ///   - rows: New records before old ones, so that a row that has both gets the image of the old one.
    ///   - old: A connection that shows that state; nil if there is none.
    ///   - isFirst: Whether all that others have committed since that state is noted for the first time; else rows that
    ///     were touched keep their images.
    package func note(_ rows: some Sequence<ForeignRow>, of table: ExactText, old: Connection?, isFirst: Bool) -> Bool {
        guard let watch = watches.first(where: { $0.schema == "main" && ExactText($0.table) == table }) else {
            return true
        }
        let images = ForeignImages(watch.layout, isUTF8: connection.isUTF8, old)
        for row in rows {
            guard images.note(row, in: watch, isFirst: isFirst) else { return false }
        }
        watch.markCommitted()
        return true
    }
}

/// What rows of one table showed in the state that the lists show.
private struct ForeignImages {
    private let layout: ImageLayout
    private let isUTF8: Bool
    /// Selects a row of that state by its key.
    private let select: Statement?

    init(_ layout: ImageLayout, isUTF8: Bool, _ old: Connection?) {
        self.layout = layout
        self.isUTF8 = isUTF8
        // Without the statement, images that records don't tell are not known, which is found out row by row.
        select = old.flatMap { old in try? old.prepare(layout.select) }
    }

    func note(_ row: ChangeCapture.ForeignRow, in watch: TableWatch, isFirst: Bool) -> Bool {
        switch row {
        case .rowid(let rowid, oldRecord: nil): watch.noteForeign(rowid: rowid, image: nil, isFirst: isFirst)
        case .rowid(let rowid, oldRecord: let record?):
            guard let image = image(record, RowValues([.integer(rowid)])) else { return false }
            watch.noteForeign(rowid: rowid, image: image, isFirst: isFirst)
        case .old(let record):
            guard let key = key(record), let image = image(record, key) else { return false }
            watch.noteForeign(key: key, image: image, isFirst: isFirst)
        case .new(let record):
            guard let key = key(record) else { return false }
            watch.noteForeign(key: key, image: nil, isFirst: isFirst)
        }
        return true
    }

    private func key(_ record: [UInt8]) -> RowValues? {
        guard isUTF8, let layout = layout.recordKey else { return nil }
        return RowValues(record: record, rowid: 0, layout: layout)
    }

    private func image(_ record: [UInt8], _ key: RowValues) -> RowValues? {
        if isUTF8, let record = layout.record.flatMap({ stored(record, key, $0) }) { return record }
        guard let select else { return nil }
        do {
            for index in 0..<key.count { try select.bind(key, index, at: index + 1) }
            defer { select.reset() }
            return try select.step() ? select.rowValues(from: 0, count: layout.columnCount) : nil
        } catch {
            return nil
        }
    }

    private func stored(_ record: [UInt8], _ key: RowValues, _ layout: RecordLayout) -> RowValues? {
        RowValues(record: record, rowid: key.integer(0), layout: layout)
    }
}
