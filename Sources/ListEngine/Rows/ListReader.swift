internal import OrderedTree
internal import SQLiteKit

/// Reads a whole list in its order.
///
/// If an index serves the order, SQLite yields the rows sorted, and they are appended to the tree
/// directly. If SQLite would have to sort them first, they are read in any order and sorted here by
/// their keys, which the tree needs anyway.
struct ListReader {
    let compiled: CompiledRequest
    let decoder: KeyDecoder
    let nodes: NodeSizes
    /// The list's last state, which most of the rows are in; nil if there is none.
    var earlier: List?
    /// Called with the number of rows that have been read; returns false to stop.
    let progress: (Int) -> Bool

    /// A new list from the current state of the database. O(n), or O(n log n) without an index.
    func read() throws -> List {
        let list = List(isFlat: compiled.section == nil, isKeyed: compiled.hasByteKeys, nodes: nodes)
        if let earlier { list.rows.prepareBulk(like: earlier.rows) }
        if list.isFlat { list.beginSection(.flat) }
        if compiled.neighbours != nil {
            try readWindow(into: list)
        } else if compiled.keys.isInOrder {
            try readInOrder(into: list)
        } else {
            try readSorting(into: list)
        }
        try finish(list)
        return list
    }

    /// Reads a window and which rows are before it.
    private func readWindow(into list: List) throws {
        let statement = try compiled.boundKeyReading()
        let offset = compiled.request.offset
        var skipped = RowIDSet()
        do {
            while skipped.count < offset, try statement.step() {
                skipped.insert(decoder.idOfKeyRow(statement))
                if skipped.count % nodes.chunk == 0 { try report(skipped.count) }
            }
        } catch {
            statement.reset()
            throw error
        }
        list.skipped = skipped
        // After its last row, the statement would begin again.
        if skipped.count == offset { try readInOrder(into: list) }
    }

    /// Ends the building of a list.
    func finish(_ list: List) throws {
        do {
            if let id = decoder.identities.index() { throw OrderedTreeError.duplicateRow(id) }
            try list.rows.finishBulk()
        } catch OrderedTreeError.duplicateRow(let id) {
            let identity = decoder.identityValues(id).values
            throw StoreError(
                .constraint, "two rows of \(compiled.entity.displayName) have the same identity \(identity)",
                sql: compiled.keys.inOrder.sql)
        } catch {
            throw StoreError(
                .corrupt, "the rows of \(compiled.entity.displayName) are not in order", sql: compiled.keys.inOrder.sql)
        }
    }

    /// - Parameter omitsRowidKeys: Whether keys that consist of a rowid alone are not needed.
    func scan(omitsRowidKeys: Bool = false) throws -> KeyScan {
        KeyScan(
            try compiled.boundKeyReading(), section: compiled.section.map { ($0.column, $0.component) },
            firstSort: compiled.order.firstColumn, sorts: compiled.order.sorts,
            identity: compiled.entity.isIdentityRowid ? nil : compiled.identity.inKeys,
            omitsRowidKeys: omitsRowidKeys, limit: nodes.chunk)
    }

    /// Runs through all rows, chunk by chunk.
    func run(_ scan: KeyScan, _ body: (inout KeyChunk) throws -> Void) throws {
        let areNew = decoder.identities.areUnused
        try read(scan) { chunk in
            assignIDs(to: &chunk, areNew: areNew)
            chunk.hashKeys(mask: nodes.keyHashMask)
            try body(&chunk)
        }
    }

    /// The same, but `body` is called on another thread if the rows are many.
    private func runOnTwoThreads(_ scan: KeyScan, _ body: (inout KeyChunk) throws -> Void) throws {
        let areNew = decoder.identities.areUnused
        try ChunkWorker.run(scan) { pass in
            try read(scan) { chunk in
                // Calls of the program meanwhile on this thread may read the identities of change
                // sets.
                if !areNew { assignIDs(to: &chunk, areNew: false) }
                try pass(&chunk)
            }
        } process: { chunk in
            if areNew { assignIDs(to: &chunk, areNew: true) }
            chunk.hashKeys(mask: nodes.keyHashMask)
            try body(&chunk)
        }
    }

    private func assignIDs(to chunk: inout KeyChunk, areNew: Bool) {
        if compiled.entity.isIdentityRowid { return }
        if areNew { decoder.identities.assignNewIDs(to: &chunk) } else { decoder.identities.assignIDs(to: &chunk) }
    }

