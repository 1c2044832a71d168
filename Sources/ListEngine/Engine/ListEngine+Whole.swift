package import ChangeSets
internal import OrderedTree
internal import SQLiteKit

extension ListEngine {
    /// Everything that the list shows as inserted or deleted, for a collection that it joins or
    /// leaves.
    package func wholeChanges(_ type: ChangeType) -> any ChangesSource {
        guard let list else { return BareChanges(changeSet: ChangeSet()) }
        var sections: [SectionChange] = []
        var objects: [ObjectChange] = []
        objects.reserveCapacity(list.count)
        var infos = RowTable<List.Section>()
        for index in 0..<list.sectionCount {
            let id = list.rows.section(at: index)
            infos.add(Int64(index), list.section(id))
            sections.append(type == .insert ? .insert(at: index) : .delete(at: index))
            var row = 0
            unsafe list.rows.forEachLeaf(in: id) { leaf, _ in
                for id in unsafe Array(leaf) {
                    let path = ListIndexPath(section: index, row: row)
                    objects.append(type == .insert ? .insert(id, at: path) : .delete(id, at: path))
                    row += 1
                }
            }
        }
        let changeSet =
            type == .insert
            ? ChangeSet(sectionChanges: sections, objectChanges: objects)
            : ChangeSet(sectionChanges: sections.reversed(), objectChanges: objects.reversed())
        return EngineChanges(changeSet, self, sections: ChangedSections(old: infos, new: infos), isWhole: true)
    }
}
