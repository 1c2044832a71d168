import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults

/// A collection with its observer, and a mirror that replays all deliveries.
final class CollectionWatch {
    let collection: FetchedResultsCollection
    let recorder = Recorder()
    private(set) var mirror: [[String]] = []

    init(_ collection: FetchedResultsCollection) throws {
        self.collection = collection
        collection.addObserver(recorder)
        try collection.performFetch()
        mirror = try rows
        recorder.didDeliver = { [weak self] _ in self?.replay() }
    }

    convenience init(_ lists: [any LiveList]) throws { try self.init(FetchedResultsCollection(lists)) }

    /// Entity and identity of all rows, by section.
    var rows: [[String]] {
        get throws {
            try (0..<collection.numberOfSections).map { section in
                try (0..<collection.numberOfObjects(inSection: section)).map { row in
                    let object = try collection.object(at: ListIndexPath(section: section, row: row))
                    return "\(object.entity) \(object.identity[0].integer ?? -1)"
                }
            }
        }
    }

    private func replay() {
        guard let changes = recorder.deliveries.last else { return }
        if changes.changeSet.isReload {
            mirror = (try? rows) ?? []
            return
        }
        let old = mirror.map { ReplayedSection((), $0) }
        func name(_ change: ObjectChange) -> String {
            guard let object = try? changes.object(of: change) else { return "gone" }
            return "\(object.entity) \(changes.identity(of: change)[0].integer ?? -1)"
        }
        mirror =
            (try? changes.changeSet.applied(to: old, section: { _, _ in () }, row: { change, _ in name(change) }).map(
                \.rows)) ?? [["?"]]
    }

    func take() -> [String] { recorder.take() }

    /// Whether the mirror, and every way of reading, agree with the collection.
    var faults: [String] {
        do {
            let rows = try rows
            var faults = rows == mirror ? [] : ["the mirror shows \(mirror), the collection \(rows)"]
            var flat = 0
            for (section, names) in rows.enumerated() {
                if try collection.section(at: section).index != section {
                    faults.append("section \(section) has another index")
                }
                for row in names.indices {
                    let path = ListIndexPath(section: section, row: row)
                    if try collection.index(of: path) != flat { faults.append("\(path) is not number \(flat)") }
                    if try collection.indexPath(at: flat) != path { faults.append("number \(flat) is not \(path)") }
                    let object = try collection.object(at: path)
                    if try collection.indexPath(of: object) != path {
                        faults.append("\(object) is not found at \(path)")
                    }
                    flat += 1
                }
            }
            if try collection.numberOfObjects != flat {
                faults.append("there are \(try collection.numberOfObjects) objects, not \(flat)")
            }
            return faults
        } catch {
            return ["\(error)"]
        }
    }
}

/// People, messages and files, and a collection of the search results in them.
func makeSearchStore() throws -> Store {
    try makeStore(
        """
        CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE messages(id INTEGER PRIMARY KEY, sender TEXT, subject TEXT);
        CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO people VALUES (1, 'Ann'), (2, 'Ben');
        INSERT INTO messages VALUES (1, 'Ann', 'hello'), (2, 'Ben', 'news'), (3, 'Ann', 'bye');
        INSERT INTO files VALUES (1, 'notes'), (2, 'plan');
        """)
}

func makeList(_ store: Store, _ entity: String, _ sort: String, section: String? = nil, where predicate: String? = nil)
    throws
    -> FetchedResultsController
{
    try FetchedResultsController(
        store: store,
        request: FetchRequest(
            entity: entity, predicate: predicate, sorts: [Sort(sort)],
            section: section.map { Sort($0) }), nodes: NodeSizes(leafCapacity: 4, fanout: 4))
}
