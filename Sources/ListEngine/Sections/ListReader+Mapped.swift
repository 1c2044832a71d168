internal import OrderedTree
internal import SQLiteKit

/// Reads the list of a section map: items are read in groups by their sections' keys, and the
/// groups are then put into the order of the sections' rows, each in one step.
extension ListReader {
    func read(_ sections: SectionRowTable, _ options: SectionMapOptions) throws -> List {
        let list = List(isFlat: false, isMapped: true, isKeyed: compiled.hasByteKeys, nodes: nodes)
        if let earlier { list.rows.prepareBulk(like: earlier.rows) }
        var groups = MappedGroups(list: list, sections: sections, options: options, isKeyed: list.rows.isKeyed)
        let scan = try scan()
        if compiled.isSelect || !compiled.keys.isInOrder {
            // Rows of one section may be anywhere.
            try run(scan) { try groups.scatter(&$0) }
            try groups.appendScattered(inOrder: compiled.isSelect)
        } else {
            try run(scan) { try groups.append(&$0) }
        }
        try groups.appendOrphans(isBefore: orphanOrder())
        try finish(list)
        groups.arrange()
        return list
    }

    /// The order of rows that were not read in one order, where bytes do not determine it; nil
    /// where they do, or where rows stay in the order of reading.
    private func orphanOrder() throws -> ((Int64, Int64) throws -> Bool)? {
        let order = compiled.order
        guard !order.isBytewise, !compiled.isSelect else { return nil }
        var values: [Int64: RowValues] = [:]
        func read(_ id: Int64) throws -> RowValues {
            if let known = values[id] { return known }
            let rowValues = try order.reader.read(id, decoder) {
                decoder.orderValues($0, firstSort: order.reader.firstColumn)
            }
            values[id] = rowValues
            return rowValues
        }
        return { try order.isBefore(read($0), read($1)) }
    }
}

/// The items of a section map before they are put into their sections.
private struct MappedGroups {
    private typealias Item = (id: Int64, hash: UInt32, key: [UInt8])

    let list: List
    let sections: SectionRowTable
    let options: SectionMapOptions
    let isKeyed: Bool
    /// The section in which rows are inserted: nil if they are orphans.
    private var current: Int64?
    private var isFirst = true
    private var orphans: [Item] = []
    private var scattered: [Int64: [Item]] = [:]

    init(list: List, sections: SectionRowTable, options: SectionMapOptions, isKeyed: Bool) {
        self.list = list
        self.sections = sections
        self.options = options
        self.isKeyed = isKeyed
    }

    private mutating func eachRow(
        _ chunk: inout KeyChunk, group: (inout Self, Int64?) -> Void,
        row: (inout Self, Int64, UInt32, UnsafeRawBufferPointer) -> Void
    ) throws {
        var groups = self
        defer { self = groups }
        let (ids, hashes) = unsafe (chunk.ids, chunk.hashes)
        unsafe try chunk.forEachRow { boundary in
            let found = unsafe try boundary.key.withUnsafeBytes {
                unsafe try groups.sections.row(withKey: $0, boundary.value)
            }
            if groups.isFirst || found != groups.current { group(&groups, found) }
            groups.isFirst = false
            groups.current = found
        } row: { index, key in
            unsafe row(&groups, ids[index], hashes[index], key)
        }
    }

    /// Appends rows that are read section by section.
    mutating func append(_ chunk: inout KeyChunk) throws {
        unsafe try eachRow(&chunk) { groups, row in
            if let row, let known = groups.sections[row] { groups.list.beginSection(known.section) }
        } row: { groups, id, hash, key in
            if groups.current == nil {
                unsafe groups.addOrphan(id, hash, key)
            } else {
                unsafe groups.list.rows.append(
                    id: id, key: groups.isKeyed ? key : UnsafeRawBufferPointer(start: nil, count: 0), keyHash: hash)
            }
        }
    }

    /// Stores rows that are read in any order.
    mutating func scatter(_ chunk: inout KeyChunk) throws {
        unsafe try eachRow(&chunk) { _, _ in
        } row: { groups, id, hash, key in
            if let current = groups.current {
                unsafe groups.scattered[current, default: []].append((id, hash, [UInt8](key)))
            } else {
                unsafe groups.addOrphan(id, hash, key)
            }
        }
    }

    private mutating func addOrphan(_ id: Int64, _ hash: UInt32, _ key: UnsafeRawBufferPointer) {
        if options.itemsWithoutSection != .hidden {
            unsafe orphans.append((id, hash, [UInt8](key)))
        }
    }

    mutating func appendScattered(inOrder: Bool) throws {
        for (row, rows) in scattered {
            guard let known = sections[row] else { continue }
            list.beginSection(known.section)
            append(inOrder ? rows : rows.sorted { $0.key.lexicographicallyPrecedes($1.key) })
        }
        scattered = [:]
    }

    /// Appends the rows without a section, which were read in several groups, or one after another.
    mutating func appendOrphans(isBefore: ((Int64, Int64) throws -> Bool)?) throws {
        guard !orphans.isEmpty else { return }
        list.beginSection(.orphans)
        if let isBefore {
            try orphans.sort { try isBefore($0.id, $1.id) }
        } else if isKeyed {
            orphans.sort { $0.key.lexicographicallyPrecedes($1.key) }
        }
        append(orphans)
        orphans = []
    }

    private func append(_ rows: [Item]) {
        for row in rows {
            unsafe row.key.withUnsafeBytes {
                unsafe list.rows.append(
                    id: row.id, key: isKeyed ? $0 : UnsafeRawBufferPointer(start: nil, count: 0), keyHash: row.hash)
            }
        }
    }

    /// Puts the sections into the order of their rows, with the sections without items among them.
    func arrange() {
        var position = 0
        for index in 0..<sections.count {
            let row = sections.row(at: index)
            if let id = list.section(ofRow: row) {
                if list.rows.index(of: id) != position { list.rows.moveSection(id, to: position) }
            } else if options.emptySections == .shown, let known = sections[row] {
                list.insertSection(known.section, at: position)
            } else {
                continue
            }
            position += 1
        }
        if options.itemsWithoutSection == .alwaysShown, list.orphans == nil {
            list.insertSection(.orphans, at: position)
        }
    }
}
