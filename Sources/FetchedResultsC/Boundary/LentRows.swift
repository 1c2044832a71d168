internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import ListEngine
internal import SQLiteKit

/// The rows of a list that a program has pointers to, until it reads the next ones. Safe: the
/// objects hold the memory of the values.
@safe final class LentRows {
    /// The greatest number of rows.
    static let limit = 512

    private var objects: [FetchedObject] = []
    /// Their contents, and their identities unless these are rowids.
    private var contents: [UnretainedValues] = unsafe []
    private var identities: [RowValues] = []
    private var keys: [UnretainedValues] = unsafe []
    @safe private let paths = LentBuffer()
    @safe private let descriptions = LentBuffer()
    private var columns: [LentColumn] = []

    /// Reads rows from a path on, until the list ends, or a row has another layout or can't be
    /// read. Throws if that is the first one.
    @safe func read(_ list: any LiveList, from path: ListIndexPath, count: Int) throws -> fr_rows {
        removeAll()
        do {
            try gather(list, path, count)
        } catch {
            if objects.isEmpty { throw error }
        }
        guard let first = objects.first else { return unsafe fr_rows() }
        let columnCount = first.columns.count
        let identityCount = identities.first?.count ?? 1
        while columns.count < columnCount + identityCount { columns.append(LentColumn()) }
        for index in 0..<columnCount { unsafe descriptions.append(columns[index].fill(contents, index)) }
        for index in 0..<identityCount {
            let column = columns[columnCount + index]
            unsafe descriptions.append(
                identities.isEmpty ? column.fill(rowids: objects) : column.fill(keys, index))
        }
        let described = unsafe descriptions.base.assumingMemoryBound(to: fr_column.self)
        return unsafe fr_rows(
            count: objects.count, paths: UnsafePointer(paths.base.assumingMemoryBound(to: fr_index_path.self)),
            layout: ObjectNames.of(first).number, column_count: columnCount, columns: UnsafePointer(described),
            identity_count: identityCount, identities: UnsafePointer(described + columnCount))
    }

    /// The identities of rows from a path on, which are not read, until the list ends or an
    /// identity has another number of values.
    @safe func readIdentities(_ list: any NotifyingList, from path: ListIndexPath, count: Int) throws -> fr_rows {
        removeAll()
        var path = path
        let sectionCount = try list.numberOfSections
        var isWanted = true
        while isWanted, identities.count < count, path.section < sectionCount {
            try list.forEachIdentity(from: path, count: count - identities.count) { path, identity in
                isWanted = identities.first.map { $0.count == identity.count } ?? true
                if isWanted { append(identity, at: path) }
                return isWanted
            }
            path = ListIndexPath(section: path.section + 1, row: 0)
        }
        guard let first = identities.first else { return unsafe fr_rows() }
        while columns.count < first.count { columns.append(LentColumn()) }
        for index in 0..<first.count { unsafe descriptions.append(columns[index].fill(keys, index)) }
        return unsafe fr_rows(
            count: identities.count, paths: UnsafePointer(paths.base.assumingMemoryBound(to: fr_index_path.self)),
            layout: 0, column_count: 0, columns: nil, identity_count: first.count,
            identities: UnsafePointer(descriptions.base.assumingMemoryBound(to: fr_column.self)))
    }

    private func append(_ identity: RowValues, at path: ListIndexPath) {
        identities.append(identity)
        unsafe keys.append(identity.unretained)
        paths.append(fr_index_path(path))
    }

    private func removeAll() {
        objects.removeAll(keepingCapacity: true)
        unsafe contents.removeAll(keepingCapacity: true)
        identities.removeAll(keepingCapacity: true)
        unsafe keys.removeAll(keepingCapacity: true)
        paths.removeAll()
        descriptions.removeAll()
    }

    private func gather(_ list: any LiveList, _ path: ListIndexPath, _ count: Int) throws {
        var path = path
        let sectionCount = try list.numberOfSections
        var isWanted = true
        while isWanted, objects.count < count, Int(path.section) < sectionCount {
            let wanted = count - objects.count
            if let controller = list as? FetchedResultsController {
                try controller.forEachObject(from: path, count: wanted) {
                    isWanted = append($1, at: $0)
                    return isWanted
                }
            } else {
                let end = min(try list.numberOfObjects(inSection: Int(path.section)), Int(path.row) + wanted)
                for row in min(Int(path.row), end)..<end where isWanted {
                    let path = ListIndexPath(section: Int(path.section), row: row)
                    isWanted = append(try list.object(at: path), at: path)
                }
            }
            path = ListIndexPath(section: Int(path.section) + 1, row: 0)
        }
    }

