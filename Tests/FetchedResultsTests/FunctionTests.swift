import Glibc
import SQLiteKit
import Synchronization
import TestSupport
import Testing

@testable import FetchedResults

/// SQL functions of the program, on the connections of the store.
@Suite struct FunctionTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let script =
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO items VALUES (1, 'tea'), (2, 'eat'), (3, 'toe');
        """

    private func addShout(_ store: Store) throws {
        try store.addFunction("shout", argumentCount: 1, isDeterministic: true) { values in
            guard let text = values[0].text else { return .null }
            return .text(text.uppercased())
        }
    }

    @Test func listsFollowThem() throws {
        let store = try makeStore(Self.script)
        try addShout(store)
        let items = try Watch(store, "items", where: "shout(name) LIKE 'T%'", sort: ["name"])
        #expect(try items.controller.values("name") == [["tea", "toe"]])
        try store.execute("UPDATE items SET name = 'tee' WHERE id = 2")
        #expect(items.take() == ["insert 2 at 0.1"])
    }

    @Test func whatTheyThrowFailsTheStatement() throws {
        let store = try makeStore(Self.script)
        try store.addFunction("refuse") { values in throw Refusal(description: "not \(values)") }
        expectFailure(.error, naming: "not [1, 'a']") { try store.execute("SELECT refuse(1, 'a')") }
        try store.addFunction("nested") { _ in
            try store.execute("DELETE FROM items")
            return 1
        }
        expectFailure(.error, naming: "can't use its own store") { try store.execute("SELECT nested()") }
        #expect(try store.query(Int.self, "SELECT count(*) FROM items") == [3])
    }

    @Test func namesAndNumbersAreChecked() throws {
        let store = try makeStore(Self.script)
        expectFailure(.misuse, naming: "fr_mine") { try store.addFunction("fr_mine") { _ in 1 } }
        expectFailure(.range) { try store.addFunction("") { _ in 1 } }
        expectFailure(.range) { try store.addFunction("f", argumentCount: -1) { _ in 1 } }
        expectFailure(.range) { try store.addFunction("f", argumentCount: 128) { _ in 1 } }
        try store.addFunction("f", argumentCount: 127) { _ in 1 }
        try store.close()
        expectFailure(.closed) { try store.addFunction("f") { _ in 1 } }
    }

    /// The row is read through another connection of the store.
    @Test func rowsOfTheShownStateAreReadWithThem() throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(Self.script)
        try addShout(store)
        var request = FetchRequest(select: "SELECT id, shout(name) AS name FROM items", identity: ["id"])
        request.batchSize = 1
        let items = try Watch(store, request)
        try store.dispatch()
        let other = try Store(path: file.path)
        try other.execute("UPDATE items SET name = 'new'")
        let path = ListIndexPath(section: 0, row: 1)
        #expect(try items.controller.object(at: path)["name"] == "EAT")
        // From now on the statements on that connection have another function.
        try store.addFunction("shout", argumentCount: 1, isDeterministic: true) { _ in "quiet" }
        try store.dispatch()
        #expect(try items.controller.object(at: path)["name"] == "quiet")
    }

    /// The other connection has a function of the same name, with another number of arguments.
    @Test func aFunctionOfTheConnectionAloneIsMissingElsewhere() throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(Self.script)
        try addShout(store)
        let reader = try #require(try store.connection.openReader())
        defer { reader.close() }
        try reader.addFunction(SQLFunction(name: "shout", argumentCount: 2, kind: .scalar { $0.value(0) }))
        let log = try store.connection.prepareLoggingAccess("SELECT shout(name) FROM items").log
        #expect(try !store.connection.agrees(with: reader, on: log, in: .main))
        try store.connection.shareFunctions(with: reader, onOtherThread: false)
        #expect(try store.connection.agrees(with: reader, on: log, in: .main))
    }

    @Test func onlyThoseForAnyThreadAreCalledOnOthers() throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(Self.script)
        for isForAnyThread in [false, true] {
            let calls = Calls()
            try store.addFunction(
                SQLFunction(
                    name: "noted", argumentCount: 1, isForAnyThread: isForAnyThread,
                    kind: .scalar { arguments in
                        calls.note()
                        return arguments.value(0)
                    }))
            let list = try FetchedResultsController(
                store: store, request: FetchRequest(entity: "items", predicate: "noted(name) <> ''"))
            var isDone = false
            try list.performFetchAsynchronously(progress: { _ in true }, completion: { _ in isDone = true })
            for _ in 0..<500 where !isDone { try store.wait(milliseconds: 100) }
            #expect(try list.numberOfObjects == 3)
            #expect(calls.wereElsewhere == isForAnyThread)
        }
    }

    /// Whether a function was called on another thread than the test's.
    private final class Calls: Sendable {
        private let own = pthread_self()
        private let elsewhere = Mutex(false)

        var wereElsewhere: Bool { elsewhere.withLock(\.self) }

        func note() { if pthread_equal(own, pthread_self()) == 0 { elsewhere.withLock { $0 = true } } }
    }
}
