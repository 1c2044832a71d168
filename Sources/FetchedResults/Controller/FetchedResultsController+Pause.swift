internal import ChangeSets
internal import SQLiteKit

/// Whether a list's changes are not delivered for now, and what there was meanwhile.
struct Pause {
    var isPaused = false
    /// Whether it has ended, and what there was meanwhile is still to be delivered.
    var isEnding = false
    /// Whether rounds pass the list by.
    var holdsBack: Bool { isPaused || isEnding }
    private(set) var hasMissed = false
    private var hasMissedSchema = false
    private var hasNewRequest = false

    mutating func note(_ round: Round) {
        hasMissed = true
        hasMissedSchema = hasMissedSchema || round.isSchemaChanged
    }

    /// Notes that the list is to show something else when it is resumed.
    mutating func noteRequest() {
        hasMissed = true
        hasNewRequest = true
    }

    mutating func forget() { self = Pause(isPaused: isPaused) }

    init(isPaused: Bool = false) { self.isPaused = isPaused }

    /// What the list catches up with.
    var round: Round { Round([], reread: hasNewRequest ? .request : .pause, isSchemaChanged: hasMissedSchema) }
}

extension FetchedResultsController {
    /// Whether changes are not delivered for now.
    public var isPaused: Bool { pause.isPaused }

    /// Keeps the list as it is until `resume`. Objects that changed meanwhile and are not in the cache are reported gone.
    public func setPaused() { pause.isPaused = true }

    /// Goes on delivering. What changed meanwhile is delivered as one change set of the difference, or, with `reload`, as
    /// one reload, which comes also if nothing changed. Inside a callback that is done after the current round. A failure
    /// is told to the observers, and the list goes on by itself when the cause is gone.
    public func resume(reload: Bool = false) throws {
        try store.checkOpen()
        guard pause.isPaused else { return }
        pause.isPaused = false
        pause.isEnding = true
        try store.queue.runOrWait { [weak self] in self?.deliverMissed(reload: reload) } failed: { _ in }
        store.deliverIfDue()
    }

    private func deliverMissed(reload: Bool) {
        pause.isEnding = false
        guard !store.isClosed, isFetched, !pause.isPaused else { return }
        guard pause.hasMissed || reload else { return }
        let missed = pause.round
        forgetMissed()
        do {
            if reload {
                let fetched = try store.connection.reading { try prepareFetch { _ in true } }
                Bracket.reload(self) { show(fetched) }
            } else {
                try store.connection.reading { try prepareNoting(missed) }
                Bracket.announce([self])
            }
        } catch {
            let error = StoreError(any: error)
            if noteFailure(error) { tellFailure(error) }
        }
    }

    /// Notes a round that passes while the list is paused.
    func noteMissed(_ round: Round) {
        pause.note(round)
        missed.note(round, subscription, compiled)
        sectionRows?.controller?.noteMissed(round)
    }

    /// Notes that the paused list is to show something else when it is resumed.
    func noteRequestForResume() {
        pause.noteRequest()
        sectionRows?.controller?.pause.noteRequest()
    }

    func forgetMissed() {
        pause.forget()
        sectionRows?.controller?.pause.forget()
    }
}
