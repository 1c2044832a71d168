/// Removing many elements from an array, or inserting many, in one pass.
extension Array {
    /// The array without the elements at `positions`, which ascend, and these elements. Positions
    /// that are repeated or out of range yield no element, so that fewer elements are returned than
    /// positions were passed.
    func taking(_ positions: [Int]) -> (rest: [Element], taken: [Element]) {
        var rest: [Element] = []
        var taken: [Element] = []
        rest.reserveCapacity(Swift.max(0, count - positions.count))
        for (position, element) in enumerated() {
            if taken.count < positions.count, positions[taken.count] == position {
                taken.append(element)
            } else {
                rest.append(element)
            }
        }
        return (rest, taken)
    }

    /// The array with `elements` inserted so that their final positions are `positions`, which
    /// ascend; `nil` if positions are repeated or leave a gap.
    func putting(_ elements: [Element], at positions: [Int]) -> [Element]? {
        var result: [Element] = []
        result.reserveCapacity(count + elements.count)
        var next = startIndex
        for (element, position) in zip(elements, positions) {
            while result.count < position, next < endIndex {
                result.append(self[next])
                next += 1
            }
            guard result.count == position else { return nil }
            result.append(element)
        }
        result.append(contentsOf: self[next...])
        return result
    }

    /// The array, split where the section changes.
    func runs(bySection section: (Element) -> Int) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for position in indices.dropFirst() where section(self[position]) != section(self[start]) {
            runs.append(self[start..<position])
            start = position
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }

    /// Whether a list of lists has a row at the path.
    func contains<Section, Row>(_ path: ListIndexPath) -> Bool where Element == ReplayedSection<Section, Row> {
        indices.contains(path.section) && self[path.section].rows.indices.contains(path.row)
    }
}
