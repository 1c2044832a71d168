import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The work for one child does not grow with the number of the others. Counted are the children and
/// the nodes of the tree of children that are visited.
@Suite struct ManyChildrenTests {
    private let store: Store

    init() throws {
        store = try Store(path: ":memory:")
        try store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, part INTEGER)")
    }

    private func list(_ part: Int) throws -> FetchedResultsController {
        try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", predicate: "part = ?1", parameters: [.integer(Int64(part))]))
    }

    /// Makes a collection, then inserts, replaces, finds and removes each child by itself. Returns
    /// the visits.
    private func visits(_ count: Int, isFetched: Bool) throws -> Int {
        let requests = try (0..<count).map { try list($0).request }
        let collection = try FetchedResultsCollection(store: store, requests: requests)
        if isFetched { try collection.performFetch() }
        let fetched = collection.childVisits
        var others: [FetchedResultsController] = []
        for number in 0..<count {
            let other = try list(count + number)
            try collection.insert(other, at: number % 2 == 0 ? 0 : collection.numberOfChildren)
            others.append(other)
        }
        for (number, other) in others.enumerated() {
            #expect(collection.index(of: other) != nil)
            let replacement = try list(2 * count + number)
            try collection.replace(other, with: replacement)
            try collection.remove(replacement)
        }
        #expect(collection.numberOfChildren == count)
        // A fetch visits each child a few times.
        #expect(fetched <= (isFetched ? 10 : 1) * count * 20)
        return collection.childVisits - fetched
    }

    @Test(arguments: [false, true]) func theWorkGrowsAsTheNumberOfChildren(isFetched: Bool) throws {
        let few = try visits(100, isFetched: isFetched)
        let many = try visits(800, isFetched: isFetched)
        #expect(few > 0)
        // Eight times as many, and three more levels of the tree.
        #expect(many <= few * 8 * 2)
    }

    /// In any order of insertions, replacements and removals, places and children agree.
    @Test func placesAreThoseOfAnArray() throws {
        var random = SeededRandom(seed: 5)
        let collection = try FetchedResultsCollection()
        var expected: [FetchedResultsController] = []
        for step in 0..<300 {
            let index = Int.random(in: 0...expected.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where index < expected.count:
                try collection.remove(at: index)
                expected.remove(at: index)
            case 1 where index < expected.count:
                let other = try list(step)
                try collection.replace(at: index, with: other)
                expected[index] = other
            default:
                let other = try list(step)
                try collection.insert(other, at: index)
                expected.insert(other, at: index)
            }
            #expect(collection.numberOfChildren == expected.count)
            for (index, list) in expected.enumerated() {
                #expect(collection.index(of: list) == index)
                #expect(try collection.list(at: index) === list)
            }
        }
    }
}
