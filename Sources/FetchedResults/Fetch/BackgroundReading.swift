internal import ListEngine
internal import SQLiteKit

/// A list that a thread reads, and the deliveries since the state that it reads.
///
/// That state is the one that the lists showed when the thread began. So all rounds since then, and
/// only these, update the list to the state that the lists show now, and the old images of the
/// first round that touched a row are that row in the list.
final class BackgroundReading {
    let background: BackgroundFetch
    let compiled: CompiledRequest
    let watches: Watches
    /// In a section map: its sections, in the state that the thread reads.
    let sections: FetchedSections?
    /// The rounds as one: every touched row, with its image before the first of them.
    private(set) var since = Round()
    /// Whether the rows that changed since then are known one by one.
    private var canFollow = true

    /// Whether the sections are part of a list that was taken over.
    private var isTaken = false

    /// The greatest number of touched rows that are noted.
    private static let limit = 100_000

    init(
        _ background: BackgroundFetch, _ compiled: CompiledRequest, _ watches: Watches,
        _ sections: FetchedSections?
    ) {
        self.background = background
        self.compiled = compiled
        self.watches = watches
        self.sections = sections
    }

    func note(_ round: Round) {
        guard canFollow else { return }
        since.add(round, of: watches.all)
        canFollow = forwarding.follows(round) && since.rowCount <= Self.limit
        if !canFollow { since = Round() }
    }

    private var forwarding: Forwarding { Forwarding(compiled: compiled, watches: watches, sections: sections) }

    /// Whether to change a list that was read, rather than to read it again.
    func canFollow(in list: List) -> Bool { canFollow && Forwarding.isWorth(since.rowCount, in: list, compiled) }

    /// Whether the list was read, and can be updated to its present state.
    var isReady: Bool {
        if case .success((let list, _, _))? = background.outcome { canFollow(in: list) } else { false }
    }

    /// Whether the thread has ended, and its result can't be used.
    var isInVain: Bool { background.outcome != nil && !isReady }

    /// Notes that the list was updated to the state that the lists show. It may be taken over again
    /// if that had no effect, because another list of a collection could not be read.
    func noteForwarded() { since = Round() }

    /// The sections as part of a list that is taken over, in a state in which they are unchanged.
    func takeSections(in version: Connection.DataVersion) -> FetchedSections? {
        isTaken = true
        return sections?.unchanged(in: version)
    }

    func end() {
        background.stop()
        watches.cancel()
        if !isTaken { sections?.cancel() }
    }
}
