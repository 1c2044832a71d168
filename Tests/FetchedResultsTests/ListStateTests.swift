import ListEngine
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The actions of a list at each event in each state, as docs/architecture.md lists them.
@Suite struct ListStateTests {
    private static let failure = StoreError(.io, "the disk is gone")

    private static let states: [(name: String, state: ListState)] = [
        ("not fetched", .notFetched([])), ("live", .live), ("ahead", .ahead),
        ("behind", .behind(failure)),
        ("paused", .paused(HeldChanges(reasons: .paused, base: .live))),
        ("due", .due(HeldChanges(reasons: [], base: .live))),
    ]

    private static let events: [(name: String, event: ListEvent)] = [
        ("fetched", .fetched(isAhead: false)), ("fetched ahead", .fetched(isAhead: true)),
        ("round", .round(.changes)), ("empty round", .round(.empty)), ("settings", .settings),
        ("pause", .hold(.paused)),
        ("resume", .release(.paused, reload: false)), ("followed", .followed), ("failed", .failed(failure)),
        ("reread shown", .shown(isAhead: false)), ("closed", .closed),
    ]

    private static func name(_ state: ListState) -> String {
        switch state {
        case .notFetched: "not fetched"
        case .live: "live"
        case .ahead: "ahead"
        case .behind: "behind"
        case .paused: "paused"
        case .due: "due"
        }
    }

    private static func name(_ action: ListAction) -> String? {
        switch action {
        case .none: nil
        case .follow(.committed): "follow"
        case .follow: "read again"
        case .miss: "note"
        case .catchUp: "catch up"
        case .take: "take"
        case .compare(.failure): "read again"
        case .compare: "compare"
        case .askForRound: "ask for a round"
        case .notifyFailure: "notify"
        }
    }

    private static func cell(_ state: ListState, _ event: ListEvent) -> String {
        let (action, next) = state.after(event)
        let move = name(next) == name(state) ? nil : "→ " + name(next)
        return [name(action), move].compactMap(\.self).joined(separator: " ")
    }

    /// The rows of the table, one for each event.
    private static var table: [String] {
        let head = "|  | " + states.map(\.name).joined(separator: " | ") + " |"
        return [head]
            + events.map { event in
                "| " + event.name + " | " + states.map { cell($0.state, event.event) }.joined(separator: " | ") + " |"
            }
    }

    @Test func eachCellIsThatOfTheDocumentation() throws {
        let lines = try linesOfArchitecture()
        for row in Self.table { #expect(lines.contains(row), "docs/architecture.md lacks \(row)") }
    }

    private static let bases: [HeldChanges.Base] = [.live, .ahead, .behind(failure)]

    /// A list is paused and resumed: its basis is the same as before, and it catches up unless
    /// there is nothing to show.
    @Test func aPauseRetainsTheBasisOfTheList() throws {
        for (_, state) in Self.states where state.reasons.isEmpty && !state.isDue {
            guard case .paused(let held) = state.after(.hold(.paused)).state else { continue }
            #expect(held.basis == state.basis)
            let (action, due) = ListState.paused(held).after(.release(.paused, reload: false))
            guard case .askForRound = action, case .catchUp(let caughtUp) = due.after(.round(.empty)).action else {
                Issue.record("a resumed list catches up")
                continue
            }
            #expect((caughtUp.round == nil) == (state.basis == .committed))
        }
    }

    /// Each reason holds changes back independently; ending the first one decides nothing, and a
    /// reload that one requests is retained.
    @Test func eachReasonToHoldBackCounts() {
        let both = ListState.live.after(.hold(.paused)).state.after(.hold(.disabled)).state
        let (action, one) = both.after(.release(.disabled, reload: true))
        #expect(Self.name(action) == nil && one.reasons == .paused)
        let (last, due) = one.after(.release(.paused, reload: false))
        #expect(Self.name(last) == "ask for a round")
        guard case .due(let held) = due else {
            Issue.record("\(due)")
            return
        }
        #expect(held.endsWithReload)
    }

    /// Rounds during a pause are noted, whatever the basis of the list, and determine the round
    /// with which it catches up.
    @Test func whatPassesDuringAPauseIsNoted() {
        for base in Self.bases {
            let paused = ListState.paused(HeldChanges(reasons: .paused, base: base))
            for (event, reread, isSchemaChanged) in [
                (ListEvent.round(.changes), RereadReason.pause, false), (.round(.schema), .pause, true),
                (.settings, .request, false),
            ] {
                guard case .paused(let held) = paused.after(event).state else {
                    Issue.record("\(event)")
                    return
                }
                #expect(held.round?.reread == reread)
                #expect(held.round?.isSchemaChanged == isSchemaChanged)
            }
        }
    }

    /// A pause that begins between the preparing and the showing of a state lasts.
    @Test func aPauseOutlastsWhatIsShownMeanwhile() {
        for isAhead in [false, true] {
            let shown = ListState.paused(HeldChanges(reasons: .paused, base: .live)).after(
                .shown(isAhead: isAhead))
            guard case .paused(let held) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(held.basis == (isAhead ? .ahead : .committed))
        }
    }

    /// Only lists that have something to try again take part in rounds that touch none of their
    /// tables.
    @Test func whichStatesFollowEveryRound() {
        #expect(Self.states.filter(\.state.followsEveryRound).map(\.name) == ["ahead", "behind", "due"])
    }
}
