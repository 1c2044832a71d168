internal import CSQLite

/// Reads ids and encoded keys out of a statement's rows, in chunks: the inner loop of reading a
/// whole list.
@safe package final class KeyScan {
    private let statement: Statement
    private let identity: IdentityColumns?
    /// The sort values' forms. They are in plain memory, like everything that the loop over the
    /// rows reads, so that no row counts references.
    private let sorts: UnsafeMutablePointer<KeyForm>
    private let sortCount: Int
    private let firstSort: Int
    private let isRowid: Bool
    private let section: (column: Int, form: KeyForm)?
    /// The worker that processes a chunk while a collector runs, and the error of that.
    private var takeChunk: ((inout KeyChunk) throws -> Void)?
    private var thrown: (any Error)?
    /// The rows that are being read. Exclusivity is not checked at run time, because the check
    /// would cost time for every row: what the scan calls meanwhile does not use the scan.
    @safe @exclusivity(unchecked) private var chunk: KeyChunk
    /// The key of a row's section, and the key of the last section.
    private var sectionKey = KeyEncoder()
    private var lastKey = KeyEncoder()
    /// The last section's value; nil before the first row.
    private var lastValue: RowValues?
    /// The last section's value if it is an integer: the common case, compared without encoding.
    private var lastInteger: Int64?

    /// - Parameters:
    ///   - section: The column with the section's value.
    ///   - firstSort: The column with the first sort value, before the other ones.
    ///   - identity: nil if column 0 is the rowid, and that is the identity. Else ids are not read.
    ///   - omitsRowidKeys: Whether keys that consist of a rowid alone are left out.
    ///   - limit: How many rows a chunk has at most.
    package init(
        _ statement: Statement, section: (column: Int, component: KeyComponent)?, firstSort: Int,
        sorts: [KeyComponent], identity: IdentityColumns?, omitsRowidKeys: Bool = false, limit: Int
    ) {
        self.statement = statement
        self.identity = identity
        sortCount = sorts.count
        unsafe self.sorts = .allocate(capacity: max(sortCount, 1))
        for (index, component) in sorts.enumerated() { unsafe (self.sorts + index).initialize(to: component.form) }
        isRowid = identity == nil
        chunk = KeyChunk(limit: limit, omitsKeys: omitsRowidKeys && isRowid && sortCount == 0, hasIdentities: !isRowid)
        self.firstSort = firstSort
        unsafe self.section = section.map { unsafe ($0.column, $0.component.form) }
    }

    deinit { unsafe sorts.deallocate() }

    /// An empty chunk for which one that the scan has read can be exchanged.
    func newChunk(limit: Int) -> KeyChunk {
        KeyChunk(limit: limit, omitsKeys: chunk.omitsKeys, hasIdentities: !isRowid)
    }

    /// Steps through all rows, and calls `body` for each chunk of them, including an empty last
    /// chunk. `body` may exchange it for one that `newChunk` has made.
    package func run(_ body: (inout KeyChunk) throws -> Void) throws {
        defer { statement.reset() }
        let row = unsafe statement.row
        repeat {
            chunk.removeAll()
            try statement.step(upTo: chunk.limit) { unsafe append(row) }
            try body(&chunk)
        } while statement.isUnderWay
    }

    /// The same with a statement that passes its rows to the connection's row collector, which
    /// saves the steps.
    package func run(_ collector: RowCollector, _ body: (inout KeyChunk) throws -> Void) throws {
        defer {
            statement.reset()
            thrown = nil
        }
        chunk.removeAll()
        try withoutActuallyEscaping(body) { body in
            takeChunk = body
            defer { takeChunk = nil }
            do {
                try collector.collect(for: self) { () throws(StoreError) in try statement.run() }
            } catch {
                throw thrown ?? error
            }
        }
        try body(&chunk)
    }

    /// Takes a row from the collector; false if it fails.
    @inline(__always)
    func take(_ row: ResultRow) -> Bool {
        if chunk.count == chunk.limit, !passChunk() { return false }
        unsafe append(row)
        return true
    }

    /// Passes a full chunk on while a collector runs, and starts the next one.
    private func passChunk() -> Bool {
        do {
            try takeChunk?(&chunk)
        } catch {
            thrown = error
            return false
        }
        chunk.removeAll()
        return true
    }

    @inline(__always)
    private func append(_ source: ResultRow) {
        if let section = unsafe section { unsafe readSection(source.value(section.column), section.form, chunk.count) }
        if chunk.omitsKeys {
            unsafe chunk.ids[chunk.count] = source.value(0).integer
            chunk.count &+= 1
        } else {
            unsafe appendKeyed(source)
        }
    }

    private func appendKeyed(_ source: ResultRow) {
        let row = chunk.count
        var index = 0
        while index < sortCount {
            unsafe chunk.keys.append(source.value(firstSort &+ index), sorts[index])
            index &+= 1
        }
        if isRowid {
            let id = unsafe source.value(0).integer
            chunk.keys.append(rowid: id)
            unsafe chunk.ids[row] = id
        } else if let identity {
            unsafe chunk.appendIdentity(of: source, identity)
        }
        unsafe chunk.ends[row] = chunk.keys.count
        chunk.count = row &+ 1
    }

    /// Nothing is to be done if the row has the section of the previous row. An integer shows this
    /// without a key.
    @inline(__always)
    private func readSection(_ value: ValueReader, _ form: KeyForm, _ row: Int) {
        if let lastInteger, unsafe value.isInteger, unsafe value.integer == lastInteger { return }
        unsafe readNextSection(value, form, row)
    }

    @inline(never)
    private func readNextSection(_ value: ValueReader, _ form: KeyForm, _ row: Int) {
        let storageClass = unsafe value.storageClass
        lastInteger = unsafe storageClass == .integer ? value.integer : nil
        sectionKey.removeAll()
        unsafe sectionKey.append(value, form)
        let isSameKey = lastValue != nil && sectionKey.isSame(as: lastKey)
        if isSameKey, unsafe form.isSpelledByKey(storageClass) { return }
        let rowValues = unsafe RowValues(count: 1) { _ in unsafe value }
        if isSameKey, let lastValue, rowValues.isSame(0, as: lastValue, 0) { return }
        chunk.boundaries.append(
            unsafe KeyChunk.Boundary(
                row: row, key: SectionKey(sectionKey.bytes), value: rowValues, isSameKey: isSameKey))
        lastValue = rowValues
        swap(&sectionKey, &lastKey)
    }
}

extension KeyForm {
    /// Whether values with equal keys are spelled alike. An integer can equal a real.
    func isSpelledByKey(_ storageClass: StorageClass) -> Bool {
        switch storageClass {
        case .null, .blob: true
        case .integer, .real: false
        case .text:
            switch unsafe text {
            case .plain, .utf16: true
            case .foldedCase, .trimmed, .locale: false
            }
        }
    }
}
