import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport

@testable import FetchedResults
@testable import ListEngine

/// A random tree of collections over some of the lists of a run, whose children are inserted and
/// removed.
///
/// The children check their own contents; here it is compared with them, and every change set is
/// replayed.
final class WatchedCollection: FetchedResultsObserver {
    let collection: FetchedResultsCollection
    /// Its number in the scenario that is written.
    private let number: Int
    private let world: World
    /// The result of replaying all change sets: by section, the rows' entities and identities.
    private var mirror: [[String]] = []
    private var brackets = 0
    private var isInBracket = false
    /// The deliveries and reports since it was last checked, for a scenario.
    private var deliveries: [ListChanges] = []
    private var failures: [StoreError.Status] = []
    private var totals: CollectionTotalsCheck
    /// Collections inside, by their place among the children.
    private(set) var inner: WatchedCollection?

    init(_ world: World, depth: Int) throws {
        self.world = world
        collection = try FetchedResultsCollection()
        totals = CollectionTotalsCheck(collection)
        number = world.scenario?.newList() ?? 0
        world.scenario?.step([("new", JSON(number)), ("collection", true)])
        for list in world.fetchedControllers where world.random.chance(70) {
            try insert(
                list, at: collection.numberOfChildren, empty: world.random.chance(40) ? Placeholder(name: "none") : nil)
        }
        if world.random.chance(40) { try insert(Placeholder(name: "first"), at: 0) }
        if depth > 0, world.random.chance(50) {
            let inner = try WatchedCollection(world, depth: depth - 1)
            world.scenario?.step(step("insert", collection.numberOfChildren) + [("list", JSON(inner.number))])
            try collection.append(inner.collection)
            self.inner = inner
        }
        collection.addObserver(self)
    }

    /// Ends watching.
    func end(_ lifetimes: Lifetimes) {
        inner?.end(lifetimes)
        collection.announcer.removeAllObservers()
        lifetimes.note(collection, "a collection")
    }

    func fetch() throws {
        world.scenario?.step([("fetch", JSON(number))])
        try collection.performFetch()
        begin()
    }

    /// Starts to mirror its contents.
    func begin() {
        mirror = shown
        totals.begin()
        brackets = 0
        inner?.begin()
    }

    /// Deliveries from now on belong to another transaction.
    func beginTransaction() {
        brackets = 0
        inner?.beginTransaction()
    }

    // MARK: Children

    /// Inserts a child, removes one, or replaces one.
    func changeChildren() {
        brackets = 0
        let unused = world.fetchedControllers.filter { collection.index(of: $0) == nil }
        do {
            switch world.random.below(6) {
            case 0 where collection.numberOfChildren > 0:
                let index = world.random.below(collection.numberOfChildren)
                world.scenario?.step(step("remove", index))
                try freeInner(at: index) { try collection.remove(at: index) }
            case 1 where collection.numberOfChildren > 0:
                let index = world.random.below(collection.numberOfChildren)
                if let list = unused.first, world.random.chance(70) {
                    world.scenario?.step(step("replace", index) + child(list, nil))
                    try freeInner(at: index) { try collection.replace(at: index, with: list) }
                } else {
                    let placeholder = Placeholder(name: "instead")
                    world.scenario?.step(step("replace", index) + [("placeholder", json(placeholder))])
                    try freeInner(at: index) { try collection.replace(at: index, with: placeholder) }
                }
            case 2 where inner != nil:
                inner?.changeChildren()
            // The recorded scenarios do not have it.
            case 3 where world.scenario == nil && world.random.chance(50): try showOrHideEmptyLists()
            case 3, 4: try rename()
            default:
                let index = world.random.below(collection.numberOfChildren + 1)
                if let list = unused.last, world.random.chance(80) {
                    try insert(list, at: index, empty: world.random.chance(30) ? Placeholder() : nil)
                } else {
                    try insert(Placeholder(name: "more"), at: index)
                }
            }
        } catch {
            world.note("children: \(error)")
        }
    }

