import TestSupport
import Testing

@testable import OrderedTree

extension ListTree {
    /// Inserts a row as if it were the first one.
    func insert(
        id: Int64, key: [UInt8], keyHash: UInt32 = 0, in section: SectionID, resolve: (Int64) throws -> [UInt8]
    ) throws -> Int {
        var arena = KeyArena()
        var none = Insertion()
        return try insert(
            id: id, key: arena.copy(key), keyHash: keyHash, in: section, after: &none
        ) { try arena.copy(resolve($0)) }
    }

    func lowerBound(of key: [UInt8], in section: SectionID, resolve: (Int64) throws -> [UInt8]) throws -> Int {
        var arena = KeyArena()
        return try lowerBound(of: arena.copy(key), in: section) { try arena.copy(resolve($0)) }
    }
}

extension KeyArena {
    /// A copy of a key, valid as long as the arena.
    mutating func copy(_ key: [UInt8]) -> UnsafeRawBufferPointer { key.withUnsafeBytes { copy($0).bytes } }
}

/// An arena that several values may use.
final class SharedArena {
    private var arena = KeyArena()

    func copy(_ key: [UInt8]) -> UnsafeRawBufferPointer { arena.copy(key) }
}

/// The last `count` bytes of a number, the most significant one first.
func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
}

func sorted(_ a: [UInt8], before b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

/// Keys that are hard for marks and prefixes: long common prefixes, zero bytes, keys that extend
/// one another, keys shorter than a fragment.
enum HardKeys: CaseIterable {
    case spread, longPrefix, zeros, extensions, mixed, veryLong

    /// All except those that take long.
    static let short: [HardKeys] = [.spread, .longPrefix, .zeros, .extensions, .mixed]

    func make(_ random: inout SeededRandom) -> [UInt8] {
        switch self {
        case .spread:
            return (0..<8).map { _ in UInt8(random.below(256)) }
        case .longPrefix:
            let start = [UInt8](repeating: 7, count: 20) + [UInt8(random.below(2))]
            return start + [9, 9, 9, 9, 9] + (0..<3).map { _ in UInt8(random.below(8)) }
        case .zeros:
            return (0..<random.below(9)).map { _ in UInt8(random.below(2)) }
        case .extensions:
            return (0..<random.below(40)).map { _ in random.below(6) == 0 ? 1 : 0 }
        case .veryLong:
            // Some have more in common than can be stored.
            let start = [UInt8](repeating: 5, count: [0, 300, 8_003, 8_100, 9_000][random.below(5)])
            return start + [UInt8(random.below(9))] + (0..<random.below(6)).map { _ in UInt8(random.below(3)) }
        case .mixed:
            let kinds: [HardKeys] = [.spread, .longPrefix, .zeros, .extensions]
            return kinds[random.below(4)].make(&random)
        }
    }
}

struct ResolverFailed: Error {}

/// An index, and plain arrays with its expected content.
struct ModelledRows {
    let index: ListTree
    var sections: [(id: SectionID, rows: [Int64])] = []
    /// The key of each row in the index.
    var keys: [Int64: [UInt8]] = [:]
    var nextID: Int64 = 0
    private var lastInsertion = Insertion()
    private let arena = SharedArena()

    init(keyed: Bool = true, leafCapacity: Int = 4, fanout: Int = 4) {
        index = ListTree(keyed: keyed, leafCapacity: leafCapacity, fanout: fanout)
    }

    var ids: [Int64] { sections.flatMap(\.rows) }

    mutating func insertSection(at place: Int) {
        sections.insert((index.insertSection(at: place), []), at: place)
    }

    func lowerBound(of key: [UInt8], in section: Int) -> Int {
        sections[section].rows.prefix { sorted(keys[$0, default: []], before: key) }.count
    }

    /// Inserts by key into both; ignores a key that is in use already. At most one other key may be
    /// read, unless keys have more in common than can be stored.
    mutating func insert(_ key: [UInt8], in section: Int) throws {
        let expected = lowerBound(of: key, in: section)
        let rows = sections[section].rows
        if expected < rows.count, keys[rows[expected]] == key { return }
        nextID += 1
        let id = nextID
        let keys = keys
        var read: [Int64] = []
        let row = try index.insert(
            id: id, key: arena.copy(key), keyHash: UInt32(id), in: sections[section].id, after: &lastInsertion
        ) {
            read.append($0)
            return arena.copy(keys[$0, default: []])
        }
        #expect(row == expected)
        #expect(read.count <= 1 || key.count > Mark.greatestDistance, "\(read.count) keys read")
        sections[section].rows.insert(id, at: expected)
        self.keys[id] = key
    }

    /// A key that is often just after the one that was inserted last; nil before the first.
    func keyAfterLast(_ random: inout SeededRandom) -> [UInt8]? {
        guard var key = keys[nextID] else { return nil }
        if random.below(2) == 0, let last = key.last, last < 255 {
            key[key.count - 1] = last + 1
        } else {
            key.append(UInt8(random.below(3)))
        }
        return key
    }

    /// The first difference between the index and the arrays, in words; nil if they have the same
    /// content.
    func difference() -> String? {
        if let fault = index.checkInvariants(key: { keys[$0, default: []] }).first { return fault }
        if index.sectionCount != sections.count { return "number of sections" }
        var flat = 0
        for (position, section) in sections.enumerated() {
            if index.section(at: position) != section.id { return "section at \(position)" }
            if index.index(of: section.id) != position { return "position of section" }
            if index.flatIndex(section: section.id, row: 0) != flat { return "first flat index" }
            var seen: [Int64] = []
            index.forEachLeaf(in: section.id) { ids, _ in seen += ids }
            if seen != section.rows { return "rows of section \(position): \(seen), \(section.rows)" }
            let last = (seen.count / 3)..<seen.count
            var some: [Int64] = []
            index.forEachRow(in: section.id, last) { some.append($0) }
            if some != Array(seen[last]) { return "last rows of section \(position): \(some)" }
            for (row, id) in section.rows.enumerated() {
                if index.row(section: section.id, at: row) != id { return "row at \(position), \(row)" }
                guard let place = index.place(of: id), place == (section.id, row) else {
                    return "place of \(id)"
                }
                guard let flatPlace = index.place(atFlatIndex: flat + row), flatPlace == (section.id, row)
                else { return "flat place" }
            }
            flat += section.rows.count
        }
        if let fault = differenceInSearch(of: [nextID] + ids + ids.reversed() + [-1, nextID]) { return fault }
        if index.place(atFlatIndex: flat) != nil || index.place(atFlatIndex: -1) != nil {
            return "a flat place out of range"
        }
        return index.rowCount == flat ? nil : "number of rows"
    }

    /// The same of the places that rows have when they are searched one after the other.
    private func differenceInSearch(of wanted: [Int64]) -> String? {
        var expected: [Int64: (section: SectionID, index: Int, row: Int)] = [:]
        for (position, section) in sections.enumerated() {
            for (row, id) in section.rows.enumerated() { expected[id] = (section.id, position, row) }
        }
        var finder = RowFinder(index, after: lastInsertion)
        for id in wanted {
            switch (finder.find(id), expected[id]) {
            case (nil, nil): continue
            case (let found?, let expected?) where found == expected: continue
            default: return "place of \(id) among \(wanted)"
            }
        }
        return nil
    }
}
