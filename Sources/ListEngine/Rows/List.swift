package import ChangeSets
package import OrderedTree
package import SQLiteKit

/// The content of a controller: rows in order, in sections in order.
package final class List {
    /// The common properties of a section's rows.
    package struct Section {
        /// The value of the section's key path, in the spelling of the section's first row when it
        /// was inserted; empty for the only section of a flat list.
        package let value: RowValues
        /// The value as bytes that compare as the section order does.
        let key: SectionKey
        /// In a section map: the section's row; nil for the section of items without one.
        private let sectionRow: SectionRow?
        /// The totals of its rows; nil if it has none, or if the request has no totals.
        var totals: GroupTotals?

        package init(value: RowValues, key: SectionKey) {
            self.value = value
            self.key = key
            sectionRow = nil
        }

        init(_ row: SectionRow) {
            value = row.value
            key = row.key
            sectionRow = row
        }

        /// In a section map: the id of the section's row.
        package var row: Int64? { sectionRow?.id }

        /// The same with another id for its row.
        func renamed(_ rename: (Int64) -> Int64) -> Section {
            sectionRow.map { Section(SectionRow(id: rename($0.id), value: value, key: key, title: $0.title)) } ?? self
        }

        /// The source of the index title.
        var title: Title { sectionRow?.title ?? .name }

        /// Whether it is the section of a flat list, which has no value.
        var isFlat: Bool { value.count == 0 }

        package static let flat = Section(value: RowValues([]), key: .empty)
        /// The section of the items that have none.
        package static let orphans = Section(value: RowValues([.null]), key: .empty)
    }

    enum Title: Equatable, Sendable {
        case name
        case text(String?)
    }

    package let rows: ListTree
    package let isFlat: Bool
    /// Whether sections represent rows.
    package let isMapped: Bool
    /// The part that a flat list does without; made where it is first needed.
    private var parts: Parts?

    private final class Parts {
        /// By handle; `flat` where there is none. Not optional, so that a key can be read without
        /// copying all of a section.
        var infos: [Section] = []
        /// The sections of a mapped list by their rows.
        var sectionsByRow = RowDictionary<SectionID>()
        var orphans: SectionID?
        var skipped: RowIDSet?
        var totals: GroupTotals?
        var requestTotals: RequestTotals?

        func noteRow(of id: SectionID, _ old: Section?, _ new: Section?) {
            if let old {
                if let row = old.row { sectionsByRow.remove(row) } else { orphans = nil }
            }
            if let new {
                if let row = new.row { sectionsByRow.set(row, id) } else { orphans = id }
            }
        }
    }

    private func neededParts() -> Parts {
        if let parts { return parts }
        let new = Parts()
        parts = new
        return new
    }

    /// The section of items that have none.
    package var orphans: SectionID? { parts?.orphans }

    /// The rows before the first one, which an offset leaves out; nil if they are not known, or if
    /// nothing is left out at either end.
    package var skipped: RowIDSet? {
        get { parts?.skipped }
        set { if newValue != nil || parts != nil { neededParts().skipped = newValue } }
        _modify { yield &neededParts().skipped }
    }

    /// The totals of all rows; nil if the request has none.
    var totals: GroupTotals? {
        get { parts?.totals }
        set { if newValue != nil || parts != nil { neededParts().totals = newValue } }
    }

    /// The totals of the request with which the list was read: a paused list may have another one.
    var requestTotals: RequestTotals? {
        get { parts?.requestTotals }
        set { if newValue != nil || parts != nil { neededParts().requestTotals = newValue } }
    }

    package init(isFlat: Bool, isMapped: Bool = false, isKeyed: Bool, nodes: NodeSizes = .standard) {
        self.isMapped = isMapped
        rows = ListTree(keyed: isKeyed, leafCapacity: nodes.leafCapacity, fanout: nodes.fanout)
        self.isFlat = isFlat
    }

    package var count: Int { rows.rowCount }
    package var sectionCount: Int { rows.sectionCount }

    /// The memory of the index and of the rows that are left out.
    var bytesHeld: Int { rows.bytesHeld + (skipped?.bytesHeld ?? 0) }

    /// Whether a row is shown, or known to be left out before the shown rows.
    func holds(_ id: Int64) -> Bool { rows.contains(id) || skipped?.contains(id) ?? false }

    package func section(_ id: SectionID) -> Section {
        guard let parts, !isFlat else { return .flat }
        return parts.infos[Int(id.raw)]
    }

    package func section(at index: Int) -> Section { section(rows.section(at: index)) }

    /// The section of a mapped list that represents a row, or none; nil if there is no such
    /// section.
    package func section(ofRow row: Int64?) -> SectionID? { row.map { parts?.sectionsByRow[$0] } ?? orphans }

    /// Whether a section has a key.
    func hasKey(_ id: SectionID, _ key: UnsafeRawBufferPointer) -> Bool {
        guard let parts, !isFlat else { return unsafe key.isEmpty }
        return unsafe parts.infos[Int(id.raw)].key.consists(of: key)
    }

    /// The place of the first section whose key does not precede the given one. O(log n).
    func firstSection(from key: UnsafeRawBufferPointer) -> Int {
        guard let parts, !isFlat else { return unsafe key.isEmpty ? 0 : sectionCount }
        return rows.firstSection { id in
            unsafe !parts.infos[Int(id.raw)].key.withUnsafeBytes { unsafe $0.precedes(key) }
        }
    }

    /// The section with a key, if sections are in the order of their keys. O(log n).
    func section(withKey key: UnsafeRawBufferPointer) -> SectionID? {
        let index = unsafe firstSection(from: key)
        guard index < sectionCount else { return nil }
        let id = rows.section(at: index)
        return unsafe hasKey(id, key) ? id : nil
    }

    func setSection(_ id: SectionID, _ section: consuming Section?) {
        if isFlat { return assert(section?.isFlat ?? true, "a flat list has no other section") }
        let parts = neededParts()
        let index = Int(id.raw)
        while parts.infos.count < index { parts.infos.append(.flat) }
        if isMapped {
            let isKnown = index < parts.infos.count && !parts.infos[index].isFlat
            parts.noteRow(of: id, isKnown ? parts.infos[index] : nil, section)
        }
        if index < parts.infos.count {
            parts.infos[index] = section ?? .flat
        } else {
            parts.infos.append((consume section) ?? .flat)
        }
    }

    /// Appends a section in a bulk build.
    @discardableResult
    package func beginSection(_ section: consuming Section) -> SectionID {
        let id = rows.beginSection()
        setSection(id, consume section)
        return id
    }

    @discardableResult
    func insertSection(_ section: Section, at index: Int) -> SectionID {
        let id = rows.insertSection(at: index)
        setSection(id, section)
        return id
    }

    /// The same list with other ids for its rows and for its sections' rows, only for
    /// comparing. O(n).
    func renamed(rows rename: (Int64) -> Int64, sections renameSection: (Int64) -> Int64) throws -> List {
        let copy = List(isFlat: isFlat, isMapped: isMapped, isKeyed: false)
        (copy.totals, copy.requestTotals) = (totals, requestTotals)
        for index in 0..<sectionCount {
            let section = rows.section(at: index)
            copy.beginSection(self.section(section).renamed(renameSection))
            unsafe rows.forEachLeaf(in: section) { ids, hashes in
                for row in ids.indices {
                    unsafe copy.rows.append(
                        id: rename(ids[row]), key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: hashes[row])
                }
            }
        }
        try copy.rows.finishBulk()
        return copy
    }

    func removeSection(at index: Int) {
        let id = rows.section(at: index)
        setSection(id, nil)
        rows.removeSection(id)
    }
}

