internal import ListEngine
internal import SQLiteKit

/// The state of a list in relation to its database. The action at an event depends on this alone.
/// State that only few lists have is behind a reference.
///
/// A fetch in the background can be under way in each of these states. The table in
/// docs/architecture.md shows every state with every event.
enum ListState {
    case notFetched(HoldReasons)
    /// Shows the state that the last round delivered.
    case live
    /// Shows changes that no round has delivered: it was fetched inside a transaction, or after
    /// commits that wait for their round.
    case ahead
    /// Could not follow a round, and tries again at each one.
    indirect case behind(StoreError)
    /// Stays as it is until every reason to hold changes back has ended.
    indirect case paused(HeldChanges)
    /// Catches up in the next round, together with all other lists, so that all of them show one
    /// state.
    indirect case due(HeldChanges)
}

/// Why a list holds changes back. Each reason holds them back independently.
struct HoldReasons: OptionSet, Hashable {
    let rawValue: UInt8

    static let paused = HoldReasons(rawValue: 1)
    static let disabled = HoldReasons(rawValue: 2)
}

/// The changes that a list holds back.
struct HeldChanges {
    /// The states in which a list can be paused.
    enum Base {
        case live
        case ahead
        case behind(StoreError)
    }

    var reasons: HoldReasons
    var base: Base
    /// The rounds that passed, as one.
    var missed = RoundKind.empty
    /// Whether there is another request, or there are other sections, that the list does not show.
    var hasNewSettings = false
    /// Whether to catch up with a reload.
    var endsWithReload = false

    var basis: Basis {
        switch base {
        case .live: .committed
        case .ahead: .ahead
        case .behind: .failure
        }
    }

    /// The round with which the list catches up; nil if there is nothing that it does not show.
    var round: Round? {
        guard missed > .empty || hasNewSettings || basis != .committed else { return nil }
        return .unknown(hasNewSettings ? .request : .pause, isSchemaChanged: missed == .schema)
    }

    mutating func note(_ round: RoundKind) { missed = max(missed, round) }
}

/// The property of a round that matters to the state. Of two rounds, the greater one counts.
enum RoundKind: Comparable, CaseIterable {
    /// It touched nothing; some lists take part in every round.
    case empty
    case changes
    case schema

    init(_ round: Round) { self = round.isSchemaChanged ? .schema : round.isEmpty ? .empty : .changes }
}

/// An event of a list.
enum ListEvent {
    case fetched(isAhead: Bool)
    /// The store prepares a round.
    case round(RoundKind)
    /// The list takes another request or other sections.
    case settings
    case hold(HoldReasons)
    case release(HoldReasons, reload: Bool)
    /// The state that the list was to follow is prepared.
    case followed
    /// It could not be prepared.
    case failed(StoreError)
    /// A list that was read from scratch is shown.
    case shown(isAhead: Bool)
    /// The program has ended the list.
    case closed
}

/// The action of a list at an event.
enum ListAction {
    case none
    /// Prepares the round.
    case follow(Basis)
    /// Notes the rows that the round touched.
    case miss
    /// Prepares the changes that it missed.
    case catchUp(HeldChanges)
    /// Takes the settings without reading.
    case take
    /// Prepares the changes of the settings.
    case compare(Basis)
    /// Asks the store for a round.
    case askForRound
    /// Notifies its observers of the failure.
    case notifyFailure
}

extension ListState {
    /// The action of the list at an event, and its state from then on.
    func after(_ event: ListEvent) -> (action: ListAction, state: ListState) {
        switch event {
        case .fetched(let isAhead): (.none, afterFetch(isAhead))
        case .round(let round): after(round)
        case .settings: afterSettings()
        case .hold(let reason): (.none, holding(reason))
        case .release(let reason, let reload): releasing(reason, reload)
        case .followed: (.none, isHeld ? self : .live)
        case .failed(let error): afterFailure(error)
        case .shown(let isAhead): (.none, showing(isAhead))
        case .closed: (.none, .notFetched(reasons))
        }
    }

    private func afterFetch(_ isAhead: Bool) -> ListState {
        let fetched: HeldChanges.Base = isAhead ? .ahead : .live
        return reasons.isEmpty ? ListState(fetched) : .paused(HeldChanges(reasons: reasons, base: fetched))
    }

