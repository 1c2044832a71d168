import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport

@testable import FetchedResults
@testable import ListEngine

/// Replays the totals that a collection reports, and compares its totals with the rows of all
/// lists.
struct CollectionTotalsCheck {
    private typealias Named = [String: (function: String, value: Cell)]

    private let collection: FetchedResultsCollection
    /// The totals of all lists together, by name.
    private var all: Named = [:]
    /// The totals of the lists that are one section, by list.
    private var flat: [ObjectIdentifier: Named] = [:]

    init(_ collection: FetchedResultsCollection) { self.collection = collection }

    /// The totals as they are shown now.
    private func current() throws -> (all: Named, flat: [ObjectIdentifier: Named]) {
        let object = try collection.totals()
        let functions = Dictionary(
            Self.functions(of: collection).map { ($0.name, $0.function) }, uniquingKeysWith: { first, _ in first })
        var all: Named = [:]
        for (name, value) in zip(object.columns, object.values ?? []) {
            all[name] = (functions[name] ?? "", Cell(value))
        }
        var flat: [ObjectIdentifier: Named] = [:]
        for child in Self.children(collection) {
            guard let list = child.list as? FetchedResultsController, try list.isFetched && list.shownList().isFlat
            else {
                continue
            }
            let object = try collection.totals(ofSection: collection.firstSection(of: child))
            var named: Named = [:]
            for (total, value) in zip(list.engine.shownCompiled.request.totals, object.values ?? []) {
                named[total.name] = ("\(total)", Cell(value))
            }
            flat[ObjectIdentifier(list)] = named
        }
        return (all, flat)
    }

    private static func children(_ collection: FetchedResultsCollection) -> [CollectionChild] {
        (0..<collection.tree.count).compactMap { collection.child(collection.tree.handle(at: $0)) }
    }

    /// The functions of totals of the first list that has them, with the collation of extremes.
    private static func functions(of collection: FetchedResultsCollection) -> [(name: String, function: String)] {
        children(collection).flatMap { child -> [(name: String, function: String)] in
            if let inner = child.list as? FetchedResultsCollection { return functions(of: inner) }
            guard let list = child.list as? FetchedResultsController, list.isFetched else { return [] }
            let parts = list.engine.shownCompiled.totals?.parts
            return list.engine.shownCompiled.request.totals.enumerated().map { index, total in
                var order = ""
                if case .extreme(let number)? = parts?.sources[index] {
                    order = "\(parts?.extremes[number].order.component.collation.name ?? "")"
                }
                return (total.name, "\(total.function) \(order)")
            }
        }
    }

    mutating func begin() {
        do { (all, flat) = try current() } catch { (all, flat) = ([:], [:]) }
    }

    /// The collection shows the values that its last delivery left. A child without rows can bring
    /// and take totals silently.
    var faults: [String] {
        do {
            return try current().all.sorted { $0.key < $1.key }.compactMap { name, found in
                guard let old = all[name], old.function == found.function, old.value != found.value else { return nil }
                return "its total \(name) is \(found.value), and was delivered as \(old.value)"
            }
        } catch {
            return ["totals: \(error)"]
        }
    }

    /// A delivery reports exactly what differs.
    mutating func faults(of changes: ListChanges) -> [String] {
        do {
            let (all, flat) = try current()
            var expected: Set<String> = []
            for (name, new) in all {
                guard let old = self.all[name], old.function == new.function, old.value != new.value else { continue }
                expected.insert("- \(name) \(old.value) \(new.value)")
            }
            var flatSections: Set<Int> = []
            for child in Self.children(collection) {
                guard let list = child.list, let new = flat[ObjectIdentifier(list)] else { continue }
                let section = collection.firstSection(of: child)
                flatSections.insert(section)
                guard let old = self.flat[ObjectIdentifier(list)] else { continue }
                for (name, new) in new {
                    guard let old = old[name], old.function == new.function, old.value != new.value else { continue }
                    expected.insert("\(section) \(name) \(old.value) \(new.value)")
                }
            }
            (self.all, self.flat) = (all, flat)
            var found: [String] = []
            var faults: [String] = []
            for change in changes.totals {
                if let section = change.newSection {
                    let value = try collection.totals(ofSection: section)[change.name]
                    if value.map({ Cell($0) }) != Cell(change.newValue) { faults.append("it has not \(change)") }
                    let record = changes.changeSet.sectionChanges.first { $0.newIndex == section }
                    if record?.oldIndex != change.oldSection { faults.append("no record of the section of \(change)") }
                    if !flatSections.contains(section) { continue }
                }
                found.append(
                    "\(change.newSection.map { "\($0)" } ?? "-") \(change.name) \(Cell(change.oldValue)) \(Cell(change.newValue))"
                )
            }
            if Set(found) != expected || found.count != expected.count {
                faults.append("the totals \(found.sorted()) are reported, not \(expected.sorted())")
            }
            return faults
        } catch {
            return ["totals: \(error)"]
        }
    }

    /// Checks that it has the totals of the rows of all lists. A list that can't be judged is nil.
    func faults(of leaves: [Watched?]) throws -> [String] {
        let lists = leaves.compactMap { $0?.summarized }
        guard lists.count == leaves.count, let first = lists.first,
            let connection = leaves[0]?.controller.store.connection
        else { return [] }
        let judge = try TotalJudge(connection)
        let found = try collection.totals()
        var names: [String] = []
        var faults: [String] = []
        for one in first {
            let same = lists.compactMap { list in
                list.first { other in
                    other.total.name == one.total.name && other.total.function == one.total.function
                        && (![.min, .max].contains(one.total.function) || other.collation == one.collation)
                }
            }
            guard same.count == lists.count else { continue }
            names.append(one.total.name)
            let collation = [.min, .max].contains(one.total.function) ? one.collation : .binary
            let expected = try judge.total(one.total.function, same.flatMap(\.values), one.collation)
            let value = found[one.total.name].map { Cell($0).representative(collation) }
            if value != expected?.representative(collation) {
                faults.append("\(one.total.name) is \(String(describing: value)), not \(String(describing: expected))")
            }
        }
        if found.columns != names { faults.append("it has the totals \(found.columns), not \(names)") }
        return faults
    }
}
