extension ChangeSet {
    /// The same changes of a list that is part of a longer one, after this number of other
    /// sections.
    package func shifted(old: Int, new: Int) -> ChangeSet {
        if isReload || (old == 0 && new == 0) { return self }
        return ChangeSet(
            sectionChanges: sectionChanges.map { $0.shifted(old: old, new: new) },
            objectChanges: objectChanges.shifted(old: old, new: new), origin: origin)
    }
}

extension SectionChange {
    /// The same change with its indexes increased by this number of sections.
    package func shifted(old: Int, new: Int) -> SectionChange {
        switch type {
        case .insert: .insert(at: rawNew + new)
        case .delete: .delete(at: rawOld + old)
        case .move: .move(from: rawOld + old, to: rawNew + new, changedColumns: changedColumns)
        case .update: .update(from: rawOld + old, to: rawNew + new, changedColumns: changedColumns)
        }
    }
}

extension ObjectChange {
    /// The same change with its paths increased by this number of sections.
    package func shifted(old: Int, new: Int) -> ObjectChange {
        switch type {
        case .insert: .insert(id, at: rawNew.shifted(new))
        case .delete: .delete(id, at: rawOld.shifted(old))
        case .move: .move(id, from: rawOld.shifted(old), to: rawNew.shifted(new), changedColumns: changedColumns)
        case .update: .update(id, from: rawOld.shifted(old), to: rawNew.shifted(new), changedColumns: changedColumns)
        }
    }
}

extension ListIndexPath {
    /// The path increased by this number of sections.
    package func shifted(_ sections: Int) -> ListIndexPath { ListIndexPath(section: section + sections, row: row) }
}
