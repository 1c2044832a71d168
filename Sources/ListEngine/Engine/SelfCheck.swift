#if DEBUG
    internal import ChangeSets
    internal import OrderedTree

    /// The check that debug builds make of each prepared state: the change set breaks no rule and,
    /// replayed on the old list, gives the new one. For this the edits are undone and applied
    /// again, as for a read in between.
    ///
    /// It takes O(n), so only short lists are checked.
    extension ListEngine {
        private static let checkedCount = 256

        private typealias Picture = [ReplayedSection<Int64?, Int64>]

        func checkReplay(_ newList: PreparedState.NewList, _ changeSet: ChangeSet) {
            do {
                try replay(newList, changeSet)
            } catch {
                preconditionFailure("a change set can't be replayed: \(error)")
            }
        }

        private func replay(_ newList: PreparedState.NewList, _ changeSet: ChangeSet) throws {
            guard let list, list.count <= Self.checkedCount, !isOfSections, superseded?.renaming == nil,
                mappedSections?.renaming == nil
            else { return }
            let (old, new): (Picture, Picture)
            switch newList {
            case .edit(var edit):
                new = Self.picture(of: list)
                try edit.revert()
                old = Self.picture(of: list)
                try edit.reapply()
                precondition(Self.picture(of: list) == new, "edits that were done again lead to another list")
            case .replacement(let next, _): (old, new) = (Self.picture(of: list), Self.picture(of: next))
            case .fetched: return
            }
            let faults = violations(of: changeSet, oldCounts: old.map(\.rows.count), newCounts: new.map(\.rows.count))
            precondition(faults.isEmpty, "\(faults) in \(changeSet)")
            let replayed = try changeSet.applied(to: old) { change, section in
                change.type == .insert ? new[change.newIndex ?? 0].value : section ?? nil
            } row: { change, id in
                precondition(
                    id == nil || id == change.id, "\(change) is about another row than \(String(describing: id))")
                return change.id
            }
            precondition(replayed == new, "a change set does not lead from the old list to the new one: \(changeSet)")
        }

        /// The same for a window.
        func checkReplay(_ old: WindowRows, _ new: WindowRows, _ changeSet: ChangeSet) {
            func picture(_ rows: WindowRows) -> Picture {
                rows.runs.indices.map { section in ReplayedSection(nil, Array(rows.ids[rows.rows(ofSection: section)]))
                }
            }
            let (old, new) = (picture(old), picture(new))
            do {
                let replayed = try changeSet.applied(to: old) { _, _ in
                    nil
                } row: { change, _ in
                    change.id
                }
                precondition(replayed == new, "a change set does not lead from the old window to the new one")
            } catch {
                preconditionFailure("a change set of a window can't be replayed: \(error)")
            }
        }

        /// The rows of a list in their sections, and the rows that these represent.
        private static func picture(of list: List) -> Picture {
            (0..<list.sectionCount).map { index in
                let section = list.rows.section(at: index)
                var rows: [Int64] = []
                unsafe list.rows.forEachLeaf(in: section) { ids, _ in unsafe rows.append(contentsOf: ids) }
                return ReplayedSection(list.section(section).row, rows)
            }
        }
    }
#endif