/// How many entries the nodes of a list's trees have, and other limits; small ones let tests reach
/// deep trees, and what is done for many rows, with few rows.
package struct NodeSizes: Sendable {
    private let counts: (leaf: UInt16, fanout: UInt8, manyRows: UInt8, chunk: UInt16)
    package var leafCapacity: Int { Int(counts.leaf) }
    package var fanout: Int { Int(counts.fanout) }
    /// From how many touched rows on these are read together, and inserted in the order of their
    /// keys.
    package var manyRows: Int { Int(counts.manyRows) }
    /// How many rows of a whole list are read at a time.
    package var chunk: Int { Int(counts.chunk) }
    /// Which bits of its key's hash a row has; few of them let tests have keys whose hashes are
    /// equal.
    package let keyHashMask: UInt32

    package init(
        leafCapacity: Int, fanout: Int, manyRows: Int = 32, chunk: Int = 1024, keyHashMask: UInt32 = .max
    ) {
        counts = (UInt16(leafCapacity), UInt8(fanout), UInt8(manyRows), UInt16(chunk))
        self.keyHashMask = keyHashMask
    }

    package static let standard = NodeSizes(leafCapacity: 128, fanout: 64)
}

/// Reads of a program by number, which may be out of range.
extension List {
    package func checkedSection(_ index: Int) throws -> SectionID {
        guard index >= 0, index < sectionCount else {
            throw StoreError.outOfRange("section \(index)", count: sectionCount)
        }
        return rows.section(at: index)
    }

    /// The id of the row at an index path. O(log n).
    package func checkedRow(_ path: ListIndexPath) throws -> Int64 {
        let section = try checkedSection(path.section)
        if let id = rows.findRow(section: section, at: path.row) { return id }
        let count = rows.rowCount(in: section)
        throw StoreError.outOfRange("row \(path.row) of section \(path.section)", count: count)
    }
}
