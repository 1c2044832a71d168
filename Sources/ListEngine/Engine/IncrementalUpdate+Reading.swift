internal import OrderedTree
internal import SQLiteKit

/// Reading the rows that a round touched in the entity's table: few by a statement for each, and
/// many together.
extension IncrementalUpdate {
    mutating func read(_ rows: TouchedRows) throws {
        guard let statement = try compiled.boundTouched() else { return }
        touched.reserve(rows.count)
        // Copied once, as each use while the update changes would copy them.
        let (decoder, rowids) = (decoder, rows.rowids)
        if try !areMany(rowids.all.count) || !readTogether(rowids) {
            try decoder.forEachRow(of: rowids, statement) { try read($0, $1, statement) }
        }
        guard rows.hasKeys else { return }
        if try !areMany(rows.keys.all.count) || !readTogether(rows.keys) {
            try decoder.forEachKeyedRow(of: rows.keys, statement) { try read($0, $1, statement) }
        }
        decoder.forEachFormer(of: rows) { noteOld(nil, $0) }
    }

    /// Whether so many touched rows are read together, and inserted in the order of their keys.
    func areMany(_ count: Int) -> Bool { count >= engine.nodes.manyRows }

    /// Reads a row whose row key is bound, by its former id and image, as far as these are known.
    private mutating func read(_ id: Int64?, _ image: RowValues?, _ statement: Statement) throws {
        defer { statement.reset() }
        // The processor loads the row's old place while SQLite searches the row.
        if let id { list.rows.prefetch(id) }
        let isThere = try step(statement)
        if let id { noteOld(image, id) }
        if isThere { try readRow(statement) }
    }

    /// So many rows are read by one statement.
    private static var batchCount: Int { 256 }

    /// Reads many rows together. False if one statement can't read several of them.
    private mutating func readTogether(_ rowids: TouchedRows.Rowids) throws -> Bool {
        guard let batch = compiled.touchedBatch else { return false }
        for start in stride(from: 0, to: rowids.all.count, by: Self.batchCount) {
            let some = start..<min(start + Self.batchCount, rowids.all.count)
            let areRead = try batch.read(rowids: rowids.all[some]) { statement in
                for index in some {
                    let image = rowids.images[index]
                    if let id = decoder.id(of: rowids.all[index], image) { noteOld(image, id) }
                }
                try compiled.bind(statement, ownParameters: 0)
                try readRows(statement)
            }
            if !areRead { return false }
        }
        return true
    }

    /// The same for rows that keys identify.
    private mutating func readTogether(_ keys: TouchedRows.Keys) throws -> Bool {
        guard let batch = compiled.touchedBatch else { return false }
        for start in stride(from: 0, to: keys.all.count, by: Self.batchCount) {
            let some = start..<min(start + Self.batchCount, keys.all.count)
            let areRead = try batch.read(keys: keys.all[some]) { statement in
                for index in some {
                    if let id = decoder.id(ofIdentity: keys.all[index]) { noteOld(keys.images[index], id) }
                }
                try compiled.bind(statement, ownParameters: 0)
                try readRows(statement)
            }
            if !areRead { return false }
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
