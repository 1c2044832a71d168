import TestSupport
import Testing

@testable import FetchedResults

/// The actions of a store at each event in each phase, as docs/architecture.md lists them.
@Suite struct DeliveryPhaseTests {
    private static func name(_ event: DeliveryEvent) -> String {
        switch event {
        case .statement: "statement"
        case .listDue: "list due"
        case .use: "use"
        case .dispatch: "dispatch"
        }
    }

    private static func name(_ action: DeliveryAction) -> String {
        switch action {
        case .none: ""
        case .deliver: "deliver"
        case .deliverLater: "deliver later"
        case .wake: "wake"
        }
    }

    /// The rows of the table. Only for lists that are due it matters whether changes wait.
    private static var table: [String] {
        [false, true].flatMap { isQueued in
            DeliveryEvent.allCases.flatMap { event in
                (event == .listDue && isQueued ? [false, true] : [false]).map { hasChanges in
                    let cells = DeliveryPhase.allCases.map { phase in
                        name(phase.action(at: event, isQueued: isQueued) { hasChanges })
                    }
                    let head = name(event) + (isQueued ? ", queued" : "") + (hasChanges ? ", changes wait" : "")
                    return "| " + ([head] + cells).joined(separator: " | ") + " |"
                }
            }
        }
    }

    @Test func eachCellIsThatOfTheDocumentation() throws {
        let lines = try linesOfArchitecture()
        for row in Self.table { #expect(lines.contains(row), "docs/architecture.md lacks \(row)") }
    }

    @Test func whetherChangesWaitMattersToDueListsOfQueuedStoresAlone() {
        for phase in DeliveryPhase.allCases {
            for event in DeliveryEvent.allCases {
                for isQueued in [false, true] where !(isQueued && event == .listDue) {
                    let actions = [false, true].map { hasChanges in
                        Self.name(phase.action(at: event, isQueued: isQueued) { hasChanges })
                    }
                    #expect(actions[0] == actions[1])
                }
            }
        }
    }

    /// Before: a paused list that has missed a commit. Change: it is resumed in a transaction that
    /// changes nothing.
    /// Expected: it catches up when the transaction has ended, also in a store that queues.
    @Test(arguments: [false, true], ["COMMIT", "ROLLBACK"])
    func aListThatIsResumedInATransactionCatchesUpAfterIt(isQueued: Bool, end: String) throws {
        var options = StoreOptions()
        options.queuesDelivery = isQueued
        let store = try Store(path: ":memory:", options: options)
        try store.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        try store.dispatch()
        let items = try Watch(store, "items")
        try items.controller.setPaused(true)
        try store.execute("DELETE FROM items")
        try store.dispatch()
        try store.execute("BEGIN")
        try items.controller.setPaused(false)
        #expect(items.take() == [])
        try store.execute(end)
        #expect(items.take() == ["delete 1 at 0.0"])
    }
}
