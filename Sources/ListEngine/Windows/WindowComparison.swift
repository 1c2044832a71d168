internal import ChangeSets
internal import SQLiteKit

/// Compares what a window shows before and after a change.
struct WindowComparison {
    /// The value by which a section is recognised.
    enum SectionMark: Hashable {
        /// In a section map.
        case row(Int64)
        case key(SectionKey)
    }

    let old: WindowRows
    let new: WindowRows
    let evidence: WindowEvidence

    /// Whether the window hangs on another row, though it was not moved.
    var isAnchorReplaced: Bool {
        if case .none = evidence { return false }
        return old.anchorID != nil && old.anchorID != new.anchorID
    }

    /// The fewest changes. O(k) for k rows before and after.
    func changeSet() -> ChangeSet {
        let oldSections = Dictionary(old.runs.enumerated().map { (mark($1.section), $0) }) { first, _ in first }
        let newMarks = new.runs.map { mark($0.section) }
        return ChangeSet(rows: rows(oldSections, newMarks), sections: sections(oldSections, newMarks))
    }

    private func mark(_ section: List.Section) -> SectionMark {
        // A list that was read again may have other ids for the rows of its sections.
        if case .unknown = evidence { return .key(section.key) }
        return SectionMark(section)
    }

    private func sections(_ oldSections: [SectionMark: Int], _ newMarks: [SectionMark]) -> [SectionTransition] {
        var sections: [SectionTransition] = []
        var remaining = oldSections
        for (index, mark) in newMarks.enumerated() {
            let oldIndex = remaining.removeValue(forKey: mark)
            let (isReordered, columns) = evidence.change(ofSection: mark)
            if oldIndex != nil, !isReordered, columns.isEmpty { continue }
            sections.append(
                SectionTransition(
                    id: Int32(clamping: oldIndex ?? old.runs.count + index), oldIndex: oldIndex, newIndex: index,
                    isReordered: isReordered, changedColumns: oldIndex == nil ? [] : columns))
        }
        for index in remaining.values {
            sections.append(SectionTransition(id: Int32(clamping: index), oldIndex: index, newIndex: nil))
        }
        return sections
    }

    private func rows(_ oldSections: [SectionMark: Int], _ newMarks: [SectionMark]) -> [RowTransition] {
        var rows: [RowTransition] = []
        var left = [Bool](repeating: true, count: old.ids.count)
        let places = oldPlaces()
        for section in new.runs.indices {
            let id = oldSections[newMarks[section]] ?? old.runs.count + section
            for (row, index) in new.rows(ofSection: section).enumerated() {
                let oldPath = places[index].map { old.path(of: $0) }
                if let place = places[index] { left[place] = false }
                let (isReordered, columns) = evidence.change(ofRow: new.ids[index])
                if oldPath?.section == id, !isReordered, columns.isEmpty { continue }
                rows.append(
                    RowTransition(
                        id: new.ids[index], oldSection: Int32(clamping: oldPath?.section ?? -1), oldPath: oldPath,
                        newSection: Int32(clamping: id), newPath: ListIndexPath(section: section, row: row),
                        isReordered: isReordered, changedColumns: oldPath == nil ? [] : columns))
            }
        }
        for index in left.indices where left[index] {
            let path = old.path(of: index)
            rows.append(
                RowTransition(
                    id: old.ids[index], oldSection: Int32(clamping: path.section), oldPath: path, newPath: nil))
        }
        return rows
    }

    /// The number that each row of the new window has in the old one.
    private func oldPlaces() -> [Int?] {
        if let few = evidence.fewRecords { return oldPlaces(besides: few) }
        let places = Dictionary(old.ids.enumerated().map { ($1, $0) }) { first, _ in first }
        return new.ids.map { places[$0] }
    }

    /// The same if few rows have records. The rows without one have kept their order, so that the
    /// old and the new window are parts of one sequence: the first row of one window says where the
    /// other window begins.
    private func oldPlaces(besides records: [ObjectChange]) -> [Int?] {
        func stay(_ ids: [Int64]) -> [Int] {
            ids.indices.filter { index in !records.contains { $0.id == ids[index] && $0.type != .update } }
        }
        var places = [Int?](repeating: nil, count: new.ids.count)
        for record in records where record.type == .move {
            if let place = new.ids.firstIndex(of: record.id) { places[place] = old.ids.firstIndex(of: record.id) }
        }
        let (oldStay, newStay) = (stay(old.ids), stay(new.ids))
        guard let first = oldStay.first, let newFirst = newStay.first else { return places }
        if let start = newStay.firstIndex(where: { new.ids[$0] == old.ids[first] }) {
            for (place, index) in zip(newStay[start...], oldStay) { places[place] = index }
        } else if let start = oldStay.firstIndex(where: { old.ids[$0] == new.ids[newFirst] }) {
            for (place, index) in zip(newStay, oldStay[start...]) { places[place] = index }
        }
        return places
    }
}

extension WindowComparison.SectionMark {
    init(_ section: List.Section) { self = section.row.map { .row($0) } ?? .key(section.key) }
}

/// The evidence of what changed in the rows that a window shows before and after.
enum WindowEvidence {
    /// Nothing: the window moved, or shows more or fewer rows.
    case none
    /// The records of the list, by the rows and sections that they are about. The `few` are all
    /// records, if these are few and no section moved: without a hash, few are searched faster.
    case records(
        few: [ObjectChange]?, rows: [Int64: ObjectChange], sections: [WindowComparison.SectionMark: SectionChange])
    /// The list was read again, so that nothing is known.
    case unknown

    /// All records, if they are few and rows without any have kept their order.
    fileprivate var fewRecords: [ObjectChange]? {
        switch self {
        case .none: []
        case .records(let few, _, _): few
        case .unknown: nil
        }
    }

    fileprivate func change(ofRow id: Int64) -> (isReordered: Bool, columns: ColumnSet) {
        switch self {
        case .none: return (false, [])
        case .records(let few, let rows, _):
            let record = few.map { $0.first { $0.id == id } } ?? rows[id]
            return record.map { ($0.type == .move, $0.changedColumns) } ?? (false, [])
        case .unknown: return (true, .unknown)
        }
    }

    fileprivate func change(ofSection mark: WindowComparison.SectionMark) -> (isReordered: Bool, columns: ColumnSet) {
        switch self {
        case .none: (false, [])
        case .records(_, _, let sections): sections[mark].map { ($0.type == .move, $0.changedColumns) } ?? (false, [])
        case .unknown: (true, [])
        }
    }
}
