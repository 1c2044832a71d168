/// A bulk build. Leaves are filled one after the other, and the branches of a section are built
/// when it ends, so that nothing is ever split.
struct BulkBuilder: ~Copyable {
    /// A node that waits for its parent, with the separator on its left. Not private, because Swift
    /// 6.3 fails to compile that in debug builds.
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
    /// Whether the ids of each leaf ascend, as far as that is known.
    private(set) var areIDsAscending = true
    /// The first row whose key is not greater than the previous one.
    private(set) var misplaced: Int64?
    private var orphans = Stack<Orphan>()
    private var separator: Separator?

    /// From the least to the greatest id; nil without rows.
    var ids: ClosedRange<Int64>? { firstID <= lastID ? firstID...lastID : nil }

    init(forest: RowForest) {
        self.forest = forest
        pending = BulkLeaf(capacity: 0, keyed: false)
    }

    /// Whether a section was begun. Until then the builder holds no memory.
    @inline(__always)
    var isUnderWay: Bool { section != nil }

    mutating func begin(_ section: Int32) {
        if !isUnderWay { pending = BulkLeaf(capacity: forest.mostMergedRows, keyed: forest.keyed) }
        self.section = section
        sections.append(section)
        rowsInSection = 0
    }

    mutating func append(id: Int64, key: UnsafeRawBufferPointer, hash: UInt32) {
        unsafe RowRun.withRow(id: id, key: key, hash: hash) { unsafe append($0) }
    }

    mutating func append(_ rows: RowRun) {
        if unsafe rows.keys != nil { areIDsAscending = false }
        var start = 0
        while start < rows.count {
            if pending.count == pending.capacity { closeLeaf() }
            let id = unsafe rows.ids[start]
            if forest.keyed, pending.count == 0, !orphans.isEmpty {
                unsafe rows.withKey(of: start) { unsafe startLeaf(id: id, key: $0) }
            }
            let end = min(rows.count, start + pending.capacity - pending.count)
            if unsafe !pending.append(rows, start..<end), misplaced == nil { misplaced = id }
            start = end
        }
    }

    /// Appends a leaf with the rows of an image.
    mutating func append(_ image: LeafImage) {
        precondition(pending.count == 0, "rows wait for a leaf of their own")
        areIDsAscending = false
        let leaf = unsafe forest.leaves.create(image)
        separator = nil
        let rows = unsafe image.ids.count
        if forest.keyed, misplaced == nil, let row = forest.leaves.unsoundRow(leaf) {
            misplaced = unsafe image.ids[row]
        }
        if forest.keyed, !orphans.isEmpty {
            unsafe append(image.separator, count: image.separatorCount, before: image.ids[0])
        }
        add(leaf, rows: rows)
    }

    /// Sets the separator between two leaves. If it is known, it must be greater than the previous
    /// one.
    private mutating func append(_ bytes: UnsafeRawBufferPointer, count: Int, before id: Int64) {
        guard let base = bytes.baseAddress, bytes.count == count || bytes.count == 1, count < 1 << 31 else {
            if misplaced == nil { misplaced = id }
            return
        }
        if bytes.count < count {
            separator = unsafe Separator(depth: count - 1, last: bytes[0])
            return
        }
        separator = unsafe Separator(base.assumingMemoryBound(to: UInt8.self), count: count)
        let last = orphans.count - 1
        if orphans[last].separator?.isKnown == true, unsafe orphans[last].separator?.isAtMost(KeyBytes(bytes)) == false,
            misplaced == nil
        {
            misplaced = id
        }
    }

    /// Completes the tree of the last section; returns its number of rows.
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
        let (key, last) = unsafe (KeyBytes(key), KeyBytes(pending.lastKey))
        let shared = unsafe key.commonLength(with: last)
        guard unsafe last.symbol(at: shared) < key.symbol(at: shared), let bytes = unsafe key.bytes else {
            if misplaced == nil { misplaced = id }
            return
        }
        separator = unsafe Separator(bytes, count: shared + 1)
    }

    private mutating func closeLeaf() {
        let rows = pending.count
        add(pending.close(into: &forest.leaves), rows: rows)
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
        unsafe forest.identities.fill(ids, count: rows, leaf: leaf)
        orphans.append(Orphan(node: leaf, separator: separator.take()))
    }

    /// Distributes the waiting nodes evenly over as few branches as possible.
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
                // An ancestor stores the separator on the left of the first child.
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