    private func after(_ round: RoundKind) -> (ListAction, ListState) {
        switch self {
        case .notFetched: return (.none, self)
        case .live, .ahead, .behind: return (.follow(basis), self)
        case .paused(var held):
            if case .empty = round { return (.none, self) }
            held.note(round)
            return (.miss, .paused(held))
        case .due(var held):
            held.note(round)
            return (.catchUp(held), ListState(held.base))
        }
    }

    private func afterSettings() -> (ListAction, ListState) {
        switch self {
        case .notFetched: return (.take, self)
        case .live, .ahead, .behind: return (.compare(basis), self)
        case .paused(var held):
            held.hasNewSettings = true
            return (.take, .paused(held))
        case .due(var held):
            held.hasNewSettings = true
            return (.take, .due(held))
        }
    }

    private func holding(_ reason: HoldReasons) -> ListState {
        switch self {
        case .notFetched(let reasons): return .notFetched(reasons.union(reason))
        case .live: return .paused(HeldChanges(reasons: reason, base: .live))
        case .ahead: return .paused(HeldChanges(reasons: reason, base: .ahead))
        case .behind(let error): return .paused(HeldChanges(reasons: reason, base: .behind(error)))
        case .paused(var held), .due(var held):
            held.reasons.formUnion(reason)
            return .paused(held)
        }
    }

    private func releasing(_ reason: HoldReasons, _ reload: Bool) -> (ListAction, ListState) {
        switch self {
        case .notFetched(let reasons): return (.none, .notFetched(reasons.subtracting(reason)))
        case .live, .ahead, .behind, .due: return (.none, self)
        case .paused(var held):
            guard held.reasons.contains(reason) else { return (.none, self) }
            held.reasons.subtract(reason)
            held.endsWithReload = held.endsWithReload || reload
            return held.reasons.isEmpty ? (.askForRound, .due(held)) : (.none, .paused(held))
        }
    }

    private func afterFailure(_ error: StoreError) -> (ListAction, ListState) {
        switch self {
        case .notFetched: return (.none, self)
        case .live, .ahead: return (.notifyFailure, .behind(error))
        case .behind: return (.none, .behind(error))
        case .paused(var held):
            held.base = .behind(error)
            return (.none, .paused(held))
        case .due(var held):
            held.base = .behind(error)
            return (.none, .due(held))
        }
    }

    private func showing(_ isAhead: Bool) -> ListState {
        let shown: HeldChanges.Base = isAhead ? .ahead : .live
        switch self {
        case .notFetched: return self
        case .live, .ahead, .behind: return ListState(shown)
        case .paused(var held):
            held.base = shown
            return .paused(held)
        case .due(var held):
            held.base = shown
            return .due(held)
        }
    }

    private init(_ base: HeldChanges.Base) {
        switch base {
        case .live: self = .live
        case .ahead: self = .ahead
        case .behind(let error): self = .behind(error)
        }
    }
}

extension ListState {
    /// Whether changes are held back.
    var isHeld: Bool {
        switch self {
        case .notFetched, .paused, .due: true
        case .live, .ahead, .behind: false
        }
    }

    /// The reasons to hold changes back that have not ended.
    var reasons: HoldReasons {
        switch self {
        case .notFetched(let reasons): reasons
        case .live, .ahead, .behind, .due: []
        case .paused(let held): held.reasons
        }
    }

    /// The basis of the shown state.
    var basis: Basis {
        switch self {
        case .notFetched, .live: .committed
        case .ahead: .ahead
        case .behind: .failure
        case .paused(let held), .due(let held): held.basis
        }
    }

    var isDue: Bool { if case .due = self { true } else { false } }

    /// Whether the list takes part in every round, whatever that touches.
    var followsEveryRound: Bool {
        switch self {
        case .notFetched, .live: false
        case .paused(let held): held.basis != .committed
        case .ahead, .behind, .due: true
        }
    }

    /// Whether the list shows the last committed state, as far as the store has delivered it.
    var isCurrent: Bool { if case .live = self { true } else { false } }
}
