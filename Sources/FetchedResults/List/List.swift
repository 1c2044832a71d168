internal import OrderedTree
internal import SQLiteKit

/// What a controller shows: rows in order, in sections in order.
final class List {
    /// What a section has in common.
    struct Section {
        /// The value of the section's key path, in the spelling of the section's first row when it came to be; empty for
        /// the only section of a flat list.
        let value: Record
        /// The value as bytes that compare as the section order does.
        let key: [UInt8]

        static let flat = Section(value: Record([]), key: [])
    }

    let rows: SectionedRows
    let isFlat: Bool
    private var infos: [Section?] = []

    init(isFlat: Bool, isKeyed: Bool, nodes: NodeSizes = .standard) {
        rows = SectionedRows(keyed: isKeyed, leafCapacity: nodes.leafCapacity, fanout: nodes.fanout)
        self.isFlat = isFlat
    }

    var count: Int { rows.rowCount }
    var sectionCount: Int { rows.sectionCount }

    func section(_ id: SectionID) -> Section { infos[Int(id.raw)] ?? .flat }
    func section(at index: Int) -> Section { section(rows.section(at: index)) }

    /// Whether a section has a key.
    func hasKey(_ id: SectionID, _ key: UnsafeRawBufferPointer) -> Bool {
        infos[Int(id.raw)]?.key.withUnsafeBytes { $0.elementsEqual(key) } ?? false
    }

    func setSection(_ id: SectionID, _ section: Section?) {
        let index = Int(id.raw)
        while infos.count <= index { infos.append(nil) }
        infos[index] = section
    }

    /// Appends a section in a bulk build.
    func beginSection(_ section: Section) {
        setSection(rows.beginSection(), section)
    }

    @discardableResult
    func insertSection(_ section: Section, at index: Int) -> SectionID {
        let id = rows.insertSection(at: index)
        setSection(id, section)
        return id
    }

    /// The same list with other ids for its rows, to be compared with others only. O(n).
    func renamed(_ rename: (Int64) -> Int64) throws -> List {
        let copy = List(isFlat: isFlat, isKeyed: false)
        for index in 0..<sectionCount {
            let section = rows.section(at: index)
            copy.beginSection(self.section(section))
            rows.forEachLeaf(in: section) { ids, hashes in
                for (id, hash) in zip(ids, hashes) {
                    copy.rows.append(id: rename(id), key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: hash)
                }
            }
        }
        try copy.rows.finishBulk()
        return copy
    }

    func removeSection(at index: Int) {
        let id = rows.section(at: index)
        rows.removeSection(id)
        setSection(id, nil)
    }
}

/// How many entries the nodes of a list's trees have; small ones let tests reach deep trees with few rows.
package struct NodeSizes: Sendable {
    package let leafCapacity: Int
    package let fanout: Int

    package init(leafCapacity: Int, fanout: Int) {
        self.leafCapacity = leafCapacity
        self.fanout = fanout
    }

    package static let standard = NodeSizes(leafCapacity: 128, fanout: 64)
}