    private func read(_ scan: KeyScan, _ body: (inout KeyChunk) throws -> Void) throws {
        var count = 0
        let read = { (chunk: inout KeyChunk) in
            count += chunk.count
            try report(count)
            try body(&chunk)
        }
        if let collector = compiled.keys.collector { try scan.run(collector, read) } else { try scan.run(read) }
    }

    private func report(_ count: Int) throws {
        guard compiled.keys.inOrder.activity.inStatement(.large, { progress(count) }) else {
            throw StoreError(.cancelled, "the fetch was cancelled")
        }
    }

    private func readInOrder(into list: List) throws {
        let scan = try scan(omitsRowidKeys: true)
        // If bytes do not determine whether sections are the same, SQLite has to compare them.
        guard let order = compiled.section?.order, !order.isBytewise || compiled.isSelect else {
            return try runOnTwoThreads(scan) { append(&$0, to: list) { list.beginSection($0) } }
        }
        var seen: Set<SectionKey> = []
        var last: List.Section?
        try run(scan) { chunk in
            try append(&chunk, to: list) { section in
                if !order.isBytewise {
                    if let last, try order.isSame(last, section) { return }
                    last = section
                }
                if compiled.isSelect, !seen.insert(section.key).inserted {
                    throw StoreError(
                        .sql, "the rows of section \(section.value.values) are not adjacent",
                        sql: compiled.keys.inOrder.sql)
                }
                list.beginSection(section)
            }
        }
    }

    /// Appends the rows of a chunk to a list; `begin` is called with each section that begins.
    private func append(_ chunk: inout KeyChunk, to list: List, begin: (consuming List.Section) throws -> Void)
        rethrows
    {
        let omitsKeys = chunk.omitsKeys
        let (ids, hashes, ends, bytes) = unsafe (chunk.ids, chunk.hashes, chunk.ends, chunk.keyBytes)
        try chunk.forEachRun { boundary in
            if !boundary.isSameKey { try begin(List.Section(consume boundary)) }
        } rows: { rows in
            let first = rows.lowerBound
            unsafe list.rows.append(
                omitsKeys
                    ? RowRun(ids: ids + first, hashes: hashes + first, count: rows.count)
                    : RowRun(
                        ids: ids + first, hashes: hashes + first, ends: ends + first, count: rows.count,
                        keyBytes: bytes, keyStart: first == 0 ? 0 : ends[first - 1]))
        }
    }

    private func readSorting(into list: List) throws {
        let scan = try scan()
        let sorter = KeySorter(endsWithID: compiled.entity.isIdentityRowid)
        var sections = SectionSpellings()
        try run(scan) { chunk in
            let (ids, hashes) = unsafe (chunk.ids, chunk.hashes)
            unsafe chunk.forEachRow { boundary in
                sections.select(List.Section(consume boundary))
            } row: { row, key in
                unsafe sections.withCurrentKey { section in
                    unsafe sorter.append(section, key, id: ids[row], hash: hashes[row], tag: sections.current)
                }
            }
        }
        var last: List.Section?
        unsafe sorter.forEachSorted { id, hash, tag, key in
            if !list.isFlat {
                let section = sections[tag]
                if last?.key != section.key {
                    list.beginSection(section)
                    last = section
                }
            }
            let key = unsafe UnsafeRawBufferPointer(rebasing: key[(last?.key.count ?? 0)...])
            unsafe list.rows.append(id: id, key: key, keyHash: hash)
        }
    }
}

extension List.Section {
    fileprivate init(_ boundary: consuming KeyChunk.Boundary) { self.init(value: boundary.value, key: boundary.key) }
}

/// Sections in all their spellings.
private struct SectionSpellings {
    private var sections: [List.Section] = []
    private var numbers: [UInt64: [Int32]] = [:]
    private(set) var current: Int32 = -1

    subscript(number: Int32) -> List.Section { sections[Int(number)] }

    /// Makes a section the current one.
    mutating func select(_ section: List.Section) {
        let fingerprint = section.value.fingerprint
        let known = numbers[fingerprint, default: []].first { sections[Int($0)].value.isSame(0, as: section.value, 0) }
        if let known {
            current = known
        } else {
            current = Int32(truncatingIfNeeded: sections.count)
            numbers[fingerprint, default: []].append(current)
            sections.append(section)
        }
    }

    func withCurrentKey(_ body: (UnsafeRawBufferPointer) -> Void) {
        if current < 0 { return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        unsafe sections[Int(current)].key.withUnsafeBytes(body)
    }
}
