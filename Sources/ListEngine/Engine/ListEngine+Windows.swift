internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The rows that a window shows next, and the change set that leads there.
package struct WindowStep {
    package let window: EngineWindow
    package let rows: WindowRows
    package let changes: ListChanges
}

/// The windows on the list.
extension ListEngine {
    /// Opens a window around the row at a place over all sections; at the end if the list has no
    /// such row. Not between two states.
    package func openWindow(around place: Int, _ extent: WindowExtent) throws -> EngineWindow? {
        guard let list = try shownList() else { return nil }
        let index = windows ?? WindowIndex()
        windows = index
        return index.add(extent, WindowRows(list, around: list.clamped(place), extent), in: list)
    }

    /// Closes a window.
    package func close(_ window: EngineWindow) {
        windows?.remove(window)
        if windows?.count == 0 { windows = nil }
    }

    /// Hangs a window on another row, or makes it show more or fewer; nil if it shows the same
    /// then. Not between two states.
    package func change(_ window: EngineWindow, by rows: Int, _ extent: WindowExtent) throws -> WindowStep? {
        guard let list = try shownList() else { return nil }
        let old = window.anchor.flatMap { list.index(of: $0) } ?? 0
        let place = list.clamped(old + max(min(rows, list.count), -list.count))
        let new = WindowRows(list, around: place, extent)
        windows?.move(window, to: new.anchorID, extent, in: list)
        let comparison = WindowComparison(old: window.rows, new: new, evidence: .none)
        guard let step = step(window, comparison, at: place, nil) else {
            window.rows = new
            return nil
        }
        return step
    }

    /// The place of a window's first row over all sections. O(log n).
    package func position(of window: EngineWindow) throws -> Int {
        guard let first = window.rows.ids.first, let list = try shownList() else { return 0 }
        return list.index(of: first) ?? 0
    }

    // MARK: Following

    /// The next rows of the windows that a prepared state concerns, before it is announced. Throws
    /// if the state can't be applied any more.
    package func prepareWindows(_ next: PreparedState) throws -> [WindowStep] {
        guard let windows, next.isVisible, let list = try nextList(next) else { return [] }
        let set = next.changes.changeSet
        let records = WindowRecords(set, list)
        return windows.follow(set, to: list).compactMap { window, place in
            let rows = WindowRows(list, around: place, window.extent)
            let evidence = records.evidence(for: rows, from: place - rows.anchor)
            return step(window, WindowComparison(old: window.rows, new: rows, evidence: evidence), at: place, next)
        }
    }

    /// The list of the prepared state; nil if that was fetched.
    private func nextList(_ next: PreparedState) throws -> List? {
        switch next.newList {
        case .edit:
            try next.leaveOld()
            next.isReverted = false
            return list
        case .replacement(let list, _): return list
        case .fetched: return nil
        }
    }

    /// The step of a window to other rows; nil if nothing changes.
    ///
    /// - Parameters:
    ///   - place: The place of its row in the new list.
    ///   - next: The prepared state; nil if the list stays as it is.
    private func step(
        _ window: EngineWindow, _ comparison: WindowComparison, at place: Int, _ next: PreparedState?
    ) -> WindowStep? {
        let set = comparison.changeSet()
        if set.isEmpty { return nil }
        let (old, new) = (comparison.old, comparison.new)
        #if DEBUG
            checkReplay(old, new, set)
        #endif
        let sections = ChangedSections(rows: next?.sectionRows)
        for change in set.sectionChanges {
            if let index = change.oldIndex { sections.old.add(Int64(index), old.runs[index].section) }
            if let index = change.newIndex { sections.new.add(Int64(index), new.runs[index].section) }
        }
        let changes = EngineChanges(
            set, self, contents: next?.changes.contents ?? RowDictionary(), sections: sections, isWhole: next == nil)
        changes.windowPlace = WindowPlace(
            position: place - new.anchor, anchor: new.ids.isEmpty ? nil : new.anchor,
            isAnchorReplaced: comparison.isAnchorReplaced)
        return WindowStep(
            window: window, rows: new,
            changes: ListChanges(changes, newCounts: (sections: new.runs.count, objects: new.ids.count)))
    }

    // MARK: Reading the list again

    /// Whether a prepared state has other ids for rows, so that the windows are hung again when it
    /// is shown.
    package func mustHangWindowsAgain(_ next: PreparedState?) -> Bool {
        guard windows != nil, let next, next === prepared else { return false }
        if case .fetched = next.newList { return true }
        return superseded?.renaming != nil || mappedSections?.renaming != nil
    }

    /// Shows a list that was read again, and hangs the windows on it: on the row with the same
    /// identity, or, without that, on the next one after it that the window showed, or before it;
    /// else at the same place. All rows that stay are updates, as it is not known what changed in
    /// them.
    ///
    /// - Parameter note: Called with each window and its changes; nil if it shows the same.
    package func hangingWindowsAgain<Result: ~Copyable>(
        _ show: () -> Result, _ note: (EngineWindow, ListChanges?) -> Void
    ) -> Result {
        let identities = shownIdentities
        let former = (windows?.all ?? []).map { window in
            (
                window: window, identities: window.rows.ids.map { identities.values($0) },
                place: window.rows.anchorID.flatMap { list?.index(of: $0) } ?? 0
            )
        }
        let result = show()
        guard let list, let windows else { return result }
        let next = former.map { former in
            let old = former.window.rows.renamed(former.identities.map { id(ofFormer: $0, list) })
            let known = old.rowsByNearness.lazy.compactMap { list.index(of: old.ids[$0]) }.first
            let place = known ?? list.clamped(former.place)
            let new = WindowRows(list, around: place, former.window.extent)
            return (
                window: former.window, comparison: WindowComparison(old: old, new: new, evidence: .unknown),
                place: place
            )
        }
        windows.hangAll(next.map { ($0.window, $0.comparison.new.anchorID) }, in: list)
        for (window, comparison, place) in next {
            window.rows = comparison.new
            note(window, step(window, comparison, at: place, nil)?.changes)
        }
        return result
    }

    /// The id of a row that a window showed before the list was read again.
    private func id(ofFormer identity: RowValues, _ list: List) -> Int64 {
        let id = decoder.id(ofIdentity: identity)
        // An id that was assigned again can be another row's.
        if let id, decoder.identities.areRowids || list.rows.contains(id) { return id }
        return decoder.identities.newID(outsideLists: identity)
    }
}

extension List {
    /// The nearest place over all sections that has a row; 0 if there are none.
    fileprivate func clamped(_ place: Int) -> Int { max(min(place, count - 1), 0) }
}

extension WindowRows {
    /// The numbers of its rows: the one on which it hangs, the ones after that, and then the ones
    /// before it, backwards.
    fileprivate var rowsByNearness: [Int] { Array(anchor..<ids.count) + (0..<min(anchor, ids.count)).reversed() }
}
