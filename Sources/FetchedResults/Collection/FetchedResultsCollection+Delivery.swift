internal import ChangeSets
internal import ListEngine
internal import OrderedTree

/// The conversion of children's changes into changes of the collection.
extension FetchedResultsCollection {
    /// A child that changed: its changes, and its old state.
    private struct Changed {
        let child: CollectionChild
        let changes: any ChangesSource
        /// Its sections before.
        let old: Range<Int>
        /// The section that it showed instead of sections of its own.
        let placeholder: SectionInfo?
    }

    func commit(_ places: SmallVector<any ListPlace>, _ changes: ChangedLists) -> ListChanges {
        var parts = SmallVector<CollectionChanges.ChildChanges>()
        if places.count == 1 {
            guard let changed = changed(places[0], changes) else { return .reload(from: .fetch) }
            show(changed)
            // A child alone stays where it is: its first section is found without a search.
            append(changed, at: changed.old.lowerBound, to: &parts)
        } else {
            var all = places.compactMap { changed($0, changes) }
            guard !all.isEmpty else { return .reload(from: .fetch) }
            for changed in all { show(changed) }
            all.sort { tree.index(of: $0.child.handle) < tree.index(of: $1.child.handle) }
            for changed in all { append(changed, at: firstSection(of: changed.child), to: &parts) }
        }
        return finish(parts)
    }

    /// The changes of the child at a place; nil if there are none, or if the collection does not
    /// show it.
    private func changed(_ place: any ListPlace, _ changes: ChangedLists) -> Changed? {
        guard let child = place as? CollectionChild, child.isShown, let list = child.list, let changes = changes[list]
        else { return nil }
        return Changed(
            child: child, changes: changes.source, old: sections(of: child), placeholder: child.shownPlaceholder)
    }

    private func show(_ changed: Changed) {
        tree.setWeights(update(changed.child), of: changed.child.handle)
    }

    /// Appends a child's changes, and the insertion or removal of its placeholder.
    ///
    /// - Parameter first: Its first section now.
    private func append(_ changed: Changed, at first: Int, to parts: inout SmallVector<CollectionChanges.ChildChanges>)
    {
        let new = first..<first + tree.weights(of: changed.child.handle).first
        let placeholder = changed.child.shownPlaceholder
        if let section = changed.placeholder, placeholder == nil {
            parts.append(
                CollectionChanges.ChildChanges(
                    changes: PlaceholderChanges(.delete(at: 0), section), old: changed.old,
                    new: new.lowerBound..<new.lowerBound))
        }
        parts.append(
            CollectionChanges.ChildChanges(
                changes: changed.changes,
                old: changed.placeholder == nil ? changed.old : changed.old.lowerBound..<changed.old.lowerBound,
                new: placeholder == nil ? new : new.lowerBound..<new.lowerBound, flatTotals: changed.child.flatTotals))
        if let section = placeholder, changed.placeholder == nil {
            parts.append(
                CollectionChanges.ChildChanges(
                    changes: PlaceholderChanges(.insert(at: 0), section),
                    old: changed.old.lowerBound..<changed.old.lowerBound,
                    new: new))
        }
    }

    /// Notes that the collection shows another state.
    private func finish(_ parts: SmallVector<CollectionChanges.ChildChanges>, _ origin: ChangeOrigin = [])
        -> ListChanges
    {
        let changes = CollectionChanges(parts, origin: origin, totals: totals.takeChanges(children))
        announcer.version += 1
        if changes.isReload || !changes.changeSet.sectionChanges.isEmpty { indexTitles = nil }
        return ListChanges(changes, newCounts: (tree.totals.first, tree.totals.second))
    }

    func refresh(_ places: SmallVector<any ListPlace>) {
        for case let child as CollectionChild in places where child.isShown {
            tree.setWeights(update(child), of: child.handle)
        }
        _ = totals.takeChanges(children)
        indexTitles = nil
        announcer.version += 1
    }

    // MARK: Children inserted and removed

    /// Delivers the insertion or removal of children: immediately, or, inside a callback, after the
    /// current round.
    func deliver(removing old: CollectionChild?, inserting new: CollectionChild?, at index: Int) throws {
        guard isFetched else {
            old?.leave()
            return
        }
        try queue.runOrWait { [weak self, fetchCount] in
            // The collection has ended, or a fetch meanwhile has shown all children as they are
            // now.
            guard let self, fetchCount == self.fetchCount else {
                old?.leave()
                return
            }
            let hasOldSections = old.map { $0.isShown && !self.sections(of: $0).isEmpty } ?? false
            guard hasOldSections || new?.willShowSections ?? false || changesTotals(removing: old, inserting: new)
            else {
                _ = exchange(old, new, at: index)
                return
            }
            Delivery.announce([Delivery.ListPart(self) { self.exchange(old, new, at: index) }])
            old?.leave()
        }
    }

