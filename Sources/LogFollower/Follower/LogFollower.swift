package import SQLiteKit

/// Follows the commits to a database in WAL mode, whichever connection makes them. From one
/// committed state to the next it returns the rows that differ. The cost depends on the number of
/// pages that were written.
///
/// It holds a read transaction at the state that was followed last, or at an earlier one if all
/// later commits were the follower's own. The transaction keeps the old pages readable: a
/// checkpoint does not overwrite them, and no writer restarts the log (begins it from its start)
/// before they were compared. The pages are read through SQLite's own handles of its files. Opening
/// the files a second time and closing them would release the locks of the process
/// (https://www.sqlite.org/howtocorrupt.html, "Posix advisory locks canceled").
///
/// One thread at a time uses it.
package final class LogFollower {
    /// The state that is held, and in a round the one from before. Only this takes other states.
    package let states: StatePair
    /// The index of the log, which a connection of the pair has open as long as the follower
    /// exists.
    private let index: LogIndex
    /// The state that was followed last.
    package private(set) var position: LogPosition?
    /// The frame at which the read transactions, one after the other, have begun to prevent a
    /// restart of the log; nil if they do not prevent it.
    private(set) var firstHeld: (run: UInt64, frame: UInt32)?
    private var map = FollowedMap()
    /// The step to a later state that was computed ahead. The pair has begun to show that state.
    private var prepared: FollowedMap.PreparedStep?
    /// The tables of the last step.
    private var tables: Set<ExactText> = []
    /// How many steps in succession were computed ahead in vain, and how many are not, for that.
    private var (missedSteps, skippedSteps) = (0, 0)
    package private(set) var counters = LogCounters()

    /// Opens a database file; nil if it is not in WAL mode, or if its pages are inaccessible.
    /// Throws if the file can't be opened.
    package init?(_ database: DatabaseFile) throws(StoreError) {
        guard let states = try StatePair([database]) else { return nil }
        self.states = states
        index = states.held.file.index
    }

    var held: StateReader { states.held }
    private var spare: StateReader { states.spare }

    /// One of them, which stays open until its `unshare` is called.
    func sharedReader() -> StateReader { held.share() }

    package func close() {
        discard()
        states.close()
    }

    /// The state that was committed last; nil while a commit writes it.
    ///
    /// Any thread can call this.
    package func latest() -> LogPosition? { index.position() }

    // MARK: Following

    /// Begins to follow at the present committed state, if that is `wanted`; false if it is another
    /// one.
    package func restart(at wanted: LogPosition) throws(StoreError) -> Bool {
        discard()
        if held.position != wanted {
            guard try begin() == wanted else {
                try release()
                return false
            }
            try take()
        }
        position = wanted
        noteFile()
        return true
    }

    /// Ends the read transaction, so that the log can be restarted. Nothing is followed until
    /// `restart`.
    package func release() throws(StoreError) {
        discard()
        prepared = nil
        try states.release()
    }

    private func discard() {
        position = nil
        firstHeld = nil
        map.discard()
    }

    /// Notes a later state whose commits are known from another source. The read transaction stays
    /// at its state.
    package func skip(to later: LogPosition) { if position != nil { position = later } }

    /// The state after the first commit since the one that was followed last, if other commits are
    /// between it and the last one; nil if the log does not show it. The last frame of each commit
    /// has the size of the database (https://www.sqlite.org/fileformat.html#wal_file_format).
    package func nextCommit(before latest: LogPosition) -> LogPosition? {
        guard let position, let pageSize = latest.pageSize else { return nil }
        var frame = latest.isSameRun(as: position) ? position.lastFrame : 0
        while frame < latest.lastFrame {
            frame += 1
            guard let header = try? held.file.frameHeader(frame, pageSize: pageSize),
                let pageCount = try? Page(number: 0, bytes: header).word(4)
            else { return nil }
            if pageCount > 0 { return LogPosition(after: position, atFrame: frame, pageCount, before: latest) }
        }
        return nil
    }

    /// The connection whose read transaction shows the state that was followed last, without
    /// commits that were skipped since the transaction last caught up; nil if there is none. Use it
    /// for reading only, and only until the next step.
    package var snapshot: Connection? { position == nil ? nil : held.connection }

    /// Whether the read transaction is behind the state that was followed last.
    package var isBehind: Bool { position != nil && position != held.position }

    /// How far behind the read transaction is, in frames.
    package var lag: Int {
        guard let position, let start = held.position else { return 0 }
        return position.frameCount(since: start)
    }

    /// Advances to the next state, which has to be the present committed one, and passes the rows
    /// that differ to `body`.
    ///
    /// - Parameters:
    ///   - tables: The names of tables of the database.
    ///   - body: Receives the rows, and a connection that shows the old state, if there is one. If
    ///     it throws, the state is followed nevertheless.
    package func advance(
        to next: LogPosition, _ tables: Set<ExactText>,
        _ body: ([TableChange], _ old: Connection?) throws(Uncertainty) -> Void
    ) throws(StoreError) -> Advance {
        let prepared = try takePrepared(to: next, tables)
        if prepared == nil, try begin() != next {
            try states.drop()
            return .stayed
        }
        self.tables = tables
        var advance = Advance.known
        do throws(Uncertainty) {
            guard let position else { throw .snapshot }
            let changes: [TableChange]
            if let prepared {
                changes = try map.take(prepared, &counters)
            } else if position == next {
                changes = []
            } else {
                map.lead(to: position, held, spare, &counters)
                changes = try map.step(from: position, to: next, tables, held, spare, &counters)
            }
            counters.addRows(changes)
            try body(changes, held.position == position ? held.connection : nil)
            counters.advances += 1
        } catch {
            advance = .unknown(error)
            counters.uncertain[error, default: 0] += 1
            discard()
        }
        try take()
        return advance
    }

    /// The result of advancing to the next state.
    package enum Advance: Equatable {
        case known
        /// The state is followed, but the rows that differ are unknown.
        case unknown(Uncertainty)
        /// Another state is committed now. Nothing was changed.
        case stayed
    }

    /// The rows that differ between an earlier state, which no transaction has held since, and the
    /// present committed one. nil if the log no longer contains the difference, or if another state
    /// is committed now. Nothing is followed before and after.
    ///
    /// The pages of the earlier state are in the log's frames up to it. The other pages are in
    /// the database file, as long as no checkpoint has begun to write later frames there.
    package func changes(
        since mark: LogMark, upTo next: LogPosition, _ tables: Set<ExactText>
    ) throws(StoreError) -> [TableChange]? {
        guard position == nil, try held.begin() == [next], try begin() == next else {
            try release()
            return nil
        }
        var changes: [TableChange]?
        do throws(Uncertainty) {
            guard let old = try held.file.position(of: mark, before: next) else { throw .restarted }
            var found: [TableChange] = []
            if old.lastFrame != next.lastFrame {
                found = try map.step(from: old, to: next, tables, held, spare, &counters)
                guard held.file.index.attemptedFrame <= old.lastFrame else { throw .restarted }
            }
            counters.addRows(found)
            changes = found
        } catch {
            counters.uncertain[error, default: 0] += 1
        }
        try release()
        return changes
    }

    /// Holds the state that the pair has begun to show.
    private func take() throws(StoreError) {
        try states.take()
        position = held.position
        map.discardFramesWithoutMap()
        noteFile()
    }

    /// Begins to show the present committed state. The step that was computed ahead is lost.
    private func begin() throws(StoreError) -> LogPosition {
        prepared = nil
        return try states.begin()[0]
    }

    /// The log is searched for pages of the held state only if the file does not have all of them.
    private func noteFile() {
        guard let position = held.position else { return }
        if held.isInFile {
            firstHeld = nil
            map.noteInFile(position)
        } else if firstHeld?.run != position.salts {
            firstHeld = (position.salts, position.lastFrame)
        }
    }

    /// Records that the changes up to the next state are unknown.
    package func lose(_ uncertainty: Uncertainty) throws(StoreError) {
        guard position != nil else { return }
        counters.uncertain[uncertainty, default: 0] += 1
        try release()
    }

    // MARK: Ahead

    /// Computes the step to the present committed state, so that `advance` only has to take it.
    /// Does nothing unless the step is short.
    package func prepareStep() throws(StoreError) {
        guard prepared == nil, let position, held.position == position, let latest = latest(),
            isShort(latest, from: position)
        else { return }
        guard skippedSteps == 0, states.old == nil else { return skippedSteps = max(skippedSteps - 1, 0) }
        let next = try states.begin()[0]
        if isShort(next, from: position) {
            // Uncertain facts are uncertain in `advance` as well.
            prepared = try? map.prepareStep(from: position, to: next, tables, held, spare, &counters)
        }
        if prepared == nil { try states.drop() }
    }

    /// In frames. A longer step takes more time than a program takes to wake up.
    private static let longestPreparedStep = 64
    /// A program that does not dispatch at each commit does not need the steps.
    private static let longestSkip = 64

    private func isShort(_ next: LogPosition, from position: LogPosition) -> Bool {
        next != position && next.isSameRun(as: position)
            && next.frameCount(since: position) <= Self.longestPreparedStep
    }

    /// The step that was computed ahead, if it is the wanted one.
    private func takePrepared(
        to next: LogPosition, _ tables: Set<ExactText>
    ) throws(StoreError) -> FollowedMap.PreparedStep? {
        guard let step = prepared else { return nil }
        guard step.start == position, step.end == next, step.tables == tables else {
            missedSteps += 1
            skippedSteps = min(1 << min(missedSteps, 16), Self.longestSkip)
            prepared = nil
            try states.drop()
            return nil
        }
        prepared = nil
        missedSteps = 0
        counters.stepsAhead += 1
        return step
    }

    // MARK: The log

    /// Writes as much of the log into the database file as possible without waiting, up to the
    /// state that is held.
    package func checkpoint() throws(StoreError) {
        prepared = nil
        try states.drop()
        try held.checkpoint(through: spare.connection)
    }

    /// Moves the read transaction to the state that was followed last, if that is the present
    /// committed one. The log can then be restarted, if all of it is in the database file. False if
    /// another state is committed now.
    package func catchUp() throws(StoreError) -> Bool {
        guard let position, let latest = latest(), latest == position || isEmptied(latest) else { return false }
        guard try begin() == latest else {
            try states.drop()
            return false
        }
        map.lead(to: latest, held, spare, &counters)
        try take()
        return true
    }

    /// Whether the log was restarted, and nothing was committed since.
    package var isEmptied: Bool { latest().map(isEmptied) ?? false }

    /// The database file is not written as long as a read transaction reads a state from it alone
    /// (`walCheckpoint` in https://www.sqlite.org/src/file/src/wal.c). So that state is still the
    /// present one if the log is empty.
    private func isEmptied(_ latest: LogPosition) -> Bool {
        position != nil && position == held.position && held.isInFile && latest.lastFrame == 0 && latest != position
    }
}
