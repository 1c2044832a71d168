import TestSupport
import Testing

@testable import FetchedResults

/// What a program may do between two records of one change set.
@Suite struct BetweenRecordsTests {
    enum Action: CaseIterable {
        case fetch, fetchAfterOther, fetchAfterOwn, own, other, dispatch, request, pause, hold

        func run(_ lists: ListsOfEachKind) throws {
            switch self {
            case .fetch: try lists.fetch()
            case .fetchAfterOther:
                try lists.changeRows(lists.other, "zother", row: 7)
                try lists.fetch()
            case .fetchAfterOwn:
                try lists.changeRows(lists.own, "zown", row: 7)
                try lists.fetch()
            case .own: try lists.changeRows(lists.own, "zown", row: 7)
            case .other: try lists.changeRows(lists.other, "zother", row: 7)
            case .dispatch: try lists.own.dispatch()
            case .request: try lists.setPredicate("name <> 'zown'")
            case .pause: for list in lists.lists { try list.setPaused(true) }
            case .hold: break
            }
        }
    }

    /// Acts before a record of one list, and keeps the change sets of all lists.
    private final class Actor: FetchedResultsObserver {
        private var act: (() -> Void)?
        private var recordsBefore: Int
        private(set) var held: [ListChanges] = []

        init(before record: Int, _ act: @escaping () -> Void) {
            self.act = act
            recordsBefore = record
        }

        func list(
            _ list: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges
        ) {
            if recordsBefore == 0, let act = act.take() { act() }
            recordsBefore -= 1
        }

        func list(_ list: any LiveList, didDeliver changes: ListChanges) { held.append(changes) }

        /// Releases what the action refers to, if no record came.
        func end() { act = nil }

        /// Reads the objects of all records, as far as they can still be read.
        func readAll() {
            for changes in held {
                for change in changes.changeSet.objectChanges { _ = try? changes.object(of: change) }
            }
        }
    }

    /// Before: lists of each kind, with few contents in memory. Change: a transaction that updates,
    /// inserts and deletes; before one record of one list, the action; afterwards the records of
    /// all change sets are read. Expected: each list, and its change sets replayed, are equal to a
    /// newly fetched list, now and after the next delivery.
    @Test(arguments: Action.allCases, [false, true]) func noRowShowsAnotherOne(action: Action, isForeign: Bool) throws {
        for list in try ListsOfEachKind().lists.indices {
            // Each record has its turn, beside other lists.
            let record = (list + (Action.allCases.firstIndex(of: action) ?? 0)) % 3
            try expectRightLists(action, isForeign, before: record, of: list)
        }
    }

    private func expectRightLists(_ action: Action, _ isForeign: Bool, before record: Int, of list: Int) throws {
        let name = "list \(list), record \(record)"
        let lists = try ListsOfEachKind()
        var failure: (any Error)?
        let actor = Actor(before: record) {
            do { try action.run(lists) } catch { failure = error }
        }
        lists.lists[list].addObserver(actor)
        try lists.changeRows(isForeign ? lists.other : lists.own, "new", row: 9)
        try lists.own.dispatch()
        if action == .pause { try lists.lists.forEach { try $0.resume() } }
        try lists.own.dispatch()
        #expect(failure == nil, "\(name)")
        actor.end()
        actor.readAll()
        for fault in try lists.faults() { Issue.record("\(name): \(fault)") }
        // Later states, in which the rows are others.
        try lists.changeRows(lists.other, nil, row: 9)
        try lists.own.dispatch()
        actor.readAll()
        for fault in try lists.faults() { Issue.record("\(name), later: \(fault)") }
    }
}
