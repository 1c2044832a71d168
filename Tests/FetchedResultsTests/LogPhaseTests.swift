import TestSupport
import Testing

@testable import FetchedResults

/// The phases in which a log is followed, and what changes them, as docs/architecture.md lists
/// them.
@Suite struct LogPhaseTests {
    private typealias Phase = LogPhase<Int>

    private static var phases: [Phase] { [.never, .off, .unreadable, .possible, .open(1), .on(1)] }
    private static var events: [(name: String, event: Phase.Event)] {
        [
            ("opened", .opened(1)), ("missing", .missing), ("encrypted", .encrypted), ("begun", .begun),
            ("closed", .closed), ("lists read", .listsRead), ("paused", .paused),
        ]
    }

    private static func name(_ phase: Phase) -> String {
        switch phase {
        case .never: "never"
        case .off: "off"
        case .unreadable: "unreadable"
        case .possible: "possible"
        case .open: "open"
        case .on: "on"
        }
    }

    @Test func eachCellIsThatOfTheDocumentation() throws {
        let lines = try linesOfArchitecture()
        for (name, event) in Self.events {
            let cells = Self.phases.map { phase in
                let next = Self.name(phase.after(event))
                return next == Self.name(phase) ? "" : next
            }
            let row = "| " + ([name] + cells).joined(separator: " | ") + " |"
            #expect(lines.contains(row), "docs/architecture.md lacks \(row)")
        }
    }

    /// Only the phases after `opened` have a log, and they keep it until it is closed.
    @Test func aLogIsOpenUntilItIsClosed() {
        for phase in Self.phases {
            for (name, event) in Self.events {
                let isOpen = if case .opened = event { Self.name(phase) == "possible" } else { false }
                let isClosed = if case .closed = event { true } else { false }
                #expect(phase.after(event).log == (isOpen ? 1 : isClosed ? nil : phase.log), "\(phase), \(name)")
            }
        }
    }
}
