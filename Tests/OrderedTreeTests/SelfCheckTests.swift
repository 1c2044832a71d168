import Testing

@testable import OrderedTree

@Suite("The check of an index")
struct SelfCheckTests {
    /// Three sections, the second one with a tree of several levels.
    private func index() throws -> ListTree {
        let index = ListTree(keyed: true, leafCapacity: 4, fanout: 4)
        for section in 0..<3 {
            _ = index.beginSection()
            for row in 0..<(section == 1 ? 60 : 2) {
                withUnsafeBytes(of: UInt16(row).bigEndian) {
                    index.append(id: Int64(section * 100 + row), key: $0, keyHash: 0)
                }
            }
        }
        try index.finishBulk()
        return index
    }

    enum Damage: CaseIterable {
        case id, head, mark, rowCount, leafParent, branchParent, missingIdentity, lostLeaf, weights, sums, handleLink

        func strike(_ index: ListTree) throws {
            let forest = index.forest
            let section = index.section(at: 1)
            let place = forest.place(section: section.raw, row: 30)
            let root = forest.roots[Int(section.raw)]
            try #require(root.level > 1)
            switch self {
            case .id: forest.leaves.ids(place.leaf)[place.index] = 999
            case .head:
                forest.leaves.marks(place.leaf)[0] = Mark(distance: 0, Fragment(bytes: .max, count: 4, isEnd: false))
            case .mark: forest.leaves.marks(place.leaf)[1] = Mark(distance: 8, .unknown)
            case .rowCount: forest.branches.rowCounts(root.node)[0] += 1
            case .leafParent: forest.leaves[place.leaf].parent = ~section.raw
            case .branchParent: forest.branches[root.node].parent = 1
            case .missingIdentity: forest.identities.remove(130, leaf: place.leaf)
            case .lostLeaf:
                _ = forest.leaves.create(
                    capacity: 4, prefix: KeyBytes(UnsafeRawBufferPointer(start: nil, count: 0)), prefixCount: 0)
            case .weights: index.positions.addWeights(.init(first: 0, second: 1), to: section.raw)
            case .sums: index.positions[index.positions.root].secondSum += 1
            case .handleLink: index.positions[section.raw].count += 1
            }
        }
    }

    @Test(arguments: Damage.allCases) func damageIsNoticed(damage: Damage) throws {
        let index = try index()
        #expect(index.checkInvariants().isEmpty)
        try damage.strike(index)
        #expect(!index.checkInvariants().isEmpty, "\(damage)")
    }

    /// Before: an index whose keys are in order. Expected: the check finds no fault against these
    /// keys, and finds one against others.
    @Test func keysAreComparedWithTheTrueOnes() throws {
        let index = try index()
        func key(_ row: Int64) -> [UInt8] { [0, UInt8(row % 100)] }
        #expect(index.checkInvariants(key: key).isEmpty)
        #expect(!index.checkInvariants { key($0 == 130 ? 129 : $0) }.isEmpty)
        #expect(!index.checkInvariants { key($0 == 130 ? 131 : $0) }.isEmpty)
    }
}
