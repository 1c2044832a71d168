internal import ListEngine
internal import SQLiteKit

/// The watches of one table, by what their lists' predicates require of columns. A row affects
/// the lists of the values that it had, and of the values that it has now; the other lists are not
/// queried, however many there are.
struct ValueIndex {
    private let watch: TableWatch
    /// The watches whose predicates require values, by the columns.
    private var values: [ValueGroup] = []
    /// The watches whose predicates require only ranges, by the first column.
    private var ranges: [IntervalIndex] = []
    /// The watches whose predicates require neither.
    private var others = SerialList<Watches>()
    private var count = 0

    init(_ watch: TableWatch) { self.watch = watch }

    /// Querying so few lists costs no more than reading the touched rows once more.
    private static let usualLimit = 1

    var isUseful: Bool { count > Self.usualLimit }

    mutating func add(_ watches: Watches) {
        switch Requirement(watches.conditions(of: watch)) {
        case .values(let keys):
            count += 1
            values[index(of: keys)].add(watches, keys.hashes)
        case .range(let column, let range):
            count += 1
            ranges[index(of: column)].add(watches, range)
        case .nothing: others.append(watches, serial: watches.serial)
        }
    }

    mutating func remove(_ watches: Watches) {
        switch Requirement(watches.conditions(of: watch)) {
        case .values(let keys):
            count -= 1
            values[index(of: keys)].remove(watches, keys.hashes)
        case .range(let column, let range):
            count -= 1
            ranges[index(of: column)].remove(watches, range)
        case .nothing: others.remove(watches.serial)
        }
    }

    private mutating func index(of keys: ValueKeys) -> Int {
        if let index = values.firstIndex(where: { $0.columns == keys.columns && $0.isExact == keys.areExact }) {
            return index
        }
        values.append(ValueGroup(columns: keys.columns, isExact: keys.areExact))
        return values.count - 1
    }

    private mutating func index(of column: ConditionColumn) -> Int {
        if let index = ranges.firstIndex(where: { $0.column == column }) { return index }
        ranges.append(IntervalIndex(column: column))
        return ranges.count - 1
    }

    /// The watches that touched rows affect, and for each the rows that do; all rows for lists of
    /// predicates that require nothing of a column.
    mutating func watches(concernedBy rows: TouchedRows) throws -> [(watches: Watches, rows: TouchedRows)] {
        var found: [Int: (watches: Watches, rows: TouchedRows)] = [:]
        var conditions: [Int: BoundConditions?] = [:]
        for row in rows.all {
            for values in [row.image, try watch.currentValues(of: row)] {
                guard let values else { continue }
                forEach(concernedBy: values, &conditions) { watches in
                    found[watches.serial, default: (watches, TouchedRows())].rows.add(row)
                }
            }
        }
        return Array(found.values) + others.elements.map { ($0, rows) }
    }

    /// - Parameter conditions: The conditions of watches that were checked before, by their
    ///   numbers: to make them takes time for each parameter.
    private mutating func forEach(
        concernedBy row: RowValues, _ conditions: inout [Int: BoundConditions?], _ body: (Watches) -> Void
    ) {
        let watch = watch
        func check(_ watches: Watches) {
            let known = conditions[watches.serial] ?? watches.conditions(of: watch)
            conditions[watches.serial] = .some(known)
            if known?.areSatisfied(by: row) ?? true { body(watches) }
        }
        for group in values { group.forEach(concernedBy: row, group.isExact ? body : check) }
        for index in ranges.indices { ranges[index].forEach(containing: row, check) }
    }
}

/// The requirements of a predicate for columns, as far as the index uses them.
private enum Requirement {
    case values(ValueKeys)
    case range(ConditionColumn, KeyRange)
    case nothing

    init(_ conditions: BoundConditions?) {
        if let keys = conditions.flatMap(ValueKeys.init) {
            self = .values(keys)
        } else if let (column, range) = conditions?.ranges.first {
            self = .range(column, range)
        } else {
            self = .nothing
        }
    }
}

/// The values of several columns that a predicate requires together: each combination as one hash.
private struct ValueKeys {
    /// With more combinations, further columns that have several values are left out. One column
    /// never is: it has no more values than the predicate has parameters.
    private static let greatestCount = 1024

    private(set) var columns: [ConditionColumn] = []
    private(set) var hashes = [ValueHash.start]
    /// Whether the predicate requires nothing else of columns.
    private(set) var areExact: Bool

    /// nil if no values are required.
    init?(_ conditions: BoundConditions) {
        areExact = conditions.ranges.isEmpty
        // Conditions of single values first: they are never left out.
        for values in conditions.values.sorted(by: Self.precedes) {
            let count = hashes.count * values.keys.count
            guard columns.isEmpty || count <= Self.greatestCount, !columns.contains(values.column) else {
                areExact = false
                continue
            }
            columns.append(values.column)
            hashes = hashes.flatMap { hash in values.keys.map { ValueHash.combine(hash, $0) } }
        }
        if columns.isEmpty { return nil }
        // A value may be given twice.
        if hashes.count > 1 { hashes = Array(Set(hashes)) }
    }
}

extension ValueKeys {
    private static func precedes(
        _ first: BoundConditions.RequiredValues, _ second: BoundConditions.RequiredValues
    ) -> Bool {
        (first.keys.count, first.column.number) < (second.keys.count, second.column.number)
    }
}

/// A hash of values of several columns. Two combinations with one hash only cause a list to read a
/// row that does not concern it.
private enum ValueHash {
    static let start = UInt64.random(in: .min ... .max)

    static func combine(_ hash: UInt64, _ key: [UInt8]) -> UInt64 {
        unsafe key.withUnsafeBytes { unsafe KeyHash.hash64($0, seed: hash) }
    }
}

/// The watches of predicates that require values of the same columns, by these values.
private struct ValueGroup {
    private enum Entry {
        case one(Watches)
        case several(Several)
    }

    private final class Several {
        var watches: SerialList<Watches>

        init(_ watches: SerialList<Watches>) { self.watches = watches }
    }

    let columns: [ConditionColumn]
    /// Whether the predicates require nothing else of columns.
    let isExact: Bool
    private var entries: [UInt64: Entry] = [:]

    init(columns: [ConditionColumn], isExact: Bool) {
        self.columns = columns
        self.isExact = isExact
    }

    mutating func add(_ watches: Watches, _ hashes: [UInt64]) {
        for hash in hashes {
            switch entries[hash] {
            case nil: entries[hash] = .one(watches)
            case .one(let other):
                var both = SerialList<Watches>()
                both.append(other, serial: other.serial)
                both.append(watches, serial: watches.serial)
                entries[hash] = .several(Several(both))
            case .several(let others): others.watches.append(watches, serial: watches.serial)
            }
        }
    }

    mutating func remove(_ watches: Watches, _ hashes: [UInt64]) {
        for hash in hashes {
            switch entries[hash] {
            case nil: break
            case .one(let known): if known === watches { entries[hash] = nil }
            case .several(let others):
                others.watches.remove(watches.serial)
                if others.watches.isEmpty { entries[hash] = nil }
            }
        }
    }

    func forEach(concernedBy row: RowValues, _ body: (Watches) -> Void) {
        let hash = columns.reduce(ValueHash.start) { ValueHash.combine($0, $1.key(row)) }
        switch entries[hash] {
        case nil: break
        case .one(let watches): body(watches)
        case .several(let several): for watches in several.watches.elements { body(watches) }
        }
    }
}
