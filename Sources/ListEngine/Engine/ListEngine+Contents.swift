internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The contents of rows: reading them in batches, and detecting what changed in them.
extension ListEngine {
    /// The object that shows a row.
    package func object(id: Int64) throws -> FetchedObject {
        let content = try content(of: id)
        let layout = layout(of: shownCompiled)
        if let key = shownIdentities.key(id) {
            return FetchedObject(key: key, content: content, layout: layout)
        }
        return FetchedObject(rowid: id, content: content, layout: layout)
    }

    /// The content of a row in the state that the list shows. Throws `gone` if that is not known
    /// any more.
    func content(of id: Int64) throws -> RowValues {
        if let content = cache.find(id) { return content }
        try database.checkOpen()
        do { return try readShownContent(of: id) } catch { throw errorInReading(error) }
    }

    private func readShownContent(of id: Int64) throws -> RowValues {
        if superseded != nil || prepared?.mayDiffer(id) ?? false { return try readBeforeSwitch(id) }
        switch source(of: id) {
        case .content(let content):
            cache.insert(id, content)
            return content
        case .nothing: throw StoreError(.gone, "the row was changed, and that change is not delivered yet")
        case .image(let image):
            // The meaning of images and statements may have changed with the schema. An image shows
            // the row as the list does only if no other connection had changed it before.
            if try !mayHaveOtherSchema, try isForeignUnchanged, let content = compiled.content(ofImage: image) {
                cache.insert(id, content)
                return content
            }
        case .database:
            if try !mayHaveOtherSchema, try readDatabase(id) { return try cachedContent(of: id) }
        case .heldState: break
        }
        return try readHeldState(id)
    }

    private var mayHaveOtherSchema: Bool { get throws { try database.mayHaveOtherSchema && isOutdated } }

    /// The values of a row before the list switches to the prepared state, or to another request.
    private func readBeforeSwitch(_ id: Int64) throws -> RowValues {
        let known = superseded?.renaming == nil ? prepared?.oldContent(of: id) : nil
        guard let content = try known ?? readOldContent(of: id) else {
            throw StoreError(.gone, "the row is being changed, and its old values are not known any more")
        }
        return content
    }

    /// Reads a row, with rows around it, into the cache. False if another connection has committed
    /// since the state that the list shows.
    private func readDatabase(_ id: Int64) throws -> Bool {
        if compiled.entity.isIdentityRowid, compiled.content.reader.readsMany,
            try readBatch(around: id, while: { database.isPagerUnchanged })
        {
            return true
        }
        return try connection.reading { try isForeignUnchanged && readBatch(around: id, while: { true }) }
    }

    private func cachedContent(of id: Int64) throws -> RowValues {
        guard let content = cache.find(id) else { throw StoreError(.gone, "the row is not in the database any more") }
        return content
    }

    /// A row as it was before other connections committed changes that are not delivered yet.
    private func readHeldState(_ id: Int64) throws -> RowValues {
        // The row may have been fetched in another state than the one that the other lists show.
        if readability.ahead == nil, let earlier = readability.earlier, !earlier.isComplete { throw Self.undelivered }
        guard let state = shownState else { throw Self.undelivered }
        return try state.withSnapshot { try readContent(of: id, in: $0) }
    }

    /// The state that the list shows, which is its own if it was fetched ahead of the other lists;
    /// nil if that is not held.
    private var shownState: (any ShownState)? {
        if let ahead = readability.ahead { return ahead.state }
        return database.shownState(of: shownCompiled.database)
    }

    /// The values of a row before the list switches to the prepared state; nil if they can't be
    /// read.
    private func readOldContent(of id: Int64) throws -> RowValues? {
        if readability.earlier == nil, let ahead = readability.ahead?.state {
            return try ahead.withSnapshot { try $0.flatMap { try readOldContent(of: id, through: $0.connection) } }
        }
        guard let prepared, prepared.changes.startAtDelivered else { return nil }
        if let content = try readContentBeforeRound(of: id) { return content }
        return superseded != nil && prepared.sharesContents ? try readUnchanged(id) : nil
    }

    /// A row that is the same in the database, though the list is about to show it in other
    /// columns; nil if another connection has changed the database.
    private func readUnchanged(_ id: Int64) throws -> RowValues? {
        try connection.reading {
            guard try isForeignUnchanged else { return nil }
            var content: RowValues?
            try readContents(of: [id], shownDecoder) { content = $1 }
            return content
        }
    }

    /// The content of a row in the state that the lists showed before the round under way; nil if
    /// that can't be read. The cache does not get these contents, which may be outdated when the
    /// list switches.
    ///
    /// - Parameter identity: The identity of a row that has left the list.
    func readContentBeforeRound(of id: Int64, released identity: RowValues? = nil) throws -> RowValues? {
        try database.shownState(of: shownCompiled.database)?.withOldSnapshot { snapshot -> RowValues? in
            guard let snapshot, let known = snapshot.later.content(of: id, in: self) else { return nil }
            return try known ?? readOldContent(of: id, released: identity, through: snapshot.connection)
        }
    }

    private func readOldContent(
        of id: Int64, released identity: RowValues? = nil, through other: Connection
    ) throws -> RowValues? {
        let compiled = shownCompiled
        guard let rows = try snapshotRows.reader(through: other, connection, compiled),
            let statement = try identity.map({ try rows.one(identity: $0, compiled) }) ?? rows.one(id, shownDecoder)
        else { return nil }
        defer { statement.reset() }
        counters.statementsRun += 1
        counters.rowsRead += 1
        return try statement.step() ? statement.rowValues(from: rows.firstColumn, count: rows.columnCount) : nil
    }

