import TestSupport
import Testing

@testable import FetchedResults

/// Lists that are fetched, or get another request, when there are changes that no round has
/// delivered. Each list gets the differences since the state that it shows, also if later changes
/// undo what it shows.
@Suite struct FetchedAheadTests {
    /// An event. The second one of its kind takes the first one back.
    enum Event: CaseIterable {
        case otherRows, otherParent, ownRows, fetch, request, pause, transaction, dispatch
    }

    private final class World {
        let lists: ListsOfEachKind
        private var isOn: [Event: Bool] = [:]

        init(queued: Bool) throws { lists = try ListsOfEachKind(queued: queued) }

        /// Makes an event happen, unless another connection is in the way.
        func run(_ event: Event) throws {
            do { try begin(event) } catch let error as StoreError where error.status == .busy {}
        }

        private func begin(_ event: Event) throws {
            isOn[event] = !(isOn[event] ?? false)
            let isOn = isOn[event] ?? false
            switch event {
            case .otherRows: try lists.changeRows(lists.other, isOn ? "other" : nil, row: 7)
            case .otherParent:
                try lists.other.execute("UPDATE kinds SET name = ? WHERE id = 1", [.text(isOn ? "z" : "x")])
            case .ownRows: try lists.changeRows(lists.own, isOn ? "own" : nil, row: 8)
            case .fetch: try lists.fetch()
            case .request: try lists.setPredicate(isOn ? "name <> 'b'" : nil)
            case .pause: for list in lists.lists { try list.setPaused(isOn) }
            case .transaction: try lists.own.execute(isOn ? "BEGIN" : "ROLLBACK")
            case .dispatch: try lists.own.dispatch()
            }
        }

        /// Ends what is open, and delivers.
        func finish() throws {
            if isOn[.transaction] == true { try run(.transaction) }
            if isOn[.pause] == true { try run(.pause) }
            try lists.own.dispatch()
        }
    }

    /// Before: lists of each kind that show the database. Change: each sequence of events, after a
    /// commit of the other connection; then everything that is open ends, and the store dispatches.
    /// Expected: each list, and its change sets replayed, are equal to a newly fetched list.
    /// With `FR_SECONDS` the sequences are longer.
    @Test(arguments: [false, true], Event.allCases) func everySequenceLeadsToTheDatabase(
        queued: Bool, first: Event
    ) throws {
        for events in Self.sequences(of: RandomTests.seconds == nil ? 1 : 3) {
            let world = try World(queued: queued)
            let events = [.otherRows, first] + events
            do {
                for event in events { try world.run(event) }
                try world.finish()
                for fault in try world.lists.faults() { Issue.record("\(events): \(fault)") }
            } catch {
                Issue.record("\(events): \(error)")
            }
        }
    }

    /// All sequences of so many events.
    private static func sequences(of count: Int) -> [[Event]] {
        if count == 0 { return [[]] }
        return sequences(of: count - 1).flatMap { sequence in Event.allCases.map { sequence + [$0] } }
    }
}
