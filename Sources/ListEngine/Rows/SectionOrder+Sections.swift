internal import OrderedTree
internal import SQLiteKit

/// How sections of a list stand to each other.
extension SectionOrder {
    /// Whether `a` stands before `b`.
    func isBefore(_ a: List.Section, _ b: List.Section) throws -> Bool {
        guard let comparer else { return a.key.lexicographicallyPrecedes(b.key) }
        return try comparer.compare(a.value, 0, b.value, 0, component) < 0
    }

    func isSame(_ a: List.Section, _ b: List.Section) throws -> Bool {
        guard let comparer else { return a.key == b.key }
        return try comparer.compare(a.value, 0, b.value, 0, component) == 0
    }

    /// A section of another order with its key in this one.
    func recoded(_ section: List.Section) -> List.Section {
        var encoder = KeyEncoder()
        if section.value.count > 0 { encoder.append(section.value, 0, component) }
        return List.Section(value: section.value, key: encoder.copy())
    }

    /// Where a section stands or would stand in a list, and whether it is there.
    func find(_ section: List.Section, in list: List) throws -> (index: Int, isThere: Bool) {
        let index =
            isBytewise
            ? list.firstSection(from: section.key)
            : try list.rows.firstSection { try !isBefore(list.section($0), section) }
        return (index, try index < list.sectionCount && isSame(list.section(at: index), section))
    }
}