    /// Shows empty sections for lists that have none, or hides them.
    private func showOrHideEmptyLists() throws {
        try collection.setShowsEmptyLists(!collection.showsEmptyLists)
        let changed = deliveries.flatMap(\.changeSet.sectionChanges)
        if changed.contains(where: { $0.type != (collection.showsEmptyLists ? .insert : .delete) }) {
            world.note("collection: showing empty lists is reported as \(changed)")
        }
    }

    /// Gives another name or index title to the placeholder that is a child, or is shown in its
    /// place.
    private func rename() throws {
        let places = try (0..<collection.numberOfChildren).filter { try collection.placeholder(at: $0) != nil }
        guard let index = places.randomElement(using: &world.random),
            let placeholder = try collection.placeholder(at: index)
        else { return }
        let isShown = try collection.list(at: index)?.numberOfSections ?? 0 == 0
        let old = (placeholder.name, placeholder.indexTitle)
        if world.random.chance(60) {
            let name = world.random.pick(["renamed", "other", "", nil])
            world.scenario?.step(step("rename", index) + [("name", name.map { JSON($0) } ?? .null)])
            placeholder.name = name
        } else {
            let title = world.random.pick(["A", "#", nil])
            world.scenario?.step(step("rename", index) + [("title", title.map { JSON($0) } ?? .null)])
            placeholder.indexTitle = title
        }
        let changed = [old.0 == placeholder.name ? nil : 0, old.1 == placeholder.indexTitle ? nil : 1]
        let expected = isShown ? changed.compactMap { $0.map { ColumnSet([$0]) } } : []
        let reported = deliveries.flatMap { $0.changeSet.sectionChanges.map(\.changedColumns) }
        if reported != expected { world.note("collection: a new name is reported as \(reported), not \(expected)") }
    }

    /// Removes a child, and releases the inner collection if it is that.
    private func freeInner(at index: Int, _ takeOut: () throws -> Void) throws {
        let isInner = try collection.list(at: index) is FetchedResultsCollection
        try takeOut()
        guard isInner else { return }
        inner?.writeFree()
        let lifetimes = Lifetimes()
        inner?.end(lifetimes)
        inner = nil
        for collection in lifetimes.remaining { world.note("not released: \(collection)") }
    }

    private func writeFree() {
        world.scenario?.free(number)
        inner?.writeFree()
    }

    private func insert(_ list: FetchedResultsController, at index: Int, empty: Placeholder?) throws {
        world.scenario?.step(step("insert", index) + child(list, empty))
        try collection.insert(list, at: index, emptySection: empty)
    }

    private func insert(_ placeholder: Placeholder, at index: Int) throws {
        world.scenario?.step(step("insert", index) + [("placeholder", json(placeholder))])
        try collection.insert(placeholder, at: index)
    }

    private func step(_ what: String, _ index: Int) -> [(String, JSON)] {
        [("children", JSON(number)), (what, JSON(index))]
    }

    private func child(_ list: FetchedResultsController, _ empty: Placeholder?) -> [(String, JSON)] {
        let watched = world.controllers.first { $0.controller === list }
        return [("list", JSON(watched?.number ?? -1))] + (empty.map { [("empty", json($0))] } ?? [])
    }

    private func json(_ placeholder: Placeholder) -> JSON { placeholder.name.map { JSON($0) } ?? .null }

    // MARK: Checking

    /// Compares its contents with the mirror and with its children.
    func settle() {
        for fault in faults + totalFaults { world.note("collection: \(fault)") }
        totals.begin()
        // Each store delivers by itself.
        let stores = Self.isElsewhere(collection, world) ? 2 : 1
        if brackets > stores { world.note("collection: \(brackets) brackets for one transaction") }
        if isInBracket { world.note("collection: a bracket was not ended") }
        brackets = 0
        world.scenario?.note(
            number, deliveries, failures, Self.picture(collection, world), isStale: Self.isStale(collection, world))
        deliveries = []
        failures = []
        inner?.settle()
    }

