/// A number with its noun: "1 row", "2 rows".
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

extension StoreError {
    /// An index that names nothing, and how many there are to name.
    package static func outOfRange(_ what: String, count: Int) -> StoreError {
        StoreError(.range, "\(what) is out of range: there \(count == 1 ? "is" : "are") \(count)")
    }
}
