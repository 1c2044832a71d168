internal import SQLiteKit

/// The sum of numbers, exact in any order of changes.
struct Sum {
    /// The floating point numbers among them, which most sums do not have.
    private final class Reals {
        var sum: ExactSum
        var count: Int

        init(_ sum: ExactSum, count: Int) {
            self.sum = sum
            self.count = count
        }
    }

    private var integers: Int128 = 0
    /// How many numbers there are.
    private(set) var count = 0
    private var reals: Reals?

    mutating func add(_ integer: Int64, removing: Bool) {
        count += removing ? -1 : 1
        if removing { integers -= Int128(integer) } else { integers += Int128(integer) }
    }

    mutating func add(_ real: Double, removing: Bool) {
        count += removing ? -1 : 1
        // Copies of a sum share it.
        if !isKnownUniquelyReferenced(&reals) { reals = Reals(reals?.sum ?? ExactSum(), count: reals?.count ?? 0) }
        reals?.sum.add(real, removing: removing)
        reals?.count += removing ? -1 : 1
        if reals?.count == 0 { reals = nil }
    }

    /// The sum as a floating point number; nil if it has infinities of both signs.
    private var real: Double? {
        var sum = reals?.sum ?? ExactSum()
        sum.add(integers)
        return sum.value
    }

    /// As `sum()` yields it; nil for a sum of integers that exceeds 64 bits.
    var total: Value? {
        if count == 0 { return .null }
        guard reals == nil else { return real.map(Value.real) ?? .null }
        return Int64(exactly: integers).map(Value.integer)
    }

    /// As `avg()` yields it.
    var average: Value { count == 0 ? .null : real.map { .real($0 / Double(count)) } ?? .null }
}

/// The parts from which the totals of one group are computed.
struct GroupTotals {
    /// The number of rows, then how many rows fulfil each condition.
    var counts: [Int]
    var sums: [Sum]
    var extremes: [Extreme]

    /// The least or the greatest of some values.
    struct Extreme {
        /// NULL for none.
        var value = RowValues.Part.null
        /// Whether it has been removed, so that another value may be the extreme now.
        var isRemoved = false
    }

    /// Adds the values of a row, or removes them.
    mutating func add(_ values: RowValues, removing: Bool, _ parts: TotalParts) throws {
        counts[0] += removing ? -1 : 1
        for (index, argument) in parts.conditions.enumerated() where values.integer(argument) != 0 {
            counts[index + 1] += removing ? -1 : 1
        }
        for (index, argument) in parts.sums.enumerated() {
            switch values.storageClass(argument) {
            case .null: break
            case .integer: sums[index].add(values.integer(argument), removing: removing)
            case .real: sums[index].add(values.real(argument), removing: removing)
            case .text, .blob:
                switch try parts.number(values, argument) {
                case .integer(let integer): sums[index].add(integer, removing: removing)
                case .real(let real): sums[index].add(real, removing: removing)
                case .null, .text, .blob: break
                }
            }
        }
        for (index, extreme) in parts.extremes.enumerated() where values.storageClass(extreme.argument) != .null {
            let order = try extreme.order(values, extremes[index].value)
            if removing {
                if order == 0 { extremes[index].isRemoved = true }
            } else if order < 0 || order == 0 && extremes[index].isRemoved {
                extremes[index] = Extreme(value: RowValues.Part(RowValues(values, columns: [extreme.argument]), 0))
            }
        }
    }
}

/// The parts of rows that the totals of a request need: the arguments' numbers among a row's
/// values.
struct TotalParts {
    /// One of the totals `min` and `max`.
    struct ExtremePart {
        let argument: Int
        let isGreatest: Bool
        let order: SectionOrder

        /// The expression of the extreme of all rows.
        ///
        /// - Parameter value: The argument's SQL.
        func sql(_ value: String, _ argument: KeyPath) -> String {
            // A subquery has no collation.
            let collation = argument.hops.isEmpty ? "" : " COLLATE \(quoted(argument.column.collation.name))"
            return "\(isGreatest ? "max" : "min")(\(value)\(collation))"
        }

