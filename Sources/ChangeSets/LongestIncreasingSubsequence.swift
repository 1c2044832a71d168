/// The positions, ascending, of a longest strictly increasing subsequence of `values`. The same for the same input.
///
/// Patience sorting: `tails[n]` is the position of the smallest value that ends an increasing subsequence of length n +
/// 1 found so far. A value goes where the first tail not below it is, and remembers the tail before it; following these
/// links back from the last tail yields the subsequence. O(k log k), and O(k) where the values increase already.
package func longestIncreasingSubsequence(of values: [UInt64]) -> [Int] {
    guard values.count > 1 else { return Array(values.indices) }
    var tails: [Int] = []
    tails.reserveCapacity(values.count)
    var previous = [Int32](repeating: -1, count: values.count)
    for place in values.indices {
        let value = values[place]
        let length: Int
        if let last = tails.last, values[last] >= value {
            length = partitionPoint(of: tails.count) { values[tails[$0]] < value }
            tails[length] = place
        } else {
            length = tails.count
            tails.append(place)
        }
        if length > 0 { previous[place] = Int32(truncatingIfNeeded: tails[length - 1]) }
    }
    guard var place = tails.last else { return [] }
    for length in tails.indices.reversed() {
        tails[length] = place
        place = Int(previous[place])
    }
    return tails
}
