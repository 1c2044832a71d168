extension PositionTree {
    /// Checks all invariants of links, sums, priorities and the free list. Returns a description of
    /// each violation. O(n), for tests.
    package func checkInvariants() -> [String] {
        completeSums()
        var faults: [String] = []
        if root != PositionTree.none, self[root].parent != PositionTree.none {
            faults.append("the root has a parent")
        }
        let live = checkSubtree(root, &faults)
        if live + nodes.freeCount != nodes.used {
            faults.append("\(live) live and \(nodes.freeCount) free nodes, \(nodes.used) used")
        }
        return faults
    }

    /// As deep as the treap, whose expected depth is a few times the logarithm of its size:
    /// priorities are hashes, which nobody chooses.
    private func checkSubtree(_ handle: Int32, _ faults: inout [String]) -> Int {
        guard handle != PositionTree.none else { return 0 }
        let here = self[handle]
        for child in [here.left, here.right] where child != PositionTree.none {
            if self[child].parent != handle { faults.append("parent link of \(child)") }
            if PositionTree.priority(child) > PositionTree.priority(handle) {
                faults.append("priority of \(child) above its parent's")
            }
        }
        let below = checkSubtree(here.left, &faults) + checkSubtree(here.right, &faults) + 1
        if Int(here.count) != below { faults.append("count of \(handle)") }
        if here.firstSum != firstSum(here.left) + firstSum(here.right) + here.first {
            faults.append("first sum of \(handle)")
        }
        if here.secondSum != secondSum(here.left) + secondSum(here.right) + here.second {
            faults.append("second sum of \(handle)")
        }
        return below
    }
}
