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
        var next = 0
        while next < rowids.all.count {
            let (part, areNeighbours) = rowids.part(from: next)
            next = part.upperBound
            if areNeighbours, try readNeighbours(rowids, part) { continue }
            if areMany(part.count), try readTogether(rowids, part) { continue }
            try decoder.forEachRow(ofRowids: part, in: rowids, statement) { try read($0, $1, statement) }
        }
        guard rows.hasKeys else { return }
        if try !areMany(rows.keys.all.count) || !readTogether(rows.keys) {
            try decoder.forEachKeyedRow(of: rows.keys, statement) { try read($0, $1, statement) }
        }
        decoder.forEachFormer(of: rows) { noteOld(nil, $0) }
    }

    /// Whether so many touched rows are read together, and inserted in the order of their keys.
    func areMany(_ count: Int) -> Bool { count >= engine.nodes.keySample }

    /// Reads a row whose row key is bound, by its former id and image, as far as these are known.
    private mutating func read(_ id: Int64?, _ image: RowValues?, _ statement: Statement) throws {
        defer { statement.reset() }
        // The processor loads the row's old place while SQLite searches the row.
        if let id { list.rows.prefetch(id) }
        let isThere = try step(statement)
        if let id { noteOld(image, id) }
        if isThere { try readRow(statement) }
    }

    /// Reads rows whose rowids follow one another: SQLite steps from one to the next, rather than
    /// searching each. False if the table has no rowids.
    private mutating func readNeighbours(_ rowids: TouchedRows.Rowids, _ part: Range<Int>) throws -> Bool {
        let range = rowids.all[part.lowerBound]...rowids.all[part.upperBound - 1]
        guard let statement = try compiled.boundTouchedRange(range, engine.connection) else { return false }
        noteOld(rowids, part)
        try readRows(statement)
        return true
    }

    /// So many rows are read by one statement.
    private static var batchCount: Int { 256 }

    /// Reads many rows together. False if one statement can't read several of them.
    private mutating func readTogether(_ rowids: TouchedRows.Rowids, _ part: Range<Int>) throws -> Bool {
        guard let batch = compiled.touchedBatch else { return false }
        for start in stride(from: part.lowerBound, to: part.upperBound, by: Self.batchCount) {
            let some = start..<min(start + Self.batchCount, part.upperBound)
            let areRead = try batch.read(rowids: rowids.all[some]) { statement in
                noteOld(rowids, some)
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

    private mutating func noteOld(_ rowids: TouchedRows.Rowids, _ part: Range<Int>) {
        for index in part {
            // The processor loads the places of the rows that follow.
            if index + 8 < part.upperBound, let id = decoder.id(ofRowid: rowids.all[index + 8]) {
                list.rows.prefetch(id)
            }
            if let id = decoder.id(of: rowids.all[index], rowids.images[index]) { noteOld(rowids.images[index], id) }
        }
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
