package import ChangeSets
internal import OrderedTree
internal import SQLiteKit

extension ListEngine {
    /// Everything that the list shows as inserted or deleted, for a collection that it joins or
    /// leaves.
    package func wholeChanges(_ type: ChangeType) -> any ChangesSource {
        guard let list else { return BareChanges(changeSet: ChangeSet()) }
        var sections: [SectionTransition] = []
        var difference = ListDifference()
        var infos = RowDictionary<List.Section>()
        for index in 0..<list.sectionCount {
            let id = list.rows.section(at: index)
            infos.add(Int64(index), list.section(id))
            sections.append(
                SectionTransition(
                    id: id.raw, oldIndex: type == .delete ? index : nil, newIndex: type == .insert ? index : nil))
            var path = ListIndexPath(section: index, row: 0)
            unsafe list.rows.forEachLeaf(in: id) { leaf, _ in
                if type == .insert {
                    unsafe difference.inserted.append(contentsOf: leaf, at: path)
                } else {
                    unsafe difference.deleted.append(contentsOf: leaf, at: path)
                }
                path = ListIndexPath(section: index, row: path.row + leaf.count)
            }
        }
        let changeSet = ChangeSet(difference, sections: sections, updates: [], columns: { _ in [] })
        return EngineChanges(changeSet, self, sections: ChangedSections(old: infos, new: infos), isWhole: true)
    }
}
