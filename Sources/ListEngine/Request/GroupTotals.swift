internal import SQLiteKit

/// The sum of numbers, exact in any order of changes.
struct Sum {
    private var integers: Int128 = 0
    /// How many numbers there are.
    private(set) var count = 0
    /// The floating point numbers among them, which most sums do not have.
    private var reals: Box<(sum: ExactSum, count: Int)>?

    mutating func add(_ integer: Int64, removing: Bool) {
        count += removing ? -1 : 1
        if removing { integers -= Int128(integer) } else { integers += Int128(integer) }
    }

    mutating func add(_ real: Double, removing: Bool) {
        count += removing ? -1 : 1
        // Copies of a sum share it.
        if !isKnownUniquelyReferenced(&reals) { reals = Box(reals?.value ?? (sum: ExactSum(), count: 0)) }
        reals?.value.sum.add(real, removing: removing)
        reals?.value.count += removing ? -1 : 1
        if reals?.value.count == 0 { reals = nil }
    }

    /// Adds all numbers of another sum, or removes them.
    mutating func add(_ other: Sum, removing: Bool) {
        let sign = removing ? -1 : 1
        count += sign * other.count
        integers += Int128(sign) * other.integers
        guard let more = other.reals?.value else { return }
        var new = reals?.value ?? (sum: ExactSum(), count: 0)
        new.sum.add(more.sum, removing: removing)
        new.count += sign * more.count
        reals = new.count == 0 ? nil : Box(new)
    }

    /// The sum as a floating point number; nil if it has infinities of both signs.
    private var real: Double? {
        var sum = reals?.value.sum ?? ExactSum()
        sum.add(integers)
        return sum.value
    }

    /// As `sum()` yields it; nil for a sum of integers that exceeds 64 bits.
    var total: Value? {
        if count == 0 { return .null }
        guard reals == nil else { return real.map(Value.real) ?? .null }
        return Int64(exactly: integers).map(Value.integer)
    }

    /// Whether nothing was added to the one that the other one lacks.
    func isSame(as other: Sum) -> Bool {
        integers == other.integers && count == other.count && reals === other.reals
    }

    /// The same; of integers that exceed 64 bits the nearest floating point number.
    var roundedTotal: Value { total ?? real.map(Value.real) ?? .null }

    /// As `avg()` yields it.
    var average: Value { count == 0 ? .null : real.map { .real($0 / Double(count)) } ?? .null }
}

/// The parts from which the totals of one group are computed. Copies share them until one changes.
struct GroupTotals: @unchecked Sendable {
    private typealias Parts = (counts: [Int], sums: [Sum], extremes: [Extreme])

    private var box: Box<Parts>

    init(counts: [Int], sums: [Sum], extremes: [Extreme]) { box = Box((counts, sums, extremes)) }

    private var parts: Parts {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }

    /// The number of rows, then how many rows fulfil each condition.
    var counts: [Int] {
        get { parts.counts }
        _modify { yield &parts.counts }
    }
    var sums: [Sum] {
        get { parts.sums }
        _modify { yield &parts.sums }
    }
    var extremes: [Extreme] {
        get { parts.extremes }
        _modify { yield &parts.extremes }
    }

    /// Whether this is a copy of another one, and neither was changed.
    func isIdentical(to other: GroupTotals) -> Bool { box === other.box }

    /// The least or the greatest of some values.
    struct Extreme {
        /// NULL for none.
        var value = RowValues.Part.null
        /// Whether it has been removed, so that another value may be the extreme now.
        var isRemoved = false
    }

    /// Replaces the values of a row by other ones: nil for a row that is added or removed. Most
    /// rows change few of the parts, or none.
    ///
    /// - Returns: Whether any part changed.
    @discardableResult
    mutating func change(from old: RowValues?, to new: RowValues?, _ parts: TotalParts) throws -> Bool {
        var isChanged = false
        func count(_ index: Int, _ change: Int) {
            if change == 0 { return }
            counts[index] += change
            isChanged = true
        }
        count(0, (new == nil ? 0 : 1) - (old == nil ? 0 : 1))
        for (index, argument) in parts.conditions.enumerated() {
            count(index + 1, (new?.isTrue(argument) ?? false ? 1 : 0) - (old?.isTrue(argument) ?? false ? 1 : 0))
        }
        func isSame(_ argument: Int) -> Bool {
            guard let old, let new else { return false }
            return old.isSame(argument, as: new, argument)
        }
        for (index, argument) in parts.sums.enumerated() where !isSame(argument) {
            if let old, try add(old, argument, to: index, removing: true, parts) { isChanged = true }
            if let new, try add(new, argument, to: index, removing: false, parts) { isChanged = true }
        }
        for (index, extreme) in parts.extremes.enumerated() where !isSame(extreme.argument) {
            if let old, try remove(old, extreme, from: index) { isChanged = true }
            if let new, try add(new, extreme, to: index) { isChanged = true }
        }
        return isChanged
    }

