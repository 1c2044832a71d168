internal import SQLiteKit

extension RowBatch {
    /// Reads some columns of the rows of a table; nil if one statement can't.
    init?(_ columns: [String], of sql: RequestSQL, _ connection: Connection) throws(StoreError) {
        let entity = sql.entity
        // A table of that name would be read in place of the connection's.
        guard let text = sql.batch(columns),
            try !SchemaReader(connection: connection).exists(RowidTable.name)
        else { return nil }
        let rowids = try connection.rowidTable()
        let identity = IdentityColumns(Array(0..<sql.identityCount), entity)
        func batch(_ text: String) throws(StoreError) -> RowidBatch {
            RowidBatch(statement: try connection.prepare(text), rowids: rowids, identity: identity)
        }
        if entity.isIdentityRowid {
            self = .rowids(try batch(text), RowidRange(sql: sql.range(columns), identity: identity))
        } else {
            guard let textByKey = sql.batchByKey(columns) else { return nil }
            // The statement calls the list's function.
            let keys = try connection.keyList()
            let byRowid = entity.isIdentityNullable ? try batch(text) : nil
            self = .keys(
                KeyBatch(
                    byRowid: byRowid, byKey: try batch(textByKey), keys: keys, keyCount: entity.identityColumns.count))
        }
    }
}
