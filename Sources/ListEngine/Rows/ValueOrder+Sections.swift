internal import OrderedTree
internal import SQLiteKit

/// The order of a list's sections.
extension ValueOrder {
    /// Whether `a` precedes `b`.
    func isBefore(_ a: List.Section, _ b: List.Section) throws -> Bool {
        isBytewise ? a.key.precedes(b.key) : try compare(a.value, 0, b.value, 0) < 0
    }

    func isSame(_ a: List.Section, _ b: List.Section) throws -> Bool {
        isBytewise ? a.key == b.key : try compare(a.value, 0, b.value, 0) == 0
    }

    /// A section of another order with its key in this one.
    func recoded(_ section: List.Section) -> List.Section {
        List.Section(
            value: section.value, key: section.value.count > 0 ? SectionKey(section.value, component) : .empty)
    }

    /// The place that a section has or would have in a list, and whether the list contains it.
    func find(_ section: List.Section, in list: List) throws -> (index: Int, isThere: Bool) {
        let index =
            isBytewise
            ? unsafe section.key.withUnsafeBytes { unsafe list.firstSection(from: $0) }
            : try list.rows.firstSection { try !isBefore(list.section($0), section) }
        return (index, try index < list.sectionCount && isSame(list.section(at: index), section))
    }
}
