internal import CSQLite

/// Reads ids and encoded keys out of a statement's rows, in chunks: the inner loop of reading a
/// whole list.
///
/// Safe except for the addresses that it returns: it owns its memory, which has room for a whole
/// chunk.
@safe package final class KeyScan {
    /// What each column contains.
    package struct Layout {
        package let section: (column: Int, component: KeyComponent)?
        package let firstSort: Int
        package let sorts: [KeyComponent]
        /// Appends the identity of the current row to a key and returns the row's id; nil if column
        /// 0 is the rowid.
        package let identity: ((Statement, inout KeyEncoder) -> Int64)?
        /// Whether keys that consist of a rowid alone are left out.
        package let omitsRowidKeys: Bool

        package init(
            section: (column: Int, component: KeyComponent)?, firstSort: Int, sorts: [KeyComponent],
            identity: ((Statement, inout KeyEncoder) -> Int64)?, omitsRowidKeys: Bool = false
        ) {
            self.section = section
            self.firstSort = firstSort
            self.sorts = sorts
            self.identity = identity
            self.omitsRowidKeys = omitsRowidKeys
        }
    }

    /// A row at which a section begins whose value is spelled differently from the previous
    /// section's.
    package struct Boundary {
        package let row: Int
        package let key: [UInt8]
        package let value: RowValues
        /// Whether its key equals the previous section's, so that only the spelling differs.
        package let isSameKey: Bool
    }

    private let statement: Statement
    private let layout: Layout
    private let limit: Int
    private let hashMask: UInt32
    /// The sort values' forms. They are in plain memory, like everything that the loop over the
    /// rows reads, so that no row counts references.
    private let sorts: UnsafeMutablePointer<KeyForm>
    private let sortCount: Int
    private let firstSort: Int
    private let isRowid: Bool
    /// Whether keys consist of a rowid alone, and are not encoded.
    package let omitsKeys: Bool
    private let section: (column: Int, form: KeyForm)?
    /// What processes a chunk while a collector runs, and the error of that.
    private var takeChunk: (() throws -> Void)?
    private var thrown: (any Error)?
    private var keys = KeyEncoder(capacity: 1 << 16)
    /// The key of a row's section, and that of the last section.
    private var sectionKey = KeyEncoder()
    private var lastKey = KeyEncoder()
    /// The last section's value; nil before the first row.
    private var lastValue: RowValues?
    /// The last section's value if it is an integer: the common case, compared without encoding.
    private var lastInteger: Int64?

    /// The rows of the chunk: how many, their ids, where each one's key ends among `keyBytes`
    /// (unless keys are omitted), and the key's hash.
    package private(set) var count = 0
    package let ids: UnsafeMutablePointer<Int64>
    package let ends: UnsafeMutablePointer<Int>
    package let hashes: UnsafeMutablePointer<UInt32>
    /// In the order of their rows; nil once they were passed on.
    private var boundaries: [Boundary?] = []

    /// Calls `boundary` before each row at which a section begins, and `row` with each row's number
    /// and key. May be called once for each chunk.
    @inline(__always)
    package func forEachRow(
        boundary: (consuming Boundary) throws -> Void, row: (Int, UnsafeRawBufferPointer) -> Void
    ) rethrows {
        let bytes = unsafe keyBytes
        try forEachRun(boundary: boundary) { rows in
            var start = keyStart(of: rows.lowerBound)
            for index in rows {
                let end = unsafe ends[index]
                unsafe row(index, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    /// Calls `boundary` before each row at which a section begins, and `rows` with the numbers of
    /// the rows up to the next boundary. May be called once for each chunk.
    @inline(__always)
    package func forEachRun(boundary: (consuming Boundary) throws -> Void, rows: (Range<Int>) -> Void) rethrows {
        var start = 0
        for index in boundaries.indices {
            // Moved out, so that no references are counted.
            guard let next = boundaries[index].take() else { continue }
            let row = next.row
            if row > start { rows(start..<row) }
            try boundary(next)
            start = row
        }
        if count > start { rows(start..<count) }
    }

    /// Where the key of a row of the chunk begins among the key bytes. Release builds do not check
    /// the number, which is from the boundaries of the same chunk.
    package func keyStart(of row: Int) -> Int {
        assert(row >= 0 && row <= count, "no row of the chunk")
        return row == 0 ? 0 : unsafe ends[row - 1]
    }

    /// - Parameters:
    ///   - limit: How many rows a chunk has at most.
    ///   - hashMask: Which bits of their hashes the keys have.
    package init(_ statement: Statement, _ layout: Layout, limit: Int, hashMask: UInt32 = .max) {
        self.hashMask = hashMask
        self.statement = statement
        self.layout = layout
        self.limit = limit
        sortCount = layout.sorts.count
        unsafe sorts = .allocate(capacity: max(sortCount, 1))
        for (index, component) in layout.sorts.enumerated() { unsafe (sorts + index).initialize(to: component.form) }
        isRowid = layout.identity == nil
        omitsKeys = layout.omitsRowidKeys && isRowid && sortCount == 0
        firstSort = layout.firstSort
        unsafe section = layout.section.map { unsafe ($0.column, $0.component.form) }
        unsafe ids = .allocate(capacity: limit)
        unsafe ends = .allocate(capacity: limit)
        unsafe hashes = .allocate(capacity: limit)
    }

    deinit {
        unsafe sorts.deallocate()
        unsafe ids.deallocate()
        unsafe ends.deallocate()
        unsafe hashes.deallocate()
    }

    /// The key bytes of the chunk's rows, one after another.
    package var keyBytes: UnsafeRawBufferPointer { unsafe keys.bytes }

    /// Steps through all rows, and calls `body` for each chunk of them, including an empty last
    /// chunk.
    package func run(_ body: () throws -> Void) throws {
        defer { statement.reset() }
        let row = unsafe statement.row
        repeat {
            startChunk()
            while count < limit, try statement.step() { unsafe append(row) }
            hashKeys()
            try body()
        } while statement.isUnderWay
    }

    /// The same with a statement that passes its rows to the connection's row collector, which
    /// saves the steps.
    package func run(_ collector: RowCollector, _ body: () throws -> Void) throws {
        defer {
            statement.reset()
            thrown = nil
        }
        startChunk()
        try withoutActuallyEscaping(body) { body in
            takeChunk = body
            defer { takeChunk = nil }
            do {
                try collector.collect(for: self) { () throws(StoreError) in try statement.run() }
            } catch {
                throw thrown ?? error
            }
        }
        hashKeys()
        try body()
    }

    /// Takes a row from the collector; false if it fails.
    @inline(__always)
    func take(_ row: RowSource) -> Bool {
        if count == limit, !passChunk() { return false }
        unsafe append(row)
        return true
    }

    /// Processes a full chunk while a collector runs, and starts the next one.
    private func passChunk() -> Bool {
        hashKeys()
        do {
            try takeChunk?()
        } catch {
            thrown = error
            return false
        }
        startChunk()
        return true
    }

    private func startChunk() {
        count = 0
        keys.removeAll()
        boundaries.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private func append(_ source: RowSource) {
        if let section = unsafe section { unsafe readSection(source.value(section.column), section.form, count) }
        if omitsKeys {
            unsafe ids[count] = source.value(0).integer
            count &+= 1
        } else {
            unsafe appendKeyed(source)
        }
    }

    private func appendKeyed(_ source: RowSource) {
        let row = count
        var index = 0
        while index < sortCount {
            unsafe keys.append(source.value(firstSort &+ index), sorts[index])
            index &+= 1
        }
        if isRowid {
            let id = unsafe source.value(0).integer
            keys.append(rowid: id)
            unsafe ids[row] = id
        } else if let identity = layout.identity {
            unsafe ids[row] = identity(statement, &keys)
        }
        unsafe ends[row] = keys.count
        count = row &+ 1
    }

    /// Hashes the keys when the chunk is complete. The processor hashes several of them at the same
    /// time, and no hash has to wait for bytes that were just written.
    private func hashKeys() {
        if omitsKeys {
            for row in 0..<count { unsafe hashes[row] = KeyHash.hash32(rowid: ids[row]) & hashMask }
            return
        }
        let bytes = unsafe keyBytes
        var start = 0
        for row in 0..<count {
            let end = unsafe ends[row]
            unsafe hashes[row] = KeyHash.hash32(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) & hashMask
            start = end
        }
    }

    /// Nothing is to be done if the section is that of the previous row. An integer shows this
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
        boundaries.append(Boundary(row: row, key: sectionKey.copy(), value: rowValues, isSameKey: isSameKey))
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
