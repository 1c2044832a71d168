import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Caching locks the database for a moment. No trace of that stays, and nothing that is in progress
/// is lost.
@Suite struct CacheLocks {
    @Test func aReaderInARollbackModeLeavesNoTransactionOpen() throws {
        let starts = try Starts(journalMode: "delete")
        var options = starts.options
        options.busyTimeout = 0
        let other = try Store(path: starts.file.path, options: options)
        defer { try? other.close() }
        try other.begin(.deferred)
        try other.execute("SELECT count(*) FROM items")
        let first = try starts.fetch { store, controller in
            #expect(try !store.isInTransaction)
            controller.cacheList()
            #expect(try !store.isInTransaction)
            try other.rollback()
            try store.execute("INSERT INTO other VALUES (1, 1)")
            try other.execute("INSERT INTO other VALUES (2, 2)")
        }
        #expect(!first.isFromCache)
        try starts.start { store in
            var count: [Value] = []
            try store.query("SELECT count(*) FROM other") { count = $0 }
            #expect(count == [2])
        }
    }

    @Test(arguments: ["wal", "delete"]) func aStatementThatReadsContinues(journalMode: String) throws {
        let starts = try Starts(journalMode: journalMode)
        try starts.start { store in
            let statement = try store.prepare("SELECT id FROM items ORDER BY id")
            #expect(try store.step(statement) && statement.integer(0) == 1)
            let controller = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            #expect(try store.step(statement) && statement.integer(0) == 2)
            #expect(try !store.isInTransaction)
        }
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aStatementThatWritesAnotherDatabaseIsNotRolledBack() throws {
        let starts = try Starts()
        let aside = TemporaryFile()
        try starts.start { store in
            try store.execute("ATTACH ? AS aside", [.text(aside.path)])
            try store.execute("CREATE TABLE aside.notes (v)")
            let controller = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            try store.dispatch()
            let statement = try store.prepare("INSERT INTO aside.notes VALUES (1), (2) RETURNING v")
            #expect(try store.step(statement))
            try controller.performFetch()
            controller.cacheList()
            while try store.step(statement) {}
            var count: [Value] = []
            try store.query("SELECT count(*) FROM aside.notes") { count = $0 }
            #expect(count == [2])
        }
    }

    @Test(arguments: ["wal", "delete"]) func anInterruptLeavesNoTransactionOpen(journalMode: String) throws {
        let starts = try Starts(journalMode: journalMode)
        try starts.start { store in
            let statement = try store.prepare("SELECT id FROM items")
            #expect(try store.step(statement))
            let isRun = try store.connection.withoutOtherWriters(mayWait: false) {
                store.connection.interrupt()
                return true
            }
            #expect(isRun)
            #expect(store.connection.isAutocommit && !store.connection.isWriting)
            statement.reset()
            try store.execute("INSERT INTO other VALUES (1, 1)")
        }
    }

    @Test func aFailureInsideLeavesNoTransactionOpen() throws {
        try Starts().start { store in
            expectFailure(.range) {
                try store.connection.withoutOtherWriters(mayWait: false) { throw StoreError(.range, "as wanted") }
            }
            #expect(try !store.isInTransaction)
            try store.begin()
            expectFailure(.busy) { try store.connection.withoutOtherWriters(mayWait: false) {} }
            try store.commit()
        }
    }
}
