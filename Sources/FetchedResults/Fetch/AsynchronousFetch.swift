internal import ListEngine
internal import SQLiteKit

/// A fetch in the background, in the store's thread.
///
/// | state | what `Store.dispatch` does | next state |
/// |---|---|---|
/// | waiting | begins to read, if the lists show what is committed | reading, here, or waiting |
/// | reading | takes the list over once it is read | the end; waiting, to read again; here, if reading failed |
/// | here | reads the list itself | the end |
/// | cancelled | reports that | the end |
///
/// Setting another request while `reading` or `here` returns to `waiting`. Each state except the
/// last can be cancelled.
final class AsynchronousFetch {
    enum State {
        case waiting
        case reading(BackgroundReading)
        case here
        case cancelled
    }

    private(set) var state = State.waiting {
        didSet { if case .reading(let reading) = oldValue { reading.end() } }
    }
    /// The number of times that reading began since the request was set.
    private(set) var attempts = 0
    let completion: (StoreError?) -> Void
    /// The group of fetches to which it belongs; nil if it ends by itself.
    let group: (any FetchGroup)?
    private let progress: (Int) -> Bool
    private var reportedRows = 0

    init(progress: @escaping (Int) -> Bool, completion: @escaping (StoreError?) -> Void) {
        self.progress = progress
        self.completion = completion
        group = nil
    }

    init(in group: any FetchGroup, progress: @escaping (Int) -> Bool) {
        self.group = group
        self.progress = progress
        completion = { _ in }
    }

    static let cancellation = StoreError(.cancelled, "the fetch was cancelled")

    var isCancelled: Bool { if case .cancelled = state { true } else { false } }

    /// Whether `dispatch` reads the list.
    var isReadHere: Bool { if case .here = state { true } else { false } }

    /// Whether a list that is taken now is the one that was requested.
    var isCurrent: Bool {
        switch state {
        case .reading, .here: true
        case .waiting, .cancelled: false
        }
    }

    /// Reports how many rows have been read, if there are more than before; false if the program
    /// cancels the fetch.
    func report(_ rows: Int) -> Bool {
        if rows > reportedRows {
            reportedRows = rows
            if !progress(rows) { cancel() }
        }
        return !isCancelled
    }

    func begin(_ reading: BackgroundReading) {
        attempts += 1
        state = .reading(reading)
    }

    /// Begins again: the list that is being read can't be updated.
    func retry() { state = .waiting }

    /// Begins again with another request.
    func restart() {
        guard !isCancelled else { return }
        attempts = 0
        state = .waiting
    }

    func readHere() { state = .here }

    func cancel() { state = .cancelled }

    /// Ends reading.
    func end() {
        if case .reading(let reading) = state { reading.end() }
    }

    /// Whether the list can be taken over, or read by `dispatch`.
    var isReady: Bool {
        switch state {
        case .reading(let reading): reading.isReady
        case .here: true
        case .waiting, .cancelled: false
        }
    }

    /// Notes a round that is delivered.
    func note(_ round: Round) {
        if case .reading(let reading) = state { reading.note(round) }
    }
}

/// Fetches that end together, as the fetches of a collection's children do.
protocol FetchGroup: AnyObject {
    /// Takes all lists over if all can be; called when one of the fetches has advanced.
    func proceed()
    /// Cancels all of them.
    func cancel()
    /// Discards all of them, without notifying anyone, once all stores are closed.
    func discard()
}
