/// Whether a list holds its changes back, and what there was meanwhile.
///
/// A list is paused by `setPaused`, and a section map disabled by `setDisabled`: two reasons, each of which holds changes
/// back for itself. When the last one ends, the list is *due*: it catches up in the store's next round, together with all
/// other lists, so that all of them show one state.
struct Pause {
    var isPaused = false
    var isDisabled = false
    /// Whether a reason has ended, after which the list is to catch up, and whether that is to be a reload.
    private var hasEnded = false
    private(set) var endsWithReload = false
    /// Whether there was anything that the list does not show.
    private(set) var hasMissed = false
    private var hasMissedSchema = false
    private var hasNewRequest = false

    /// Whether there is a reason to hold changes back.
    private var isHeld: Bool { isPaused || isDisabled }
    /// Whether the list is to catch up in the next round.
    var isDue: Bool { hasEnded && !isHeld }
    /// Whether the list shows an earlier state than others.
    var holdsBack: Bool { isHeld || isDue }

    /// Notes that a reason ended.
    mutating func end(reload: Bool) {
        hasEnded = true
        endsWithReload = endsWithReload || reload
    }

    /// Notes a round that passes.
    mutating func note(_ round: Round) {
        hasMissed = true
        hasMissedSchema = hasMissedSchema || round.isSchemaChanged
    }

    /// Notes that the list is to show something else when it catches up.
    mutating func noteRequest() {
        hasMissed = true
        hasNewRequest = true
    }

    /// Forgets what there was, after the list has caught up or was fetched.
    mutating func forget() {
        let held = (isPaused, isDisabled)
        self = Pause()
        (isPaused, isDisabled) = held
    }

    /// What the list catches up with.
    var round: Round { Round([], reread: hasNewRequest ? .request : .pause, isSchemaChanged: hasMissedSchema) }
}
