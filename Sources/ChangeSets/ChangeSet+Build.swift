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

    private static func records(of rows: [RowTransition]) -> [ObjectChange] {
        guard !rows.isEmpty else { return [] }
        let placement = Placement(rows)
        var records: [ObjectChange] = []
        records.reserveCapacity(placement.recordCount)
        placement.forEachRecord { item, verdict in
            let row = rows[item]
            switch verdict {
            case .nothing: break
            case .delete: records.append(.delete(row.id, at: row.old))
            case .insert: records.append(.insert(row.id, at: row.new))
            case .move:
                let columns = row.isContentKnown ? row.changedColumns : .unknown
                records.append(.move(row.id, from: row.old, to: row.new, changedColumns: columns))
            case .update:
                records.append(.update(row.id, from: row.old, to: row.new, changedColumns: row.changedColumns))
            }
        }
        return records
    }

    private static func records(of sections: [SectionTransition]) -> [SectionChange] {
        guard !sections.isEmpty else { return [] }
        let placement = Placement(sections)
        var records: [SectionChange] = []
        records.reserveCapacity(placement.recordCount)
        placement.forEachRecord { item, verdict in
            let section = sections[item]
            let (old, new) = (Int(section.old), Int(section.new))
            switch verdict {
            case .nothing: break
            case .delete: records.append(.delete(at: old))
            case .insert: records.append(.insert(at: new))
            case .move: records.append(.move(from: old, to: new, changedColumns: section.changedColumns))
            case .update: records.append(.update(from: old, to: new, changedColumns: section.changedColumns))
            }
        }
        return records
    }
}
