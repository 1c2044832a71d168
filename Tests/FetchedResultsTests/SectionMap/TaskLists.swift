import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Task lists with their tasks: "Home" with two, "Errands" with none, "Work" with one, ordered by
/// hand.
func makeTaskLists(_ options: StoreOptions = StoreOptions()) throws -> Store {
    try makeStore(
        """
        CREATE TABLE lists(id INTEGER PRIMARY KEY, name TEXT, position REAL, color TEXT);
        CREATE TABLE tasks(id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists(id) ON DELETE CASCADE, name TEXT, note TEXT);
        CREATE INDEX tasks_by_list ON tasks(list_id, name);
        INSERT INTO lists VALUES (1, 'Work', 3, 'red'), (2, 'Home', 1, 'blue'), (3, 'Errands', 2, NULL);
        INSERT INTO tasks VALUES (1, 1, 'report', ''), (2, 2, 'dishes', ''), (3, 2, 'laundry', '');
        """, options)
}

/// A fetched section map and its observer.
struct MapWatch {
    let map: SectionMap
    let recorder = Recorder()

    init(_ map: SectionMap) throws {
        self.map = map
        map.addObserver(recorder)
        try map.performFetch()
    }

    /// The task lists of `makeTaskLists`.
    init(
        _ store: Store, where predicate: String? = nil, columns: [String] = [], title: String? = nil,
        emptySections: EmptySections = .shown, itemsWithoutSection: ItemsWithoutSection = .shown
    ) throws {
        var sections = FetchRequest(
            entity: "lists", predicate: predicate, sorts: [Sort("position")])
        sections.columns = columns
        try self.init(
            SectionMap(
                store: store, items: FetchRequest(entity: "tasks", sorts: [Sort("name")]),
                sections: sections, itemKey: "list_id", indexTitle: title, emptySections: emptySections,
                itemsWithoutSection: itemsWithoutSection, nodes: NodeSizes(leafCapacity: 4, fanout: 4)))
    }

    func take() -> [String] { recorder.take() }

    /// The column `name` of each section's row, "-" for the items without a section, with the names
    /// of its items.
    var picture: [String] {
        get throws {
            try (0..<map.numberOfSections).map { section in
                let name = try map.sectionObject(at: section)?["name"]?.text ?? "-"
                let rows = try (0..<map.numberOfObjects(inSection: section)).map { row in
                    try map.object(at: ListIndexPath(section: section, row: row))["name"]?.text ?? ""
                }
                return "\(name): \(rows.joined(separator: ", "))"
            }
        }
    }
}
