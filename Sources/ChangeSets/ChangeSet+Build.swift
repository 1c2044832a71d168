extension ChangeSet {
    /// The change set of the touched rows and sections, with the fewest moves.
    ///
    /// - Parameters:
    ///   - rows: every row that was inserted or deleted, or whose section, sort key or content
    ///     changed, once each, in any order; including each row of an inserted or deleted section.
    ///   - sections: every section that was inserted or deleted, or whose place-determining values
    ///     or content changed, once each, in any order.
    ///
    /// A row without new path is a delete, one without old path an insert, one that changes section
    /// a move. A row that is not reordered is a fixed point: an update if its content changed. Of
    /// the other rows, and of the sections likewise, as few as possible are moves; the rest are
    /// updates if their content changed. A pure function, deterministic; O(k log k) in the number
    /// of touched items, whatever the length of the list.
    package init(rows: [RowTransition], sections: [SectionTransition] = []) {
        self.init(sectionChanges: Self.records(of: sections), objectChanges: Self.records(of: rows))
    }

    private static func records(of rows: [RowTransition]) -> ObjectChanges {
        if rows.count <= 1 {
            guard let row = rows.first, let type = Placement.type(ofOnly: row) else { return [] }
            return ObjectChanges(only: record(of: row, type))
        }
        var records = ObjectChanges.Builder()
        Placement(rows).forEachRecord { records.append(record(of: rows[$0], $1)) }
        return records.finish()
    }

    private static func records(of sections: [SectionTransition]) -> [SectionChange] {
        if sections.count <= 1 {
            return sections.compactMap { item in Placement.type(ofOnly: item).map { record(of: item, $0) } }
        }
        let placement = Placement(sections)
        var records: [SectionChange] = []
        records.reserveCapacity(placement.recordCount)
        placement.forEachRecord { records.append(record(of: sections[$0], $1)) }
        return records
    }

    private static func record(of row: RowTransition, _ type: ChangeType) -> ObjectChange {
        switch type {
        case .delete: return .delete(row.id, at: row.old)
        case .insert: return .insert(row.id, at: row.new)
        case .move: return .move(row.id, from: row.old, to: row.new, changedColumns: row.changedColumns)
        case .update: return .update(row.id, from: row.old, to: row.new, changedColumns: row.changedColumns)
        }
    }

    private static func record(of section: SectionTransition, _ type: ChangeType) -> SectionChange {
        let (old, new) = (Int(section.old), Int(section.new))
        return switch type {
        case .delete: .delete(at: old)
        case .insert: .insert(at: new)
        case .move: .move(from: old, to: new, changedColumns: section.changedColumns)
        case .update: .update(from: old, to: new, changedColumns: section.changedColumns)
        }
    }
}