    /// A row in the state of a snapshot. The cache gets it.
    func readContent(of id: Int64, in snapshot: ShownSnapshot?) throws -> RowValues {
        guard let snapshot, let known = snapshot.later.content(of: id, in: self) else { throw Self.undelivered }
        if let known {
            cache.insert(id, known)
            return known
        }
        guard let rows = try snapshotRows.reader(through: snapshot.connection, connection, compiled) else {
            throw Self.undelivered
        }
        guard let statement = try rows.one(id, decoder) else { return try cachedContent(of: id) }
        defer { statement.reset() }
        counters.statementsRun += 1
        counters.rowsRead += 1
        guard try statement.step() else { return try cachedContent(of: id) }
        let content = statement.rowValues(from: rows.firstColumn, count: rows.columnCount)
        cache.insert(id, content)
        return content
    }

    private static var undelivered: StoreError {
        StoreError(.gone, "the database was changed, and that is not delivered yet")
    }

    /// Whether no other connection has committed since the state that the list shows.
    private var isForeignUnchanged: Bool {
        get throws {
            // No other connection can change temporary tables.
            if compiled.database == .temp { return true }
            return try connection.readDataVersion() == (readability.ahead?.fetched ?? database.dataVersion)
        }
    }

    /// Where to read a row as the list shows it, if the cache does not have it. The state that the
    /// list has missed decides first, then what a fetch ahead has noted, then what was captured
    /// since.
    func source(of id: Int64) -> RowSource {
        if readability.missed.contains(id) || prepared?.isTouched(id) ?? false { return .nothing }
        guard let watches else { return .database }
        return earlierSource(of: id, watches) ?? capturedSource(of: id, watches)
    }

    /// Where to read it in a list that was fetched when changes were not delivered yet; nil if what
    /// was captured since then decides that.
    private func earlierSource(of id: Int64, _ watches: Watches) -> RowSource? {
        guard let earlier = readability.earlier else { return nil }
        if let content = earlier.content(of: id) { return .content(content) }
        if earlier.mayBeRolledBack(rollbackCount: database.rollbackCount) { return .nothing }
        let isTouched = earlier.isTouched(watches, writeCount: database.writeCount)
        if readability.ahead?.state != nil { return isTouched ? .heldState : .database }
        guard earlier.isKnown else { return .nothing }
        if !isTouched { return .database }
        return earlier.isComplete ? nil : .nothing
    }

    private func capturedSource(of id: Int64, _ watches: Watches) -> RowSource {
        let isFed = compiled.content.imageColumns == nil && watches.related.contains { !$0.watch.isEmpty }
        if isFed || database.hasUnknownChanges { return .heldState }
        guard let watch = watches.entity else { return database.hasUndeliveredChanges ? .heldState : .database }
        guard !watch.isEmpty, let image = image(of: id, in: watch) else { return .database }
        return image.flatMap(compiled.entity.columns(ofImage:)).map(RowSource.image) ?? .heldState
    }

    /// The old image of a row, which may be unknown; nil if the row was not touched.
    private func image(of id: Int64, in watch: TableWatch) -> RowValues?? {
        if compiled.entity.isIdentityRowid { return watch.rowids.image(of: id) }
        for (rowid, image) in zip(watch.rowids.all, watch.rowids.images) {
            if let image, decoder.id(ofImage: image, rowid: rowid) == id { return image }
        }
        for (key, image) in zip(watch.keys.all, watch.keys.images) where decoder.id(ofIdentity: key) == id {
            return .some(image)
        }
        return nil
    }

    /// The old content of a touched row, as far as that is known.
    func oldContent(
        of id: Int64, _ evidence: Evidence, _ past: @autoclosure () -> PastContent
    ) throws -> RowValues? {
        if let image = evidence.image, let content = compiled.content(ofImage: image) { return content }
        if let content = cache.peek(id) { return content }
        if evidence.isTouchedItself, evidence.image == nil { return nil }
        return try past().content(id, evidence)
    }

    /// The columns of a row that changed, and its old content, as far as that is known.
    func changedColumns(
        _ id: Int64, _ evidence: Evidence, _ new: RowValues, _ past: @autoclosure () -> PastContent
    ) throws -> (ColumnSet, old: RowValues?) {
        // A row that only depends on touched rows has the same columns of its own as before.
        if !evidence.isTouchedItself, compiled.content.imageColumns != nil { return ([], new) }
        guard let old = try oldContent(of: id, evidence, past()) else { return (changedColumns(id, new), nil) }
        return (changedColumns(old, new), old)
    }

    private func changedColumns(_ old: RowValues, _ new: RowValues) -> ColumnSet {
        var columns = ColumnSet()
        for index in 0..<new.count where !new.isSame(index, as: old, index) { columns.insert(index) }
        return columns
    }

    /// The columns that changed in a row of which only the content that the program received is
    /// known.
    private func changedColumns(_ id: Int64, _ new: RowValues) -> ColumnSet {
        guard let fingerprint = cache.fingerprint(of: id) else { return .unknown }
        return fingerprint == new.fingerprint ? [] : .unknown
    }

    /// The content that the list shows, as far as it is known without reading it.
    func knownContent(of id: Int64) -> RowValues? { cache.peek(id) ?? readability.earlier?.content(of: id) }

    /// The columns of a row that changed since the program received it, and the content that it
    /// received, as far as that is cached.
    func changesSinceGiven(_ id: Int64, _ new: RowValues, _ layoutChange: LayoutChange) -> (ColumnSet, old: RowValues?)
    {
        if cache.isUnreported(id) { return (.unknown, nil) }
        if let old = knownContent(of: id) { return (layoutChange.changedColumns(old, new), old) }
        return (layoutChange.inOldOrder(new).map { changedColumns(id, $0) } ?? .unknown, nil)
    }
}
