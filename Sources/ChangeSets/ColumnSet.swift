/// A set of column numbers, zero-based: which columns of an object changed.
///
/// The first 64 columns need no allocation; there is no upper limit. A set may be *unknown*: some
/// columns changed, but it was not recorded which. An unknown set contains every column, because
/// any of them may have changed.
public struct ColumnSet: Hashable, Sendable {
    private var low: UInt64
    /// Columns from 64 on, 64 per word. The last word is never zero, so that equal sets have equal
    /// words. `nil`: no such column. Empty: the set is unknown, and `low` is all ones; the empty
    /// array is shared and needs no allocation either.
    private var high: [UInt64]?

    /// The empty set: no column changed.
    public init() {
        low = 0
        high = nil
    }

    /// The set of the given columns. Negative numbers are not columns and are ignored.
    public init(_ columns: some Sequence<Int>) {
        self.init()
        for column in columns { insert(column) }
    }

    /// The columns 0 to 63 whose bits are set.
    public init(lowBits: UInt64) {
        low = lowBits
        high = nil
    }

    private init(low: UInt64, high: [UInt64]?) {
        self.low = low
        self.high = high
    }

    /// The unknown set: some columns changed.
    public static let unknown = ColumnSet(low: .max, high: [])

    /// Whether the set is unknown: it was not recorded which columns changed.
    public var isUnknown: Bool {
        guard let high else { return false }
        return high.isEmpty
    }

    /// Whether no column changed. An unknown set is not empty.
    public var isEmpty: Bool { low == 0 && high == nil }

    /// The columns as bits; bit 63 stands for column 63 and all later ones. All ones if unknown.
    public var lowMask: UInt64 { high == nil ? low : low | 1 << 63 }

    /// The columns in ascending order, or `nil` if unknown.
    public var columns: [Int]? {
        guard !isUnknown else { return nil }
        var result: [Int] = []
        for (place, word) in ([low] + (high ?? [])).enumerated() {
            var rest = word
            while rest != 0 {
                result.append(place * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }

    /// Whether a column is in the set. An unknown set contains every column; no set contains a
    /// negative number. O(1).
    public func contains(_ column: Int) -> Bool {
        guard column >= 0 else { return false }
        if column < 64 { return low >> UInt64(column) & 1 == 1 }
        guard let high else { return false }
        if high.isEmpty { return true }
        let place = column / 64 - 1
        return place < high.count && high[place] >> UInt64(column % 64) & 1 == 1
    }

    /// Adds a column. An unknown set stays unknown; a negative number is ignored.
    public mutating func insert(_ column: Int) {
        guard column >= 0, !isUnknown else { return }
        if column < 64 {
            low |= 1 << UInt64(column)
            return
        }
        let place = column / 64 - 1
        var words = high ?? []
        if place >= words.count { words.append(contentsOf: repeatElement(0, count: place + 1 - words.count)) }
        words[place] |= 1 << UInt64(column % 64)
        high = words
    }

    /// Adds all columns of another set. The result is unknown if either set is.
    public mutating func formUnion(_ other: ColumnSet) {
        guard !isUnknown else { return }
        guard let otherHigh = other.high else {
            low |= other.low
            return
        }
        guard let ownHigh = high, !otherHigh.isEmpty else {
            self = ColumnSet(low: low | other.low, high: otherHigh)
            return
        }
        let longer = ownHigh.count >= otherHigh.count ? ownHigh : otherHigh
        let shorter = ownHigh.count >= otherHigh.count ? otherHigh : ownHigh
        var words = longer
        for place in shorter.indices { words[place] |= shorter[place] }
        self = ColumnSet(low: low | other.low, high: words)
    }

    /// The columns of both sets. The result is unknown if either set is.
    public func union(_ other: ColumnSet) -> ColumnSet {
        var result = self
        result.formUnion(other)
        return result
    }
}

extension ColumnSet: ExpressibleByArrayLiteral {
    /// The set of the listed columns. Negative numbers are ignored.
    public init(arrayLiteral elements: Int...) { self.init(elements) }
}

extension ColumnSet: CustomStringConvertible {
    /// The column numbers as an array, for a log; "unknown" for an unknown set.
    public var description: String { columns.map { "\($0)" } ?? "unknown" }
}