    private var totalFaults: [String] {
        do {
            let leaves = Self.leaves(collection).map { list in world.controllers.first { $0.controller === list } }
            return try totals.faults + totals.faults(of: leaves)
        } catch {
            return ["totals: \(error)"]
        }
    }

    /// The lists that it shows, with the lists of the collections in it.
    private static func leaves(_ collection: FetchedResultsCollection) -> [FetchedResultsController] {
        children(collection).flatMap { child -> [FetchedResultsController] in
            if let inner = child.list as? FetchedResultsCollection { return leaves(inner) }
            return [child.list as? FetchedResultsController].compactMap(\.self).filter(\.isFetched)
        }
    }

    /// The combined pictures of its children.
    private static func picture(_ collection: FetchedResultsCollection, _ world: World) -> Picture {
        Picture(
            sections: children(collection).flatMap { child -> [Picture.Section] in
                var sections: [Picture.Section] = []
                if let inner = child.list as? FetchedResultsCollection { sections = picture(inner, world).sections }
                if let watched = world.controllers.first(where: { $0.controller === child.list }) {
                    sections = watched.shown.sections
                }
                guard sections.isEmpty, let placeholder = child.placeholder else { return sections }
                // Without a placeholder only outside of scenarios, whose pictures these are.
                var section = Picture.Section(value: cell(placeholder.name), name: placeholder.name)
                section.titled = (cell(placeholder.indexTitle), placeholder.indexTitle)
                return [section]
            })
    }

    private static func cell(_ text: String?) -> Cell { text.map { .text(Array($0.utf8)) } ?? .null }

    /// Whether one of its children can't follow the database.
    private static func isStale(_ collection: FetchedResultsCollection, _ world: World) -> Bool {
        children(collection).contains { child in
            if let inner = child.list as? FetchedResultsCollection { return isStale(inner, world) }
            return world.controllers.contains { $0.controller === child.list && $0.isStale }
        }
    }

    /// Whether one of its children is a list of the second store.
    private static func isElsewhere(_ collection: FetchedResultsCollection, _ world: World) -> Bool {
        children(collection).contains { child in
            if let inner = child.list as? FetchedResultsCollection { return isElsewhere(inner, world) }
            return world.controllers.contains { $0.controller === child.list && $0.isElsewhere }
        }
    }

    private static func children(_ collection: FetchedResultsCollection) -> [CollectionChild] {
        (0..<collection.tree.count).compactMap { collection.child(collection.tree.handle(at: $0)) }
    }

    private var faults: [String] {
        let expected = Self.expected(collection)
        if mirror != expected { return ["replay led to \(mirror), the children show \(expected)"] }
        for child in Self.children(collection) where child.placeholder == nil {
            let isEmpty = collection.tree.weights(of: child.handle).first == 0
            if collection.showsEmptyLists ? isEmpty : child.shownPlaceholder != nil {
                return ["a list without sections is shown, or hidden, though the collection says otherwise"]
            }
        }
        do {
            guard
                try (0..<collection.numberOfSections).map({ try collection.numberOfObjects(inSection: $0) })
                    == expected.map(\.count)
            else { return ["it has other sections than its children"] }
            var flat = 0
            var faults: [String] = []
            for (section, rows) in expected.enumerated() {
                for row in rows.indices {
                    let path = ListIndexPath(section: section, row: row)
                    if try collection.index(of: path) != flat { faults.append("\(path) is not number \(flat)") }
                    if try collection.indexPath(at: flat) != path { faults.append("number \(flat) is not \(path)") }
                    flat += 1
                }
            }
            if try collection.numberOfObjects != flat {
                faults.append("\(try collection.numberOfObjects) objects, not \(flat)")
            }
            return faults + collection.tree.checkInvariants()
        } catch {
            return ["\(error)"]
        }
    }

