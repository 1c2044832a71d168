package import SQLiteKit

/// Reads ids and keys out of the rows of a request's statements.
package struct KeyDecoder {
    package let compiled: CompiledRequest
    package let identities: Identities
    private var identityCount: Int { compiled.plan.identity.count }
    private var isRowid: Bool { identities.areRowids }

    package init(compiled: CompiledRequest, identities: Identities) {
        self.compiled = compiled
        self.identities = identities
    }

    /// The same for a request that differs in the statistics of ranks alone.
    package func with(_ compiled: CompiledRequest) -> KeyDecoder {
        KeyDecoder(compiled: compiled, identities: identities)
    }

    /// The id of the current row of `keys`.
    func idOfKeyRow(_ statement: Statement) -> Int64 {
        isRowid ? statement.integer(0) : assignedID(statement, compiled.plan.identity.inKeys)
    }

    /// The id of the current row of any other statement, whose identity is in the first columns.
    func id(_ statement: Statement) -> Int64 {
        isRowid ? statement.integer(0) : assignedID(statement, compiled.plan.identity.inFront)
    }

    private func assignedID(_ statement: Statement, _ columns: IdentityColumns) -> Int64 {
        identities.encoder.removeAll()
        let rowid = columns.encode(statement, into: &identities.encoder)
        return unsafe assignedID(statement, columns, rowid, identities.encoder.bytes)
    }

    /// The id of the current row, by its encoded identity.
    ///
    /// - Parameter rowid: Replaces a declared key with NULL.
    private func assignedID(
        _ statement: Statement, _ columns: IdentityColumns, _ rowid: Int64?, _ key: UnsafeRawBufferPointer
    ) -> Int64 {
        guard let rowid else { return unsafe identities.id(key) { columns.pack(statement, nil, into: &$0) } }
        return unsafe withStandInKey(rowid) { unsafe identities.id($0) { columns.pack(statement, rowid, into: &$0) } }
    }

    /// The id of the row that a statement of a reader shows; nil if it is not known.
    func id(_ statement: Statement, _ source: RowReader.IDSource, _ reader: RowReader) -> Int64? {
        switch source {
        case .one(let id): return id
        case .identity: return knownID(statement, reader.identity)
        case .number(let ids):
            let number = Int(statement.integer(statement.columnCount - 1))
            return ids.indices.contains(number) ? ids[number] : nil
        }
    }

    /// The id of the current row, whose identity is in the given columns; nil if it is not known.
    private func knownID(_ statement: Statement, _ columns: IdentityColumns) -> Int64? {
        if isRowid { return statement.integer(columns.first) }
        identities.encoder.removeAll()
        if let rowid = columns.encode(statement, into: &identities.encoder) {
            return unsafe withStandInKey(rowid) { unsafe identities.id($0) }
        }
        return unsafe identities.id(identities.encoder.bytes)
    }

    /// The id of the row with a rowid, if that is its identity.
    func id(ofRowid rowid: Int64) -> Int64? { isRowid ? rowid : nil }

    /// The id of the row that an old image shows; nil if no such row was ever read.
    func id(ofImage image: RowValues, rowid: Int64?) -> Int64? {
        if isRowid { return rowid }
        let columns = compiled.plan.identity.tableColumns
        guard columns.allSatisfy({ $0 < image.count }) else { return nil }
        return id(image, columns: columns, rowid: rowid)
    }

    /// Calls `body` with the ids of rows by the keys that they had; rows that were never read are
    /// left out.
    func forEachFormer(of rows: TouchedRows, _ body: (Int64) -> Void) {
        guard !isRowid else { return }
        for (rowid, key) in rows.formerKeys {
            if let id = id(key, columns: Array(0..<key.count), rowid: rowid) { body(id) }
        }
    }

    /// The id of the row whose declared key some columns hold; nil if no such row was ever read.
    private func id(_ image: RowValues, columns: [Int], rowid: Int64?) -> Int64? {
        if let rowid, columns.contains(where: { image.storageClass($0) == .null }) {
            return unsafe withStandInKey(rowid) { unsafe identities.id($0) }
        }
        let components = compiled.identity.components
        identities.encoder.removeAll()
        for index in columns.indices { identities.encoder.append(image, columns[index], components[index]) }
        return unsafe identities.id(identities.encoder.bytes)
    }

    /// The id of an identity; nil if it is not known.
    package func id(ofIdentity identity: RowValues) -> Int64? {
        if isRowid { return identity.count == 1 && identity.storageClass(0) == .integer ? identity.integer(0) : nil }
        let keyCount = compiled.entity.identityColumns.count
        if let rowid = identity.standInRowid(keyCount: keyCount) {
            return unsafe withStandInKey(rowid) { unsafe identities.id($0) }
        }
        guard identity.count == keyCount else { return nil }
        identities.encoder.removeAll()
        for index in 0..<keyCount { identities.encoder.append(identity, index, compiled.identity.components[index]) }
        return unsafe identities.id(identities.encoder.bytes)
    }

    /// Gives an id to the identity of a row WITHOUT ROWID, unless it has one.
    func noteIdentity(_ identity: RowValues) {
        identities.encoder.removeAll()
        for index in 0..<identity.count {
            identities.encoder.append(identity, index, compiled.identity.components[index])
        }
        _ = unsafe identities.id(identities.encoder.bytes) { identity.packIdentity(isRowid: false, into: &$0) }
    }

    /// The values of an id's identity.
    package func identityValues(_ id: Int64) -> RowValues { identities.values(id) }

    /// Calls `body` with the key of an identity that the rowid replaces.
    private func withStandInKey<Result>(_ rowid: Int64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var encoder = KeyEncoder(capacity: 16)
        encoder.append(standInRowid: rowid)
        return unsafe encoder.withBytes(body)
    }

    /// The id of the current row, whose identity is in the first columns, and its key. The key is
    /// valid until the next one of the same identities.
    func idAndKey(_ statement: Statement, firstSort: Int) -> (id: Int64, key: UnsafeRawBufferPointer) {
        if isRowid { return unsafe (statement.integer(0), key(statement, firstSort: firstSort)) }
        identities.encoder.removeAll()
        compiled.plan.order.columns.encode(statement, from: firstSort, into: &identities.encoder)
        let start = identities.encoder.count
        let columns = compiled.plan.identity.inFront
        let rowid = columns.encode(statement, into: &identities.encoder)
        let key = unsafe identities.encoder.bytes
        let identity = unsafe UnsafeRawBufferPointer(rebasing: key[start...])
        return unsafe (assignedID(statement, columns, rowid, identity), key)
    }

    /// The key of the current row: its sort values, which begin at `firstSort`, and its identity.
    /// Valid until the next key of the same identities.
    func key(_ statement: Statement, firstSort: Int) -> UnsafeRawBufferPointer {
        identities.encoder.removeAll()
        compiled.plan.order.columns.encode(statement, from: firstSort, into: &identities.encoder)
        if isRowid {
            identities.encoder.append(rowid: statement.integer(0))
        } else {
            _ = compiled.plan.identity.inFront.encode(statement, into: &identities.encoder)
        }
        return unsafe identities.encoder.bytes
    }

    /// The key of the current row's section. Valid until the next key of the same identities.
    func sectionKey(_ statement: Statement, _ section: RequestSection) -> UnsafeRawBufferPointer {
        identities.encoder.removeAll()
        statement.encode(section.column, section.component, into: &identities.encoder)
        return unsafe identities.encoder.bytes
    }

    /// The sort values of the current row, which begin at `firstSort`, and its identity.
    func orderValues(_ statement: Statement, firstSort: Int) -> RowValues {
        statement.rowValues(
            columns: Array(firstSort..<(firstSort + compiled.order.sorts.count)) + Array(0..<identityCount))
    }

    /// Whether a key that `key` made begins with these values: the sort values, and perhaps some of
    /// the identity.
    func isKey(_ key: UnsafeRawBufferPointer, of values: [RowValues.Part]) -> Bool {
        identities.encoder.removeAll()
        for (part, component) in zip(values, compiled.order.sorts + compiled.identity.components) {
            identities.encoder.append(part.rowValues, part.index, component)
        }
        return unsafe key.count >= identities.encoder.count
            && identities.encoder.bytes.hasSameBytes(
                as: UnsafeRawBufferPointer(rebasing: key[..<identities.encoder.count]))
    }

    /// The id of a touched row that a rowid identifies, as far as it is known.
    func id(of rowid: Int64, _ image: RowValues?) -> Int64? {
        image.flatMap { id(ofImage: $0, rowid: rowid) } ?? id(ofRowid: rowid)
    }
}
