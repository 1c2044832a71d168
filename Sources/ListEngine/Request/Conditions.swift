package import SQLiteKit

/// A column whose values bytes represent: equal values have equal bytes, and the bytes compare as
/// the values do.
package struct ConditionColumn: Equatable {
    /// The number of the column in the table.
    package let number: Int
    package let component: KeyComponent

    /// The value of the column in a row, as bytes.
    package func key(_ values: RowValues) -> [UInt8] { RowValues.Part(values, number).encoded(component) }
}

/// The requirement of a predicate for one column, before its parameters have values.
struct Condition {
    let column: ConditionColumn
    let affinity: Affinity
    let test: PredicateTerms.ColumnTest

    /// The conditions of a predicate: only conditions that bytes can determine as SQLite does, and
    /// that concern columns of the table itself.
    static func all(of predicate: String, _ entity: Entity) -> [Condition] {
        if entity.isView { return [] }
        return PredicateTerms(predicate).terms.compactMap { name, test in
            guard let number = entity.columnIndex(name), entity.columns[number].collation.isBytewise else { return nil }
            let column = entity.columns[number]
            return Condition(
                column: ConditionColumn(number: number, component: KeyComponent(collation: column.collation)),
                affinity: column.affinity, test: test)
        }
    }
}

/// The requirements of a predicate for single columns.
package struct BoundConditions {
    /// A column that must have one of some values.
    package struct RequiredValues {
        package let column: ConditionColumn
        /// The values as bytes, in order.
        package let keys: [[UInt8]]

        init(_ column: ConditionColumn, _ keys: [[UInt8]]) {
            self.column = column
            self.keys = keys.count == 1 ? keys : keys.sorted { $0.lexicographicallyPrecedes($1) }
        }

        func contains(_ key: [UInt8]) -> Bool {
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
            }
            return low < keys.count && keys[low] == key
        }
    }

    package private(set) var values: [RequiredValues] = []
    /// The columns whose value must be in a range; one range for a column.
    package private(set) var ranges: [(column: ConditionColumn, range: KeyRange)] = []

    /// - Parameter parameters: The values of the predicate's parameters, by number.
    init(_ conditions: [Condition], _ parameters: [Value]) {
        func value(_ parameter: Int) -> Value? {
            parameters.indices.contains(parameter - 1) ? parameters[parameter - 1] : nil
        }
        for condition in conditions {
            switch condition.test {
            case .values(let operands):
                let operands = operands.map(value)
                // A comparison with NULL is never true.
                let others = operands.filter { if case .null? = $0 { false } else { true } }
                let keys = others.compactMap { $0.flatMap { Self.key($0, condition) } }
                if keys.count == others.count, !keys.isEmpty {
                    values.append(RequiredValues(condition.column, keys))
                }
            case .lower(let parameter, let isIncluded):
                if let key = value(parameter).flatMap({ Self.key($0, condition) }) {
                    add(KeyRange(lower: (key, isIncluded)), condition.column)
                }
            case .upper(let parameter, let isIncluded):
                if let key = value(parameter).flatMap({ Self.key($0, condition) }) {
                    add(KeyRange(upper: (key, isIncluded)), condition.column)
                }
            }
        }
    }

    private mutating func add(_ range: KeyRange, _ column: ConditionColumn) {
        if let index = ranges.firstIndex(where: { $0.column == column }) {
            ranges[index].range.formIntersection(range)
        } else {
            ranges.append((column, range))
        }
    }

    /// A value as bytes; nil if the column converts it, or its own values, before they are
    /// compared (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
    private static func key(_ value: Value, _ condition: Condition) -> [UInt8]? {
        let isComparedAsItIs =
            switch value {
            case .null: false
            case .blob: true
            case .text: !condition.affinity.isNumeric
            case .integer, .real: condition.affinity != .text
            }
        return isComparedAsItIs ? RowValues.Part(RowValues([value]), 0).encoded(condition.column.component) : nil
    }

    package var isEmpty: Bool { values.isEmpty && ranges.isEmpty }

    /// Whether a row satisfies all conditions.
    package func areSatisfied(by row: RowValues) -> Bool {
        values.allSatisfy { $0.contains($0.column.key(row)) }
            && ranges.allSatisfy { $0.range.contains($0.column.key(row)) }
    }
}

/// A range of values, as bytes.
package struct KeyRange {
    package typealias Bound = (key: [UInt8], isIncluded: Bool)

    /// nil if there is no bound.
    package private(set) var lower: Bound?
    package private(set) var upper: Bound?

    init(lower: Bound) { self.lower = lower }
    init(upper: Bound) { self.upper = upper }

    /// Whether a value is less than the lower bound.
    package func begins(after key: [UInt8]) -> Bool {
        lower.map { key.lexicographicallyPrecedes($0.key) } ?? false
    }

    /// Whether a value is not behind the range.
    package func reaches(up key: [UInt8]) -> Bool {
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper.key) || upper.isIncluded && upper.key == key
    }

    /// Whether the upper bound is greater than another range's.
    package func reachesFarther(than other: KeyRange) -> Bool {
        guard let bound = other.upper else { return false }
        return upper.map { Self.isBefore(bound, $0, isUpper: true) } ?? true
    }

    package func contains(_ key: [UInt8]) -> Bool {
        guard !begins(after: key), reaches(up: key) else { return false }
        return lower.map { $0.isIncluded || $0.key != key } ?? true
    }

    mutating func formIntersection(_ other: KeyRange) {
        if let bound = other.lower, lower.map({ Self.isBefore($0, bound) }) ?? true { lower = bound }
        if let bound = other.upper, upper.map({ Self.isBefore(bound, $0, isUpper: true) }) ?? true { upper = bound }
    }

    /// Whether the first of two bounds of the same side is farther left.
    private static func isBefore(_ first: Bound, _ second: Bound, isUpper: Bool = false) -> Bool {
        if first.key != second.key { return first.key.lexicographicallyPrecedes(second.key) }
        return isUpper ? second.isIncluded && !first.isIncluded : first.isIncluded && !second.isIncluded
    }
}
