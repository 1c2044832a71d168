extension ListTree {
    /// Checks all invariants of the index, and what it stores of keys against the full keys if
    /// these are given. Returns a description of each violation. O(rows), and a search for each
    /// row.
    package func checkInvariants(key: ((Int64) -> [UInt8])? = nil) -> [String] {
        if few.isInUse { return few.faults(keyed: isKeyed) }
        // Finding sections relies on what is checked first: their counts must not lead out of the
        // tree.
        let faults = positions.checkInvariants()
        guard faults.isEmpty else { return faults }
        let checker = InvariantChecker(forest: forest, key: key)
        for index in 0..<sectionCount {
            let section = positions.handle(at: index)
            let rows = checker.checkSection(section)
            if positions.weights(of: section) != .init(first: 1, second: rows) {
                checker.faults.append("weights of section \(section)")
            }
        }
        checker.checkTables(rows: rowCount)
        return checker.faults
    }

    /// Stops the program in debug builds if an invariant is violated. Call it after each finished
    /// change. It checks no index of more than `limit` rows and sections, so that its cost is
    /// limited.
    package func assertInvariants(limit: Int = 2_000) {
        assert(
            bulk != nil || rowCount + sectionCount > limit || checkInvariants().isEmpty,
            "\(checkInvariants())")
    }
}

/// Walks the trees and notes violations.
final class InvariantChecker {
    let forest: RowForest
    let key: ((Int64) -> [UInt8])?
    var faults: [String] = []
    private var leavesReached = 0
    private var branchesReached = 0
    private var previous: [UInt8]?
    /// The separator before the leaf.
    private var bound: [UInt8]?
    /// The head of the previous shallow row.
    private var shallow: UInt32?

    init(forest: RowForest, key: ((Int64) -> [UInt8])?) {
        self.forest = forest
        self.key = forest.keyed ? key : nil
    }

    /// Checks the tree of one section; returns its number of rows.
    func checkSection(_ section: Int32) -> Int {
        previous = nil
        bound = nil
        let root = forest.roots[Int(section)]
        guard root.node != RowForest.Root.none else { return 0 }
        let rows = check(root.node, level: Int(root.level), parent: ~section)
        if rows == 0 { faults.append("section \(section) keeps an empty tree") }
        return rows
    }

    /// Checks that every live node is reached, and that every row is in the identity map.
    func checkTables(rows: Int) {
        let leaves = (0..<forest.leaves.used).count { forest.leaves.isLive($0) }
        let branches = (0..<forest.branches.used).count { forest.branches.isLive($0) }
        if leaves != leavesReached { faults.append("\(leaves) leaves, \(leavesReached) reached") }
        if branches != branchesReached {
            faults.append("\(branches) branches, \(branchesReached) reached")
        }
        if forest.identities.count != rows {
            faults.append("\(forest.identities.count) identities for \(rows) rows")
        }
    }

    /// As deep as the tree.
    private func check(_ node: UInt32, level: Int, parent: Int32) -> Int {
        if forest.parent(of: node, level: level) != parent {
            faults.append("parent of node \(node) at level \(level)")
        }
        guard level > 0 else { return checkLeaf(node) }
        branchesReached += 1
        let count = forest.branches.count(node)
        if Int(forest.branches[node].level) != level { faults.append("level of branch \(node)") }
        if count > forest.branches.fanout || count < (parent < 0 ? 2 : forest.leastChildren) {
            faults.append("branch \(node) has \(count) children")
        }
        var sum = 0
        for slot in 0..<count {
            let separator = forest.branches[separator: node, slot]?.copy
            if (separator != nil) != (slot > 0 && forest.keyed) { faults.append("separator \(slot) of branch \(node)") }
            if let separator { bound = separator }
            let rows = check(forest.branches[child: node, slot], level: level - 1, parent: Int32(node))
            if rows != Int(forest.branches[rows: node, slot]) { faults.append("row count in \(node)") }
            sum += rows
        }
        return sum
    }

    private func checkLeaf(_ leaf: UInt32) -> Int {
        leavesReached += 1
        let count = forest.leaves.count(leaf)
        if count == 0 || count > forest.leafLimit || count > Int(forest.leaves[leaf].capacity) {
            faults.append("leaf \(leaf) holds \(count) rows")
        }
        for index in 0..<count {
            let id = forest.leaves[id: leaf, index]
            if let found = forest.identities.find(id, in: forest.leaves), found == (leaf, index) {
            } else {
                faults.append("identity of row \(id)")
            }
            if forest.keyed { checkEntry(leaf, index) }
            if let key = key?(id) { checkKey(key, leaf, index) }
        }
        unsafe forest.leaves[leaf].excerpts.forEach { head, _ in
            if head.row >= count { faults.append("leaf \(leaf) has an excerpt of row \(head.row) of \(count)") }
        }
        bound = nil
        shallow = nil
        return count
    }

    /// Whether what is stored of a row's key is possible.
    private func checkEntry(_ leaf: UInt32, _ index: Int) {
        let mark = forest.leaves[mark: leaf, index]
        let head = mark.head
        if !(index == 0 ? mark.isSoundAsFirst : mark.isSound) { faults.append("mark of row \(index) of leaf \(leaf)") }
        guard mark.isShallow else { return }
        if let shallow, shallow > head { faults.append("heads of leaf \(leaf)") }
        shallow = head
    }

    /// Whether what is stored of a row's key agrees with the key and with the previous one.
    private func checkKey(_ key: [UInt8], _ leaf: UInt32, _ index: Int) {
        let shared = unsafe key.withUnsafeBytes { key in
            unsafe (previous ?? []).withUnsafeBytes { unsafe KeyBytes(key).commonLength(with: KeyBytes($0)) }
        }
        if let previous, !previous.lexicographicallyPrecedes(key) {
            faults.append("order at row \(index) of leaf \(leaf)")
        } else if index > 0 {
            let depth = forest.leaves.depth(leaf, index)
            let isFar = depth == .max && shared > forest.leaves.prefixCount(leaf)
            if depth != shared, !isFar { faults.append("depth of row \(index) of leaf \(leaf)") }
        } else if previous != nil, let joint = unsafe forest.joint(before: leaf),
            joint.depth != shared || key[shared] != joint.last,
            // It may be too long where depths can't be stored.
            joint.depth < Mark.greatestDistance
        {
            faults.append("separator before leaf \(leaf)")
        }
        if index == 0, let previous, let bound, unsafe forest.joint(before: leaf)?.key != nil,
            !previous.lexicographicallyPrecedes(bound) || key.lexicographicallyPrecedes(bound)
        {
            faults.append("leaf \(leaf) begins before its separator")
        }
        previous = key
        let agrees = unsafe key.withUnsafeBytes {
            unsafe forest.agrees(KeyBytes($0), with: .init(leaf: leaf, index: index))
        }
        if !agrees { faults.append("prefix, head or excerpt of row \(index) of leaf \(leaf)") }
    }
}
