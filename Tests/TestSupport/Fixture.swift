internal import ChangeSets
package import FetchedResults
internal import Foundation
package import SQLiteKit
package import Testing

/// A store in memory after a script.
package func makeStore(_ script: String, _ options: StoreOptions = StoreOptions()) throws -> Store {
    let store = try Store(path: ":memory:", options: options)
    try store.executeScript(script)
    try store.dispatch()
    return store
}

/// A path for a database file, which is removed when the object is released.
package final class TemporaryFile {
    package let path = FileManager.default.temporaryDirectory.appendingPathComponent(
        "fetched-results-\(UUID().uuidString).db"
    ).path

    package init() {}

    /// A directory for list caches, which is removed as well.
    package var cacheDirectory: String { path + "-lists" }

    /// Makes an empty database with an encoding of its texts.
    package func create(encoding: String) throws {
        let connection = try Connection.open(path: path, readOnly: false, create: true)
        defer { connection.close() }
        for statement in ["PRAGMA encoding = '\(encoding)'", "CREATE TABLE made (x)", "DROP TABLE made"] {
            try connection.execute(statement)
        }
    }

    deinit { remove() }

    /// Removes the file now, for a world that its lists retain.
    package func remove() {
        for suffix in ["", "-wal", "-shm", "-journal", "-lists"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}

/// A fetched controller and its observer.
package struct Watch {
    package let controller: FetchedResultsController
    package let recorder = Recorder()

    package init(
        _ store: Store, _ request: FetchRequest, nodes: NodeSizes = NodeSizes(leafCapacity: 4, fanout: 4)
    ) throws {
        controller = try FetchedResultsController(store: store, request: request, nodes: nodes)
        controller.addObserver(recorder)
        try controller.performFetch()
    }

    package init(
        _ store: Store, _ entity: String, where predicate: String? = nil, _ parameters: [Value] = [],
        sort: [String] = [],
        section: String? = nil, columns: [String] = [], nodes: NodeSizes = NodeSizes(leafCapacity: 4, fanout: 4)
    ) throws {
        var request = FetchRequest(
            entity: entity, predicate: predicate, parameters: parameters,
            sorts: sort.map { Sort($0) },
            section: section.map { Sort($0) })
        request.columns = columns
        try self.init(store, request, nodes: nodes)
    }

    /// The records of everything delivered since the last call.
    package func take() -> [String] { recorder.take() }

    /// The last delivery since then.
    package func delivery() throws -> ListChanges { try #require(recorder.deliveries.last) }
}

extension LiveList {
    /// The values of one column in all rows, by section.
    package func values(_ column: String) throws -> [[Value]] {
        try (0..<numberOfSections).map { section in
            try (0..<numberOfObjects(inSection: section)).map { row in
                try object(at: ListIndexPath(section: section, row: row))[column] ?? "no such column"
            }
        }
    }

    package var sectionNames: [String?] {
        get throws { try (0..<numberOfSections).map { try section(at: $0).name } }
    }
}

/// Expects a failure of a kind whose message contains all the words.
package func expectFailure(
    _ status: StoreError.Status, naming words: String..., at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: StoreError.self, sourceLocation: location) { try body() }
    guard let error else { return }
    #expect(error.status == status, "\(error)", sourceLocation: location)
    for word in words {
        #expect(error.message.contains(word), "\(error.message) does not name \(word)", sourceLocation: location)
    }
}
