package import SQLiteKit

/// The totals that several lists have in common: those with the same name and function, and the
/// same collation for an extreme.
///
/// They are made of what the totals of each list are made of, not of the values that these show. So
/// a sum of several lists is as exact as a sum of one.
package struct CommonTotals {
    private enum CommonTotal {
        case count(Int)
        case sum(Sum)
        case average(Sum)
        case extreme(GroupTotals.Extreme, TotalParts.ExtremePart)

        func isLike(_ other: CommonTotal) -> Bool {
            switch (self, other) {
            case (.count, .count), (.sum, .sum), (.average, .average): true
            case (.extreme(_, let a), .extreme(_, let b)):
                a.isGreatest == b.isGreatest && a.order.component == b.order.component
            default: false
            }
        }
    }

    private var totals: [(name: String, part: CommonTotal)]

    init(_ parts: TotalParts, _ totals: GroupTotals) {
        self.totals = zip(parts.names, parts.sources).map { name, source in
            switch source {
            case .count(let index): (name, .count(totals.counts[index]))
            case .sum(let index): (name, .sum(totals.sums[index]))
            case .average(let index): (name, .average(totals.sums[index]))
            case .extreme(let index): (name, .extreme(totals.extremes[index], parts.extremes[index]))
            }
        }
    }

    /// No totals.
    package init() { totals = [] }

    package var names: [String] { totals.map(\.name) }

    package var isEmpty: Bool { totals.isEmpty }

    /// The same total of another list; nil if it has none.
    private func part(like total: (name: String, part: CommonTotal)) -> CommonTotal? {
        totals.first { ExactText($0.name) == ExactText(total.name) && $0.part.isLike(total.part) }?.part
    }

    /// Retains the totals that the rows of another list have, too, and adds its rows to them.
    package mutating func join(_ other: CommonTotals) throws {
        totals = try totals.compactMap { total in
            try other.part(like: total).map { (total.name, try Self.sum(total.part, $0, removing: false)) }
        }
    }

    /// Exchanges the rows of one of the lists.
    ///
    /// - Returns: Whether the result is known. Otherwise all lists have to be joined again: the
    ///   list has other totals now, or it had the least or greatest value.
    package mutating func exchange(_ old: CommonTotals, _ new: CommonTotals) throws -> Bool {
        guard old.totals.count == new.totals.count, old.totals.allSatisfy({ new.part(like: $0) != nil }) else {
            return false
        }
        for index in totals.indices {
            guard let former = old.part(like: totals[index]), let next = new.part(like: totals[index]) else {
                return false
            }
            let rest = try Self.sum(totals[index].part, former, removing: true)
            totals[index].part = try Self.sum(rest, next, removing: false)
            if case .extreme(let extreme, _) = totals[index].part, extreme.isRemoved { return false }
        }
        return true
    }

    /// - Parameter removing: Whether the second one is subtracted.
    private static func sum(_ a: CommonTotal, _ b: CommonTotal, removing: Bool) throws -> CommonTotal {
        switch (a, b) {
        case (.count(let a), .count(let b)): return .count(removing ? a - b : a + b)
        case (.sum(var a), .sum(let b)):
            a.add(b, removing: removing)
            return .sum(a)
        case (.average(var a), .average(let b)):
            a.add(b, removing: removing)
            return .average(a)
        case (.extreme(var a, let part), .extreme(let b, _)):
            try a.add(b, removing: removing, part)
            return .extreme(a, part)
        default: return a
        }
    }

    /// The values of the totals. A sum of integers that exceeds 64 bits is the nearest floating
    /// point number.
    package var values: RowValues {
        RowValues(
            parts: totals.map { total in
                let value: Value
                switch total.part {
                case .count(let count): value = .integer(Int64(count))
                case .sum(let sum): value = sum.roundedTotal
                case .average(let sum): value = sum.average
                case .extreme(let extreme, _): return extreme.value
                }
                return RowValues.Part(RowValues([value]), 0)
            })
    }

    /// The totals as an object without entity and identity.
    package var object: FetchedObject {
        FetchedObject(key: RowValues([]), content: values, layout: ObjectLayout(entity: "", columns: names))
    }

    /// The totals whose values differ from earlier ones.
    package func changes(from old: CommonTotals) -> [TotalChange] {
        if isEmpty || old.isEmpty { return [] }
        let (new, names) = (values, old.names.map(ExactText.init))
        let former = old.values
        return totals.enumerated().compactMap { index, total in
            guard let place = names.firstIndex(of: ExactText(total.name)), old.totals[place].part.isLike(total.part),
                !former.isSame(place, as: new, index)
            else { return nil }
            return TotalChange(
                name: total.name, oldSection: nil, newSection: nil, oldValue: former.value(place),
                newValue: new.value(index))
        }
    }
}

extension TotalParts.ExtremePart {
    /// Negative if the first value is more extreme than the second one; 0 if both are equal.
    fileprivate func compare(_ a: RowValues.Part, _ b: RowValues.Part) throws -> Int {
        let (first, second) = isGreatest ? (b, a) : (a, b)
        return try order.compare(first.rowValues, first.index, second.rowValues, second.index)
    }
}

extension GroupTotals.Extreme {
    private var isNone: Bool { value.rowValues.storageClass(value.index) == .null }

    /// Takes the extreme of other values into account, or notes that it has been removed.
    fileprivate mutating func add(_ other: Self, removing: Bool, _ part: TotalParts.ExtremePart) throws {
        guard !other.isNone else { return }
        let order = isNone ? -1 : try part.compare(other.value, value)
        if removing {
            if order == 0 { isRemoved = true }
        } else if order < 0 || order == 0 && isRemoved {
            self = other
        }
    }
}