    /// The contents of its children.
    private static func expected(_ collection: FetchedResultsCollection) -> [[String]] {
        children(collection).flatMap { child -> [[String]] in
            var sections: [[String]] = []
            if let inner = child.list as? FetchedResultsCollection { sections = expected(inner) }
            if let controller = child.list as? FetchedResultsController { sections = rows(controller) }
            // While the collection will change, its option is the new one already.
            let isShown = child.placeholder != nil || child.shownPlaceholder != nil
            return sections.isEmpty && isShown ? [[]] : sections
        }
    }

    private static func rows(_ controller: FetchedResultsController) -> [[String]] {
        guard let list = try? controller.shownList() else { return [] }
        return (0..<list.sectionCount).map { index in
            let section = list.rows.section(at: index)
            return (0..<list.rows.rowCount(in: section)).map { row in
                word(
                    controller,
                    controller.engine.decoder.identityValues(list.rows.row(section: section, at: row)).values)
            }
        }
    }

    private static func word(_ controller: FetchedResultsController, _ identity: [Value]) -> String {
        "\(controller.engine.compiled.entity.displayName) \(identity.map { "\(Cell($0).representative(.binary))" })"
    }

    /// The same for identities that a collation treats as equal.
    private static func unspelled(_ sections: [[String]]) -> [[String]] {
        sections.map { $0.map { row in row.lowercased().filter { $0 != " " } } }
    }

    private var shown: [[String]] { Self.expected(collection) }

    // MARK: Callbacks

    func listWillChange(_ controller: any LiveList) {
        if isInBracket { world.note("collection: two brackets at the same time") }
        isInBracket = true
        brackets += 1
        let expected = Self.expected(collection)
        // A list without a record of it may have other spellings already.
        if Self.unspelled(mirror) != Self.unspelled(expected) {
            world.note("collection: while it will change it shows \(expected), not \(mirror)")
        }
        for fault in totals.faults { world.note("collection: while it will change, \(fault)") }
    }

    func list(_ controller: any LiveList, didFail error: StoreError) { failures.append(error.status) }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        deliveries.append(changes)
        // Totals of a list can differ without the totals of all lists.
        let mayBeEmpty = (try? !collection.totals().columns.isEmpty) ?? false
        if changes.changeSet.isEmpty, changes.totals.isEmpty, !mayBeEmpty { world.note("collection: an empty bracket") }
        if changes.changeSet.isReload {
            // A list that was fetched by itself.
            brackets -= 1
            mirror = shown
            totals.begin()
            return
        }
        for fault in totals.faults(of: changes) { world.note("collection: \(fault)") }
        let new = shown
        func row(_ change: ObjectChange) throws -> String {
            guard let path = change.newPath, new.indices.contains(path.section),
                new[path.section].indices.contains(path.row)
            else { return "out of range" }
            let identity = changes.identity(of: change).map { "\(Cell($0).representative(.binary))" }
            let word = new[path.section][path.row]
            return word.hasSuffix(" \(identity)") ? word : "\(change) of \(identity)"
        }
        let old = mirror.map { ReplayedSection(0, $0) }
        let faults = violations(
            of: changes.changeSet, oldCounts: mirror.map(\.count), newCounts: new.map(\.count))
        // Ids are those of the children, and several may show the same row.
        for fault in faults where !fault.hasSuffix("has two records") { world.note("collection: \(fault)") }
        do {
            mirror = try changes.changeSet.applied(
                to: old, section: { _, _ in 0 }, row: { change, _ in try row(change) }
            ).map(\.rows)
            let sequential = try changes.changeSet.sequential().applied(to: old) { _, _ in
                0
            } row: { step, _ in
                try row(changes.changeSet.objectChanges[step.record])
            }
            if sequential.map(\.rows) != mirror { world.note("collection: the steps replay to \(sequential)") }
        } catch {
            world.note("collection: \(error)")
        }
    }

    func listDidChange(_ controller: any LiveList) { isInBracket = false }
}
