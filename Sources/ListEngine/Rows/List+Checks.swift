package import ChangeSets
package import OrderedTree
internal import SQLiteKit

/// What a program asks for by number, which may be out of range.
extension List {
    package func checkedSection(_ index: Int) throws -> SectionID {
        guard index >= 0, index < sectionCount else {
            throw StoreError(.range, "section \(index) is out of range: there are \(sectionCount)")
        }
        return rows.section(at: index)
    }

    /// The id of the row at an index path. O(log n).
    package func checkedRow(_ path: ListIndexPath) throws -> Int64 {
        let section = try checkedSection(path.section)
        let count = rows.rowCount(in: section)
        guard path.row >= 0, path.row < count else {
            throw StoreError(.range, "row \(path.row) of section \(path.section) is out of range: there are \(count)")
        }
        return rows.row(section: section, at: path.row)
    }
}