    private mutating func add(
        _ values: RowValues, _ argument: Int, to index: Int, removing: Bool, _ parts: TotalParts
    ) throws -> Bool {
        switch values.storageClass(argument) {
        case .null: return false
        case .integer: sums[index].add(values.integer(argument), removing: removing)
        case .real: sums[index].add(values.real(argument), removing: removing)
        case .text, .blob:
            switch try parts.number(values, argument) {
            case .integer(let integer): sums[index].add(integer, removing: removing)
            case .real(let real): sums[index].add(real, removing: removing)
            case .null, .text, .blob: return false
            }
        }
        return true
    }

    private mutating func remove(_ values: RowValues, _ part: TotalParts.ExtremePart, from index: Int) throws -> Bool {
        guard values.storageClass(part.argument) != .null, try part.order(values, extremes[index].value) == 0
        else { return false }
        extremes[index].isRemoved = true
        return true
    }

    private mutating func add(_ values: RowValues, _ part: TotalParts.ExtremePart, to index: Int) throws -> Bool {
        if values.storageClass(part.argument) == .null { return false }
        let order = try part.order(values, extremes[index].value)
        guard order < 0 || order == 0 && extremes[index].isRemoved else { return false }
        extremes[index] = Extreme(value: RowValues.Part(RowValues(values, columns: [part.argument]), 0))
        return true
    }
}

extension RowValues {
    fileprivate func isTrue(_ index: Int) -> Bool { integer(index) != 0 }
}

/// The parts of rows that the totals of a request need: the arguments' numbers among a row's
/// values.
final class TotalParts {
    /// One of the totals `min` and `max`.
    final class ExtremePart {
        let argument: Int
        let isGreatest: Bool
        let order: ValueOrder

        init(argument: Int, isGreatest: Bool, order: ValueOrder) {
            (self.argument, self.isGreatest, self.order) = (argument, isGreatest, order)
        }

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
    /// The totals of no rows.
    private(set) var none = GroupTotals(counts: [0], sums: [], extremes: [])
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
                let order = try ValueOrder(KeyComponent(collation: collation), connection)
                sources.append(.extreme(extremes.count))
                extremes.append(
                    ExtremePart(argument: number, isGreatest: total.function == .max, order: order))
            }
        }
        none = GroupTotals(
            counts: [Int](repeating: 0, count: conditions.count + 1), sums: [Sum](repeating: Sum(), count: sums.count),
            extremes: [GroupTotals.Extreme](repeating: GroupTotals.Extreme(), count: extremes.count))
    }

    private func sum(of argument: Int) -> Int {
        if let index = sums.firstIndex(of: argument) { return index }
        sums.append(argument)
        return sums.count - 1
    }

    /// The value that a total shows.
    func value(_ total: Int, of totals: GroupTotals) throws(StoreError) -> Value {
        switch sources[total] {
        case .count(let number): return .integer(Int64(totals.counts[number]))
        case .sum(let number):
            guard let sum = totals.sums[number].total else {
                throw StoreError(.sql, "integer overflow: the sum in column \(names[total]) exceeds 64 bits")
            }
            return sum
        case .average(let number): return totals.sums[number].average
        case .extreme(let number):
            let extreme = totals.extremes[number].value
            return extreme.rowValues.value(extreme.index)
        }
    }

    /// Whether a total shows the same for the reason that its parts are the same.
    func isSame(_ total: Int, _ a: GroupTotals, _ b: GroupTotals) -> Bool {
        switch sources[total] {
        case .count(let number): a.counts[number] == b.counts[number]
        case .sum(let number), .average(let number): a.sums[number].isSame(as: b.sums[number])
        case .extreme(let number):
            a.extremes[number].value.rowValues.isSame(
                a.extremes[number].value.index, as: b.extremes[number].value.rowValues,
                b.extremes[number].value.index)
        }
    }

    /// The values that the totals show.
    func values(_ totals: GroupTotals) throws(StoreError) -> RowValues {
        var parts: [RowValues.Part] = []
        parts.reserveCapacity(sources.count)
        for (index, source) in sources.enumerated() {
            if case .extreme(let number) = source {
                parts.append(totals.extremes[number].value)
            } else {
                parts.append(RowValues.Part(RowValues([try value(index, of: totals)]), 0))
            }
        }
        return RowValues(parts: parts)
    }

    fileprivate func number(_ values: RowValues, _ argument: Int) throws(StoreError) -> Value {
        try conversion.bind(values, argument, at: 1)
        defer { conversion.reset() }
        guard try conversion.step() else { return .null }
        return conversion.rowValues(from: 0, count: 1).value(0)
    }
}