        /// Negative if a value of a row is more extreme than another one, or that is NULL; 0 if
        /// both are equal.
        func order(_ values: RowValues, _ other: RowValues.Part) throws -> Int {
            if other.rowValues.storageClass(other.index) == .null { return -1 }
            let order = try self.order.compare(values, argument, other.rowValues, other.index)
            return isGreatest ? -order : order
        }
    }

    /// How a total is made.
    enum Source {
        case count(Int)
        case sum(Int)
        case average(Int)
        case extreme(Int)
    }

    private(set) var conditions: [Int] = []
    private(set) var sums: [Int] = []
    private(set) var extremes: [ExtremePart] = []
    private(set) var sources: [Source] = []
    let names: [String]
    /// Yields a text or blob as the number that `sum()` adds.
    private let conversion: Statement

    /// - Parameters:
    ///   - arguments: Gets the arguments of the totals.
    ///   - firstArgument: The number of the first of them among a row's values.
    init(
        _ totals: [Total], _ arguments: inout [KeyPath], firstArgument: Int, of entity: Entity,
        _ connection: Connection
    ) throws(StoreError) {
        conversion = try connection.prepare("SELECT sum(?1)")
        names = totals.map(\.name)
        for total in totals {
            guard let argument = try total.argument(of: entity, SchemaReader(connection: connection)) else {
                sources.append(.count(0))
                continue
            }
            let number = firstArgument + arguments.count
            arguments.append(argument)
            switch total.function {
            case .count:
                conditions.append(number)
                sources.append(.count(conditions.count))
            case .sum: sources.append(.sum(sum(of: number)))
            case .average: sources.append(.average(sum(of: number)))
            case .min, .max:
                let collation = try RequestCompiler(connection: connection).collation(nil, of: argument.column)
                let order = try SectionOrder(component: KeyComponent(collation: collation), connection: connection)
                sources.append(.extreme(extremes.count))
                extremes.append(
                    ExtremePart(argument: number, isGreatest: total.function == .max, order: order))
            }
        }
    }

    private mutating func sum(of argument: Int) -> Int {
        if let index = sums.firstIndex(of: argument) { return index }
        sums.append(argument)
        return sums.count - 1
    }

    var none: GroupTotals {
        GroupTotals(
            counts: [Int](repeating: 0, count: conditions.count + 1), sums: [Sum](repeating: Sum(), count: sums.count),
            extremes: [GroupTotals.Extreme](repeating: GroupTotals.Extreme(), count: extremes.count))
    }

    fileprivate func number(_ values: RowValues, _ argument: Int) throws(StoreError) -> Value {
        try conversion.bind(values, argument, at: 1)
        defer { conversion.reset() }
        guard try conversion.step() else { return .null }
        return conversion.rowValues(from: 0, count: 1).value(0)
    }
}

extension SectionOrder {
    /// Negative, 0 or positive: the first value sorts before, with or after the second one.
    func compare(_ a: RowValues, _ aIndex: Int, _ b: RowValues, _ bIndex: Int) throws(StoreError) -> Int {
        if a.storageClass(aIndex) == .integer, b.storageClass(bIndex) == .integer, !component.isDescending {
            let (a, b) = (a.integer(aIndex), b.integer(bIndex))
            return a < b ? -1 : a > b ? 1 : 0
        }
        if case .binary = component.collation, !component.isDescending, a.storageClass(aIndex) == .text,
            b.storageClass(bIndex) == .text
        {
            let (a, b) = unsafe (a.bytes(aIndex), b.bytes(bIndex))
            return unsafe a.precedes(b) ? -1 : a.hasSameBytes(as: b) ? 0 : 1
        }
        if let comparer { return try comparer.compare(a, aIndex, b, bIndex, component) }
        let (a, b) = (RowValues.Part(a, aIndex).encoded(component), RowValues.Part(b, bIndex).encoded(component))
        return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
    }
}
