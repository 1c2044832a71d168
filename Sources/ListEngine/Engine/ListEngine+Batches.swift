internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Reading the contents of many rows together.
extension ListEngine {
    /// Reads a row and its neighbours that are not in the cache, as many as a batch has or the
    /// program is about to read, and as fit into half of the cache. The row itself is inserted
    /// last, so that the other rows can't evict it. Stops and returns false if `isUnchanged` is
    /// false once the database is locked for reading.
    func readBatch(around id: Int64, while isUnchanged: () -> Bool) throws -> Bool {
        let reader = compiled.content.reader
        guard reader.readsMany, let list, let place = list.rows.place(of: id) else {
            if let content = try readContent(of: id) { cache.insert(id, content) }
            return true
        }
        let size = reader.size(
            max(compiled.request.batchSize, min(rowsAhead, cache.limit / 2)), room: min(cache.limit / 2, list.count))
        var wanted: RowValues?
        var byteCount = 0
        let isRead = try read(neighbours(of: id, place, size, list), decoder, while: isUnchanged) {
            if $0 == id {
                wanted = $1
            } else if byteCount < cache.byteLimit / 2 {
                cache.insert($0, $1)
            }
            byteCount += $1.byteCount
            return wanted == nil || byteCount < cache.byteLimit / 2
        }
        if let wanted { cache.insert(id, wanted) }
        return isRead
    }

    /// A row and the other rows of its block of `size` rows that can be read and are not in the
    /// cache, in the order in which a program reads them most likely. A block of more rows than a
    /// batch has also has rows of other sections, and begins with the row if the next ones are
    /// about to be read.
    private func neighbours(of id: Int64, _ place: (section: SectionID, row: Int), _ size: Int, _ list: List) -> [Int64]
    {
        let isQuiet =
            prepared == nil && readability.missed.isEmpty && readability.earlier == nil
            && !database.hasUndeliveredChanges
        var ids = [id]
        func add(_ other: Int64) {
            if other == id || cache.contains(other) { return }
            if isQuiet {
                ids.append(other)
            } else if case .database = source(of: other) {
                ids.append(other)
            }
        }
        if size <= compiled.request.batchSize {
            let start = max(0, place.row - place.row % size)
            let end = min(start + size, list.rows.rowCount(in: place.section))
            list.rows.forEachRow(in: place.section, (place.row + 1)..<end) { add($0) }
            list.rows.forEachRow(in: place.section, start..<place.row) { add($0) }
            return ids
        }
        let index = list.rows.flatIndex(section: place.section, row: place.row)
        var next = rowsAhead > 0 ? index : index - index % size
        let end = min(next + size, list.count)
        while next < end, let (section, row) = list.rows.place(atFlatIndex: next) {
            let last = min(row + end - next, list.rows.rowCount(in: section))
            list.rows.forEachRow(in: section, row..<last) { add($0) }
            next += last - row
        }
        return ids
    }

    /// Reads contents as long as `body` returns true. Returns false, without a call of `body`, if
    /// `isUnchanged` is false once the database is locked for reading.
    private func read(
        _ ids: [Int64], _ decoder: KeyDecoder, affordsScan: Bool = false, while isUnchanged: () -> Bool,
        _ body: (Int64, RowValues) throws -> Bool
    ) throws -> Bool {
        let reader = decoder.compiled.content.reader
        var isRead = true
        try reader.read(ids, decoder, affordsScan: affordsScan) { statement, source in
            defer { statement.reset() }
            counters.statementsRun += 1
            let hasRow = try statement.step()
            isRead = isUnchanged()
            return try isRead && (!hasRow || readRows(statement, source, ids, reader, decoder, body))
        }
        return isRead
    }

    /// Reads the rows of a statement that shows the first one.
    private func readRows(
        _ statement: Statement, _ source: RowReader.IDSource, _ ids: [Int64], _ reader: RowReader,
        _ decoder: KeyDecoder, _ body: (Int64, RowValues) throws -> Bool
    ) throws -> Bool {
        var wanted: Set<Int64>?
        if case .identity(hasOthers: true) = source { wanted = Set(ids) }
        repeat {
            counters.rowsRead += 1
            if let id = decoder.id(statement, source, reader), wanted?.contains(id) ?? true {
                let content = statement.rowValues(from: reader.firstColumn, count: reader.columnCount)
                guard try body(id, content) else { return false }
            }
            if case .one = source { return true }
        } while try statement.step()
        return true
    }

    /// Reads one row's content as it is in the database; nil if there is no such row.
    func readContent(of id: Int64) throws -> RowValues? {
        var content: RowValues?
        try readContents(of: [id], decoder) { content = $1 }
        return content
    }

    /// Reads the contents of rows as they are in the database.
    func readContents(of ids: [Int64], _ body: (Int64, RowValues) throws -> Void) throws {
        try readContents(of: ids, decoder, body)
    }

    func readContents(
        of ids: [Int64], _ decoder: KeyDecoder, _ body: (Int64, RowValues) throws -> Void
    ) throws {
        // The whole list has just been read, so that running through it is affordable.
        _ = try read(ids, decoder, affordsScan: true, while: { true }) {
            try body($0, $1)
            return true
        }
    }
}
