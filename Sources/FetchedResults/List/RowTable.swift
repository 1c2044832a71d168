/// Values by row id, in the order in which they were added. A few are found by looking at each, without hashing: most
/// transactions touch a row or two.
struct RowTable<Value> {
    private(set) var ids: [Int64] = []
    private(set) var values: [Value] = []
    private var indexes: [Int64: Int] = [:]

    private static var unindexedLimit: Int { 8 }

    var count: Int { ids.count }

    func index(of id: Int64) -> Int? { ids.count <= Self.unindexedLimit ? ids.firstIndex(of: id) : indexes[id] }

    subscript(id: Int64) -> Value? { index(of: id).map { values[$0] } }

    /// The value at a place that `index(of:)` or `add` answered.
    subscript(at index: Int) -> Value {
        get { values[index] }
        _modify { yield &values[index] }
    }

    /// Adds a value for an id that has none.
    @discardableResult
    mutating func add(_ id: Int64, _ value: Value) -> Int {
        ids.append(id)
        values.append(value)
        if ids.count == Self.unindexedLimit + 1 {
            for (index, id) in ids.enumerated() { indexes[id] = index }
        } else if ids.count > Self.unindexedLimit {
            indexes[id] = ids.count - 1
        }
        return ids.count - 1
    }
}
