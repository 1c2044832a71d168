/// Values by row id, in the order in which they were added as long as none is removed.
struct RowDictionary<Value>: Sequence {
    typealias Element = (id: Int64, value: Value)

    // Two arrays, because Swift destroys one of pairs far more slowly.
    private var rows = RowNumbers()
    private(set) var values: [Value] = []

    var ids: [Int64] { rows.ids }
    var count: Int { rows.count }

    init() {}

    /// A table of the same rows with other values, in the same order. The two share the memory of
    /// the ids.
    ///
    /// - Parameter transform: Makes the other value of a row; may take parts of its value.
    mutating func mapValues<Other>(_ transform: (inout Value) -> Other) -> RowDictionary<Other> {
        var other = RowDictionary<Other>()
        other.rows = rows
        other.values.reserveCapacity(count)
        for index in values.indices { other.values.append(transform(&values[index])) }
        return other
    }

    func makeIterator() -> some IteratorProtocol<Element> {
        zip(ids, values).lazy.map { ($0, $1) }.makeIterator()
    }

    func index(of id: Int64) -> Int? { rows.number(of: id) }

    subscript(id: Int64) -> Value? { index(of: id).map { values[$0] } }

    func id(at index: Int) -> Int64 { rows.ids[index] }

    /// The value at a place that `index(of:)` or `add` returned.
    subscript(at index: Int) -> Value {
        get { values[index] }
        _modify { yield &values[index] }
    }

    /// Makes space for so many more rows.
    mutating func reserve(_ more: Int) {
        rows.reserve(more)
        values.reserveCapacity(count + more)
    }

    /// Adds a value for an id that has none.
    @discardableResult
    mutating func add(_ id: Int64, _ value: consuming Value) -> Int {
        rows.add(id)
        values.append(value)
        return count - 1
    }

    /// Sets the value of an id, whether it has one or not.
    mutating func set(_ id: Int64, _ value: consuming Value) {
        if let index = index(of: id) { values[index] = value } else { add(id, value) }
    }

    /// Removes an id; the one that was added last takes its place.
    @discardableResult
    mutating func remove(_ id: Int64) -> Value? {
        guard let index = rows.remove(id) else { return nil }
        values.swapAt(index, values.count - 1)
        return values.removeLast()
    }

    /// Removes all ids, but retains the memory for as many again.
    mutating func removeAll() {
        rows.removeAll()
        values.removeAll(keepingCapacity: true)
    }
}
