internal import OrderedTree
internal import SQLiteKit

/// Reads rows of an entity again: the ones that a round touched, and the ones that depend on
/// touched rows of related tables. It reads few rows by a statement for each, and many together.
protocol TouchedRowReading: ~Copyable {
    var engine: ListEngine { get }
    var decoder: KeyDecoder { get }
    /// nil for an entity that no hook observes.
    var reader: RowReader? { get }
    var touched: RowDictionary<TouchedEntry> { get set }

    /// The known facts about a row before anything of it is read.
    func newEntry(_ id: Int64) -> TouchedEntry
    /// Called before a row is searched that was touched itself.
    func prefetch(_ id: Int64)
    /// Reads the current row of a statement of the reader.
    mutating func readRow(_ statement: Statement) throws
}

extension TouchedRowReading where Self: ~Copyable {
    var compiled: CompiledRequest { decoder.compiled }

    /// The index of a row's entry, which is made if necessary.
    mutating func entry(_ id: Int64) -> Int { touched.index(of: id) ?? touched.add(id, newEntry(id)) }

    /// Notes the old state of a row; nothing if it was inserted, or if it has no image.
    private mutating func noteOld(_ image: RowValues?, _ id: Int64) {
        let index = entry(id)
        touched[at: index].evidence.isTouchedItself = true
        if let image = image.flatMap(compiled.entity.columns(ofImage:)) { touched[at: index].evidence.image = image }
    }

    /// Notes the table's rows that a view's rows showed before.
    private mutating func noteTableRows(_ rowids: TouchedRows.Rowids) {
        for (rowid, image) in zip(rowids.all, rowids.images) {
            guard let image, let id = decoder.id(of: rowid, image) else { continue }
            touched[at: entry(id)].evidence.tableRow = (rowid, image)
        }
    }

    mutating func read(_ rows: TouchedRows) throws {
        guard let reader else { return }
        touched.reserve(rows.count)
        // Copied once, as each use while this changes would copy them.
        let (decoder, rowids) = (decoder, rows.rowids)
        if try !areMany(rowids.all.count) || !readTogether(rowids, reader) {
            for (rowid, image) in zip(rowids.all, rowids.images) {
                try read(decoder.id(of: rowid, image), image, reader.one(rowid: rowid, decoder.compiled))
            }
        }
        if decoder.compiled.entity.rowView != nil { noteTableRows(rowids) }
        guard rows.hasKeys else { return }
        let keys = rows.keys
        if try !areMany(keys.all.count) || !readTogether(keys, reader) {
            for (key, image) in zip(keys.all, keys.images) {
                try read(decoder.id(ofIdentity: key), image, reader.one(key: key, decoder.compiled))
            }
        }
        decoder.forEachFormer(of: rows) { noteOld(nil, $0) }
    }

    /// Whether so many touched rows are read together, and inserted in the order of their keys.
    func areMany(_ count: Int) -> Bool { count >= engine.nodes.manyRows }

    /// Reads a row by its former id and image, as far as these are known.
    private mutating func read(_ id: Int64?, _ image: RowValues?, _ statement: Statement) throws {
        defer { statement.reset() }
        if let id { prefetch(id) }
        let isThere = try step(statement)
        if let id { noteOld(image, id) }
        if isThere { try readRow(statement) }
    }

    /// Reads a row that depends on a related row, by its identity's id and its row key, which
    /// `source` shows from `firstColumn` on.
    mutating func readAgain(fedRow id: Int64, _ source: Statement, firstColumn: Int) throws {
        guard touched.index(of: id) == nil, let reader else { return }
        let statement =
            switch compiled.entity.storage {
            case .rowid: try reader.one(rowid: source.integer(firstColumn), compiled)
            case .withoutRowid, .unobserved:
                try reader.one(
                    key: source.rowValues(from: firstColumn, count: source.columnCount - firstColumn), compiled)
            }
        _ = entry(id)
        defer { statement.reset() }
        if try step(statement) { try readRow(statement) }
    }

    /// Reads the rows whose documents were touched, unless they were touched themselves: their own
    /// columns are as before.
    mutating func read(documents rows: TouchedRows) throws {
        guard let reader else { return }
        let decoder = decoder
        let rowids = rows.rowids.all
        if decoder.identities.areRowids, areMany(rowids.count), try readTogether(documents: rowids, reader) { return }
        for rowid in rowids {
            guard let id = try decoder.id(ofRowid: rowid) ?? engine.currentID(ofRowid: rowid),
                touched.index(of: id) == nil
            else { continue }
            _ = entry(id)
            let statement = try reader.one(rowid: rowid, decoder.compiled)
            defer { statement.reset() }
            if try step(statement) { try readRow(statement) }
        }
    }

    private func step(_ statement: Statement) throws -> Bool {
        engine.counters.statementsRun += 1
        engine.counters.rowsRead += 1
        return try statement.step()
    }

    // MARK: Many rows

    /// Reads many rows together. False if one statement can't read several of them.
    private mutating func readTogether(_ rowids: TouchedRows.Rowids, _ reader: RowReader) throws -> Bool {
        let decoder = decoder
        return try forEachPart(rowids.all.count) { update, some in
            try reader.many(rowids: rowids.all[some], decoder.compiled) { statement in
                for index in some {
                    let image = rowids.images[index]
                    if let id = decoder.id(of: rowids.all[index], image) { update.noteOld(image, id) }
                }
                try update.readRows(statement)
            }
        }
    }

    /// The same for the rows of documents, whose rowids identify them.
    private mutating func readTogether(documents all: [Int64], _ reader: RowReader) throws -> Bool {
        let rowids = all.filter { touched.index(of: $0) == nil }
        let decoder = decoder
        return try forEachPart(rowids.count) { update, some in
            try reader.many(rowids: rowids[some], decoder.compiled) { statement in
                for rowid in rowids[some] { _ = update.entry(rowid) }
                try update.readRows(statement)
            }
        }
    }

    /// The same for rows that keys identify.
    private mutating func readTogether(_ keys: TouchedRows.Keys, _ reader: RowReader) throws -> Bool {
        let decoder = decoder
        return try forEachPart(keys.all.count) { update, some in
            try reader.many(keys: keys.all[some], decoder.compiled) { statement in
                for index in some {
                    if let id = decoder.id(ofIdentity: keys.all[index]) { update.noteOld(keys.images[index], id) }
                }
                try update.readRows(statement)
            }
        }
    }

    /// So many rows are read by one statement.
    private static var batchCount: Int { 256 }

    /// Calls `body` with parts of so many rows, each for one statement. False as soon as that is.
    private mutating func forEachPart(
        _ count: Int, _ body: (inout Self, Range<Int>) throws -> Bool
    ) throws -> Bool {
        for start in stride(from: 0, to: count, by: Self.batchCount) {
            guard try body(&self, start..<min(start + Self.batchCount, count)) else { return false }
        }
        return true
    }

    private mutating func readRows(_ statement: Statement) throws {
        defer { statement.reset() }
        engine.counters.statementsRun += 1
        while try statement.step() {
            engine.counters.rowsRead += 1
            try readRow(statement)
        }
    }
}