    private func exchange(_ old: CollectionChild?, _ new: CollectionChild?, at index: Int) -> ListChanges? {
        var parts = SmallVector<CollectionChanges.ChildChanges>()
        if let old, old.isShown {
            let sections = sections(of: old)
            let changes = old.wholeChanges(.delete)
            hide(old)
            parts.append(
                CollectionChanges.ChildChanges(
                    changes: changes, old: sections, new: sections.lowerBound..<sections.lowerBound))
        }
        if let new {
            show(new, at: index)
            let sections = sections(of: new)
            parts.append(
                CollectionChanges.ChildChanges(
                    changes: new.wholeChanges(.insert), old: sections.lowerBound..<sections.lowerBound, new: sections))
        }
        return finish(parts, .request)
    }

    /// Delivers the insertion or removal of the sections of lists that have no other sections,
    /// after `showsEmptyLists` was set.
    func deliverEmptyLists() throws {
        try queue.runOrWait { [weak self] in
            guard let self, isFetched, !changedEmptyLists.isEmpty else { return }
            Delivery.announce([Delivery.ListPart(self) { self.showEmptyLists() }])
        }
    }

    /// The children that do not show yet what `showsEmptyLists` says. A child whose store is closed
    /// has what the tree counts.
    private var changedEmptyLists: [CollectionChild] {
        children.filter { child in
            guard child.isShown, child.placeholder == nil else { return false }
            return showsEmptyLists ? tree.weights(of: child.handle).first == 0 : child.shownPlaceholder != nil
        }
    }

    private func showEmptyLists() -> ListChanges? {
        let changed = changedEmptyLists.map { child in
            Changed(
                child: child, changes: CollectionChanges([]), old: sections(of: child),
                placeholder: child.shownPlaceholder)
        }
        guard !changed.isEmpty else { return nil }
        var parts = SmallVector<CollectionChanges.ChildChanges>()
        for each in changed { show(each) }
        for each in changed { append(each, at: firstSection(of: each.child), to: &parts) }
        return finish(parts, .request)
    }

    /// Delivers a changed name or title of a placeholder.
    func updatePlaceholder(of child: CollectionChild, _ columns: [Int]) {
        guard isFetched else { return }
        // Throws only if a callback of a delivery never returned, after which no observer is
        // notified of anything.
        try? queue.runOrWait { [weak self, weak child] in
            guard let self, let child, isFetched, child.isShown, child.shownPlaceholder != nil else { return }
            let part = Delivery.ListPart(self) {
                let old = child.shownPlaceholder
                _ = child.show()
                guard let section = child.shownPlaceholder else { return nil }
                let sections = self.sections(of: child)
                let change = SectionChange.update(from: 0, to: 0, changedColumns: ColumnSet(columns))
                self.indexTitles = nil
                let changes = CollectionChanges.ChildChanges(
                    changes: PlaceholderChanges(change, section, old: old), old: sections, new: sections)
                return self.finish([changes], .request)
            }
            Delivery.announce([part])
        }
    }
}

extension CollectionChild {
    /// Whether there is anything to deliver when it is inserted.
    fileprivate var willShowSections: Bool { sectionIfEmpty != nil || weights.first > 0 }

    /// Everything that the child shows as inserted or deleted.
    fileprivate func wholeChanges(_ type: ChangeType) -> any ChangesSource {
        if let section = shownPlaceholder {
            return PlaceholderChanges(type == .insert ? .insert(at: 0) : .delete(at: 0), section)
        }
        if let collection = list as? FetchedResultsCollection { return collection.wholeChanges(type) }
        return (list as? FetchedResultsController)?.engine.wholeChanges(type) ?? CollectionChanges([])
    }
}

extension FetchedResultsCollection {
    fileprivate func wholeChanges(_ type: ChangeType) -> any ChangesSource {
        let parts = children.filter(\.isShown).map { child in
            let sections = sections(of: child)
            let changes = child.wholeChanges(type)
            return type == .insert
                ? CollectionChanges.ChildChanges(changes: changes, old: 0..<0, new: sections)
                : CollectionChanges.ChildChanges(changes: changes, old: sections, new: 0..<0)
        }
        return CollectionChanges(SmallVector(parts))
    }
}
