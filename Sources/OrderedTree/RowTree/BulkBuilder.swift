/// A bulk build: leaves are made full one after the other, and the branches of a section
/// when it ends, so that nothing is ever split.
struct BulkBuilder: ~Copyable {
    /// A node that waits for its parent, with the separator on its left. Not private, which Swift 6.3 fails to
    /// compile in debug builds.
    struct Orphan: ~Copyable {
        let node: UInt32
        var separator: Separator?
    }

    private var pending: BulkLeaf
    private let forest: RowForest
    private(set) var section: Int32?
    /// All sections so far, in their order.
    private(set) var sections: [Int32] = []
    private(set) var rowsInSection = 0
    private(set) var rowCount = 0
    /// The least and the greatest id of the rows.
    private var firstID = Int64.max
    private var lastID = Int64.min
    /// The first row that did not follow the one before it.
    private(set) var misplaced: Int64?
    private var orphans = Stack<Orphan>()
    private var separator: Separator?

    /// From the least to the greatest id; nil without rows.
    var ids: ClosedRange<Int64>? { firstID <= lastID ? firstID...lastID : nil }

    init(forest: RowForest) {
        self.forest = forest
        pending = BulkLeaf(capacity: 0)
    }

    /// Whether a section was begun. Until then the builder holds no memory.
    @inline(__always)
    var isUnderWay: Bool { section != nil }

    mutating func begin(_ section: Int32) {
        if !isUnderWay { pending = BulkLeaf(capacity: forest.leafCapacity) }
        self.section = section
        sections.append(section)
        rowsInSection = 0
    }

    @inline(__always)
    mutating func append(id: Int64, key: UnsafeRawBufferPointer, hash: UInt32) {
        if pending.count == pending.capacity { closeLeaf() }
        if forest.keyed {
            if pending.count > 0 {
                if unsafe !sorts(pending.key(pending.count - 1), before: key), misplaced == nil { misplaced = id }
            } else if !orphans.isEmpty {
                unsafe startLeaf(id: id, key: key)
            }
        }
        unsafe pending.append(id: id, key: key, hash: hash)
    }

    mutating func append(_ rows: RowRun) {
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var start = rows.keyStart
        for index in 0..<rows.count {
            let end = unsafe rows.ends[index]
            let key = unsafe forest.keyed ? UnsafeRawBufferPointer(rebasing: rows.keyBytes[start..<end]) : none
            unsafe append(id: rows.ids[index], key: key, hash: rows.hashes[index])
            start = end
        }
    }

    /// Appends a leaf with the rows of an image, in which nothing is known of the keys but what leaves
    /// hold: where that does not part it from the leaf before, the separator is left to be read.
    mutating func append(_ image: LeafImage) {
        precondition(pending.count == 0, "rows wait for a leaf of their own")
        let leaf = unsafe forest.leaves.create(image)
        separator = nil
        if forest.keyed, !orphans.isEmpty {
            let left = orphans[orphans.count - 1].node
            let last = unsafe forest.leaves.leading(left, forest.leaves.count(left) - 1)
            let first = unsafe forest.leaves.leading(leaf, 0)
            if unsafe last.isKnownAfter(first), misplaced == nil { misplaced = unsafe image.ids[0] }
            separator = unsafe Separator(between: last, and: first)
        }
        unsafe add(leaf, rows: image.ids.count)
    }

    /// Closes the tree of the section begun last; returns its number of rows.
    mutating func end() -> Int {
        guard let section else { return 0 }
        if pending.count > 0 { closeLeaf() }
        guard !orphans.isEmpty else { return 0 }
        var level = 0
        while orphans.count > 1 {
            raiseLevel(below: level)
            level += 1
        }
        forest.setRoot(section, node: orphans[0].node, level: level)
        orphans.removeAll()
        return rowsInSection
    }

    private mutating func startLeaf(id: Int64, key: UnsafeRawBufferPointer) {
        let last = unsafe pending.lastKey
        guard unsafe sorts(last, before: key) else {
            if misplaced == nil { misplaced = id }
            return
        }
        var length = 0
        while length < last.count, unsafe last[length] == key[length] { length += 1 }
        separator = unsafe Separator(LeadingBytes(wholeKey: key), length: length + 1)
    }

    private mutating func closeLeaf() {
        let rows = pending.count
        add(pending.close(keyed: forest.keyed, into: &forest.leaves), rows: rows)
    }

    private mutating func add(_ leaf: UInt32, rows: Int) {
        rowsInSection += rows
        rowCount += rows
        // While they are in the processor's cache.
        let ids = unsafe forest.leaves.ids(leaf)
        for index in 0..<rows {
            firstID = unsafe min(firstID, ids[index])
            lastID = unsafe max(lastID, ids[index])
        }
        orphans.append(Orphan(node: leaf, separator: separator.take()))
    }

    /// Spreads the waiting nodes evenly over as few branches as can hold them.
    private mutating func raiseLevel(below level: Int) {
        let fanout = forest.branches.fanout
        let parents = (orphans.count + fanout - 1) / fanout
        var raised = Stack<Orphan>(capacity: parents)
        var start = 0
        for parent in 0..<parents {
            let end = orphans.count * (parent + 1) / parents
            let branch = forest.branches.create(level: level + 1, capacity: end - start)
            for index in start..<end {
                let node = orphans[index].node
                let rows = forest.rows(below: node, level: level)
                // An ancestor holds the separator on the left of the first child.
                let separator = index == start ? nil : orphans[index].separator.take()
                forest.branches.insert(
                    node, rows: rows, separator: separator, into: branch, at: index - start)
                forest.setParent(of: node, level: level, Int32(branch))
            }
            raised.append(Orphan(node: branch, separator: orphans[start].separator.take()))
            start = end
        }
        orphans = raised
    }
}