    /// False if the values of an object do not stand in the same columns as in the other objects.
    private func append(_ object: FetchedObject, at path: ListIndexPath) -> Bool {
        guard let content = object.content else { return false }
        let hasKey = object.identityRowid == nil
        if let first = objects.first, object.layout !== first.layout || hasKey == identities.isEmpty { return false }
        if hasKey {
            let key = object.identityValues
            if let first = identities.first, first.count != key.count { return false }
            identities.append(key)
            unsafe keys.append(key.unretained)
        }
        objects.append(object)
        unsafe contents.append(content.unretained)
        paths.append(fr_index_path(path))
        return true
    }
}

/// The values of one column.
@safe private final class LentColumn {
    private let data = LentBuffer()
    private let nulls = LentBuffer()

    @safe func fill(rowids objects: [FetchedObject]) -> fr_column {
        data.removeAll()
        nulls.removeAll()
        for object in objects { data.append(object.identityRowid ?? 0) }
        return description(FR_COLUMN_INTEGERS)
    }

    /// One column of rows.
    func fill(_ rows: [UnretainedValues], _ column: Int) -> fr_column {
        data.removeAll()
        nulls.removeAll()
        let kind = unsafe Self.kind(rows, column)
        for number in unsafe rows.indices {
            let row = unsafe rows[number]
            let storageClass = unsafe row.storageClass(column)
            if storageClass == .null { nulls.append(Int64(number)) }
            switch kind {
            case FR_COLUMN_VALUES: unsafe data.append(value(row, column, storageClass))
            case FR_COLUMN_TEXTS:
                if storageClass == .text { unsafe data.append(bytes: row.bytes(column)) }
                data.append(UInt8(0))
            default: unsafe data.append(storageClass == .null ? 0 : row.bits(column))
            }
        }
        return description(kind)
    }

    /// The kind that all values have that are not NULL.
    private static func kind(_ rows: [UnretainedValues], _ column: Int) -> Int {
        var kind: Int?
        for number in unsafe rows.indices {
            let row = unsafe rows[number]
            let own: Int
            switch unsafe row.storageClass(column) {
            case .null: continue
            case .integer: own = FR_COLUMN_INTEGERS
            case .real: own = FR_COLUMN_REALS
            case .text: own = unsafe row.bytes(column).contains(0) ? FR_COLUMN_VALUES : FR_COLUMN_TEXTS
            case .blob: own = FR_COLUMN_VALUES
            }
            if own == FR_COLUMN_VALUES || own != kind ?? own { return FR_COLUMN_VALUES }
            kind = own
        }
        return kind ?? FR_COLUMN_INTEGERS
    }

    private func value(_ row: UnretainedValues, _ column: Int, _ storageClass: StorageClass) -> fr_value {
        var value = unsafe fr_value()
        unsafe value.type = Int32(storageClass.rawValue)
        switch storageClass {
        case .null: break
        case .integer: unsafe value.integer = row.bits(column)
        case .real: unsafe value.real = Double(bitPattern: UInt64(bitPattern: row.bits(column)))
        case .text, .blob:
            let bytes = unsafe row.bytes(column)
            unsafe value.data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            unsafe value.length = Int64(bytes.count)
        }
        return unsafe value
    }

    @safe private func description(_ kind: Int) -> fr_column {
        unsafe fr_column(
            kind: Int32(kind), reserved: 0, data: UnsafeRawPointer(data.base), size: data.count,
            nulls: UnsafePointer(nulls.base.assumingMemoryBound(to: Int64.self)),
            null_count: nulls.count / MemoryLayout<Int64>.stride)
    }
}

/// Bytes at an address that is valid until more are appended. Safe except for that address: it owns
/// the memory.
@safe private final class LentBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = 1024
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe base.deallocate() }

    func removeAll() { count = 0 }

    func append<Value: BitwiseCopyable>(_ value: Value) {
        reserve(MemoryLayout<Value>.stride)
        unsafe base.storeBytes(of: value, toByteOffset: count, as: Value.self)
        count += MemoryLayout<Value>.stride
    }

    func append(bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let start = bytes.baseAddress { unsafe (base + count).copyMemory(from: start, byteCount: bytes.count) }
        count += bytes.count
    }

    private func reserve(_ byteCount: Int) {
        guard count + byteCount > capacity else { return }
        capacity = max(capacity * 2, count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = larger
    }
}
