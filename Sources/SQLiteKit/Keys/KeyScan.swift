internal import CSQLite

/// Reads ids and encoded keys out of a statement's rows, many at a time: the inner loop of reading a whole list.
package final class KeyScan {
    /// Which columns hold what.
    package struct Layout {
        package let section: (column: Int, component: KeyComponent)?
        package let firstSort: Int
        package let sorts: [KeyComponent]
        /// Appends the identity of the current row to a key and returns the row's id; nil if column 0 is the rowid.
        package let identity: ((Statement, inout KeyEncoder) -> Int64)?

        package init(
            section: (column: Int, component: KeyComponent)?, firstSort: Int, sorts: [KeyComponent],
            identity: ((Statement, inout KeyEncoder) -> Int64)?
        ) {
            self.section = section
            self.firstSort = firstSort
            self.sorts = sorts
            self.identity = identity
        }
    }

    /// A row with which a section begins that is spelled otherwise than the one before.
    package struct Boundary {
        package let row: Int
        package let key: [UInt8]
        package let value: Record
    }

    private let statement: Statement
    private let layout: Layout
    private let limit: Int
    private var keys = KeyEncoder(capacity: 1 << 16)
    private var sectionKey = KeyEncoder()
    private var lastSection: (key: [UInt8], value: Record)?
    /// The last section's value if it is an integer: the common case, told apart without encoding.
    private var lastInteger: Int64?

    /// The rows of the last `fill`: how many, their ids, where each one's key ends among `keyBytes`, and the key's hash.
    package private(set) var count = 0
    package let ids: UnsafeMutablePointer<Int64>
    package let ends: UnsafeMutablePointer<Int>
    package let hashes: UnsafeMutablePointer<UInt32>
    package private(set) var boundaries: [Boundary] = []
    package private(set) var isAtEnd = false

    /// - Parameter limit: How many rows one `fill` reads at most.
    package init(_ statement: Statement, _ layout: Layout, limit: Int) {
        self.statement = statement
        self.layout = layout
        self.limit = limit
        ids = .allocate(capacity: limit)
        ends = .allocate(capacity: limit)
        hashes = .allocate(capacity: limit)
    }

    deinit {
        keys.deallocate()
        sectionKey.deallocate()
        ids.deallocate()
        ends.deallocate()
        hashes.deallocate()
    }

    /// The key bytes of the rows, one after another; valid until the next `fill`.
    package var keyBytes: UnsafeRawBufferPointer { keys.bytes }

    /// Reads rows until the limit or the end.
    package func fill() throws(StoreError) {
        // Locals, so that no row pays for access to a class's properties.
        var keys = self.keys
        var row = 0
        defer {
            self.keys = keys
            count = row
        }
        keys.removeAll()
        boundaries.removeAll(keepingCapacity: true)
        let sorts = layout.sorts.map(\.form)
        let section = layout.section.map { (column: $0.column, form: $0.component.form) }
        let sortCount = sorts.count
        let isRowid = layout.identity == nil
        while row < limit {
            guard try statement.step() else {
                isAtEnd = true
                return
            }
            if let section { readSection(section.column, section.form, row) }
            let start = keys.count
            var index = 0
            while index < sortCount {
                keys.append(statement.reader(layout.firstSort &+ index), sorts[index])
                index &+= 1
            }
            if isRowid {
                let id = statement.integer(0)
                keys.append(rowid: id)
                ids[row] = id
            } else if let identity = layout.identity {
                ids[row] = identity(statement, &keys)
            }
            ends[row] = keys.count
            hashes[row] = KeyHash.hash32(UnsafeRawBufferPointer(rebasing: keys.bytes[start..<keys.count]))
            row &+= 1
        }
    }

    private func readSection(_ column: Int, _ form: KeyForm, _ row: Int) {
        let value = statement.reader(column)
        let isInteger = value.storageClass == .integer
        if isInteger, lastInteger == value.integer { return }
        lastInteger = isInteger ? value.integer : nil
        sectionKey.removeAll()
        sectionKey.append(value, form)
        if let last = lastSection, last.key.count == sectionKey.count,
            last.key.withUnsafeBytes({ $0.elementsEqual(sectionKey.bytes) }),
            form.isSpelledByKey(value.storageClass) || last.value.isSame(0, as: statement.record(from: column, count: 1), 0)
        {
            return
        }
        let boundary = Boundary(
            row: row, key: [UInt8](sectionKey.bytes), value: statement.record(from: column, count: 1))
        lastSection = (boundary.key, boundary.value)
        boundaries.append(boundary)
    }
}

extension KeyForm {
    /// Whether values with equal keys are spelled alike. An integer and a real can be equal.
    func isSpelledByKey(_ storageClass: StorageClass) -> Bool {
        switch storageClass {
        case .null, .blob: true
        case .integer, .real: false
        case .text: if case .plain = text { true } else { false }
        }
    }
}
