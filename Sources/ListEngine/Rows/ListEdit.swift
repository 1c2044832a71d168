internal import OrderedTree

/// Edits of a list, noted so that they can be undone and applied again by position alone.
struct ListEdit {
    private enum Operation {
        case insertRow(section: Int, row: Int, DetachedRow?)
        case removeRow(section: Int, row: Int, DetachedRow)
        case insertSection(Int, List.Section)
        case removeSection(Int, List.Section)
        case moveSection(from: Int, to: Int)
        case setSection(Int, old: List.Section, new: List.Section)
        case skip(Int64)
        case unskip(Int64)
        case setTotals(old: GroupTotals?, new: GroupTotals?)
    }

    let list: List
    private var operations: [Operation] = []

    init(_ list: List) { self.list = list }

    /// Makes space for the edits of so many rows.
    mutating func reserve(_ rowCount: Int) { operations.reserveCapacity(2 * rowCount) }

    /// - Parameter index: The index of the row's section, if it is known.
    mutating func removeRow(_ id: Int64, sectionIndex index: Int? = nil) {
        guard let (section, offset, row) = list.rows.remove(id: id) else { return }
        operations.append(.removeRow(section: index ?? list.rows.index(of: section), row: offset, row))
    }

    /// Notes a row that was inserted into the list.
    mutating func noteInsertion(section: SectionID, row: Int) {
        operations.append(.insertRow(section: list.rows.index(of: section), row: row, nil))
    }

    mutating func insertSection(_ section: List.Section, at index: Int) -> SectionID {
        operations.append(.insertSection(index, section))
        return list.insertSection(section, at: index)
    }

    mutating func removeSection(_ id: SectionID) {
        let index = list.rows.index(of: id)
        operations.append(.removeSection(index, list.section(id)))
        list.removeSection(at: index)
    }

    /// - Parameter from: Where it is, if that is known.
    mutating func moveSection(_ id: SectionID, from: Int? = nil, to index: Int) {
        operations.append(.moveSection(from: from ?? list.rows.index(of: id), to: index))
        list.rows.moveSection(id, to: index)
    }

    /// Notes the new description of a section.
    mutating func setSection(_ id: SectionID, _ section: List.Section) {
        operations.append(.setSection(list.rows.index(of: id), old: list.section(id), new: section))
        list.setSection(id, section)
    }

    /// Notes that a row is one of the rows that an offset leaves out.
    mutating func skip(_ id: Int64) {
        operations.append(.skip(id))
        list.skipped?.insert(id)
    }

    /// Notes that a row is not one of them any more.
    mutating func unskip(_ id: Int64) {
        operations.append(.unskip(id))
        list.skipped?.remove(id)
    }

    /// Notes the new totals of all rows.
    mutating func setTotals(_ totals: GroupTotals?) {
        operations.append(.setTotals(old: list.totals, new: totals))
        list.totals = totals
    }

    var isEmpty: Bool { operations.isEmpty }

    /// Undoes all edits.
    mutating func revert() throws {
        for index in operations.indices.reversed() {
            switch operations[index] {
            case .insertRow(let section, let row, _):
                let detached = list.rows.remove(section: list.rows.section(at: section), at: row)
                operations[index] = .insertRow(section: section, row: row, detached)
            case .removeRow(let section, let row, let detached):
                try list.rows.insert(detached, in: list.rows.section(at: section), at: row)
            case .insertSection(let section, _):
                operations[index] = .insertSection(section, list.section(at: section))
                list.removeSection(at: section)
            case .removeSection(let section, let info): list.insertSection(info, at: section)
            case .moveSection(let from, let to): list.rows.moveSection(list.rows.section(at: to), to: from)
            case .setSection(let section, let old, _): list.setSection(list.rows.section(at: section), old)
            case .skip(let id): list.skipped?.remove(id)
            case .unskip(let id): list.skipped?.insert(id)
            case .setTotals(let old, _): list.totals = old
            }
        }
    }

    /// Applies all edits again after `revert`.
    func reapply() throws {
        for operation in operations {
            switch operation {
            case .insertRow(let section, let row, let detached):
                if let detached { try list.rows.insert(detached, in: list.rows.section(at: section), at: row) }
            case .removeRow(let section, let row, _): list.rows.remove(section: list.rows.section(at: section), at: row)
            case .insertSection(let index, let section): list.insertSection(section, at: index)
            case .removeSection(let index, _): list.removeSection(at: index)
            case .moveSection(let from, let to): list.rows.moveSection(list.rows.section(at: from), to: to)
            case .setSection(let section, _, let new): list.setSection(list.rows.section(at: section), new)
            case .skip(let id): list.skipped?.insert(id)
            case .unskip(let id): list.skipped?.remove(id)
            case .setTotals(_, let new): list.totals = new
            }
        }
    }
}
