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
    /// The connection that the rows of a state are read from, and the one that takes the next
    /// state.
    private var held: Snapshot
    private var spare: Snapshot
    /// The state that was followed last.
    package private(set) var position: LogPosition?
    /// The frame at which the read transactions, one after the other, have begun to prevent a
    /// restart of the log; nil if they do not prevent it.
    private var firstHeld: (run: UInt64, frame: UInt32)?
    /// Where the follower yielded to writers that never pause, and how many more times it yields.
    private var yielded: (position: LogPosition, waits: Int)?
    private var frames = FrameMap()
    /// The map of the state at `mapPosition`.
    private var map: DatabaseMap?
    private var mapPosition: LogPosition?
    package private(set) var counters = LogCounters()

    /// Larger numbers of frames are not compared.
    package var frameLimit = 16_384

    /// Opens a database file; nil if it is not in WAL mode, or if its pages are inaccessible.
    /// Throws if the file can't be opened.
    package init?(_ database: DatabaseFile) throws(StoreError) {
        guard let held = try Snapshot(database) else { return nil }
        do {
            guard let spare = try Snapshot(database) else {
                held.close()
                return nil
            }
            self.held = held
            self.spare = spare
        } catch {
            held.close()
            throw error
        }
    }

    /// The connections through which states are read.
    package var connections: [Connection] { [held.connection, spare.connection] }

    package func close() {
        discard()
        held.close()
        spare.close()
    }

    /// The state that was committed last; nil while a commit writes it.
    package func latest() -> LogPosition? { held.index.position() }

    // MARK: Following

    /// Begins to follow at the present committed state, if that is `wanted`; false if it is another
    /// one. Also false for several calls after `yield`, as long as the log has not been restarted.
    package func restart(at wanted: LogPosition) throws(StoreError) -> Bool {
        try release()
        if let yielded, wanted.isSameRun(as: yielded.position), yielded.waits > 0,
            held.index.backfilledFrame < wanted.lastFrame
        {
            self.yielded?.waits -= 1
            return false
        }
        yielded = nil
        guard try held.begin() == wanted else {
            try held.end()
            return false
        }
        position = wanted
        noteFile()
        return true
    }

    /// Ends the read transaction, so that the log can be restarted. Nothing is followed until
    /// `restart`.
    package func release() throws(StoreError) {
        discard()
        try spare.end()
        try held.end()
    }

    private func discard() {
        position = nil
        firstHeld = nil
        frames = FrameMap()
        map = nil
        mapPosition = nil
    }

    /// Notes a later state whose commits are known from another source. The read transaction stays
    /// at its state.
    package func skip(to later: LogPosition) { if position != nil { position = later } }

    /// The state after the first commit since the one that was followed last, if others are between
    /// it and the last one; nil if the log does not show it. The last frame of each commit has the
    /// size of the database (https://www.sqlite.org/fileformat.html#wal_file_format).
    package func nextCommit(before latest: LogPosition) -> LogPosition? {
        guard let position, let pageSize = latest.pageSize else { return nil }
        var frame = latest.isSameRun(as: position) ? position.lastFrame : 0
        while frame < latest.lastFrame {
            frame += 1
            guard let header = try? held.frameHeader(frame, pageSize: pageSize),
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

    /// How far behind the read transaction is, in frames.
    package var lag: Int {
        guard let position, let start = held.position else { return 0 }
        return Int(position.lastFrame) - (position.isSameRun(as: start) ? Int(start.lastFrame) : 0)
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
        guard try spare.begin() == next else {
            try spare.end()
            return .stayed
        }
        var advance = Advance.known
        do throws(Uncertainty) {
            guard let position else { throw .snapshot }
            let changes = position == next ? [] : try compare(position, next, tables)
            counters.rowsFound += changes.reduce(0) { $0 + $1.rowids.count + $1.oldRecords.count + $1.newRecords.count }
            try body(changes, held.position == position ? held.connection : nil)
            counters.advances += 1
        } catch {
            advance = .unknown(error)
            counters.uncertain[error, default: 0] += 1
            discard()
        }
        try takeSpare()
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
    /// The pages of the earlier state are in the log's frames up to it. The others are in the
    /// database file, as long as no checkpoint has begun to write later frames there.
    package func changes(
        since mark: LogMark, upTo next: LogPosition, _ tables: Set<ExactText>
    ) throws(StoreError) -> [TableChange]? {
        guard position == nil, try held.begin() == next, try spare.begin() == next else {
            try release()
            return nil
        }
        var changes: [TableChange]?
        do throws(Uncertainty) {
            guard let old = try held.position(of: mark, before: next) else { throw .restarted }
            var found: [TableChange] = []
            if old.lastFrame != next.lastFrame {
                found = try step(from: old, to: next, tables)
                guard held.index.attemptedFrame <= old.lastFrame else { throw .restarted }
            }
            counters.rowsFound += found.reduce(0) { $0 + $1.rowids.count + $1.oldRecords.count + $1.newRecords.count }
            changes = found
        } catch {
            counters.uncertain[error, default: 0] += 1
        }
        try release()
        return changes
    }

    /// Makes the spare connection hold the state, and ends the read transaction of the other one.
    private func takeSpare() throws(StoreError) {
        swap(&held, &spare)
        position = held.position
        if map == nil { frames = FrameMap() }
        noteFile()
        try spare.end()
    }

    /// The log is searched for pages of the held state only if the file does not have all of them.
    private func noteFile() {
        guard let position = held.position else { return }
        if held.isInFile {
            firstHeld = nil
            frames = FrameMap(run: position.salts, last: position.lastFrame)
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

    /// Allows others to restart the log, and records that the changes up to the next state are
    /// unknown.
    package func yield() throws(StoreError) {
        if let latest = latest() { yielded = (latest, Self.longestYield) }
        try lose(.snapshot)
    }

    /// How often to wait for others to restart the log: another reader may prevent that.
    private static let longestYield = 16

    // MARK: The log

    /// How much the log has grown since the read transactions prevent its restart, in bytes.
    package var heldBytes: Int {
        guard let start = held.position, let latest = latest() else { return 0 }
        let first = latest.isSameRun(as: start) ? firstHeld?.frame ?? start.lastFrame : 0
        return Int(latest.lastFrame &- min(first, latest.lastFrame)) * ((latest.pageSize ?? 0) + 24)
    }

    /// The number of frames in the log.
    package var logLength: Int { Int(position?.lastFrame ?? 0) }

    /// Whether the read transaction prevents a restart of the log.
    package var isHeldInLog: Bool { held.position != nil && !held.isInFile }

    /// Whether it is the read transaction that prevents a complete checkpoint of the log, and not
    /// an older one of another connection.
    package var isInTheWay: Bool {
        guard let start = held.position else { return false }
        return !held.isInFile && held.index.backfilledFrame >= start.lastFrame
    }

    /// Whether the log could be restarted without the read transaction.
    package var isWrittenBack: Bool {
        guard let position, let start = held.position else { return false }
        return !held.isInFile && start == position && held.index.backfilledFrame == position.lastFrame
    }

    /// Whether the database file has everything that is in the log.
    package var isLogInFile: Bool { latest().map { held.index.backfilledFrame == $0.lastFrame } ?? false }

    /// Writes as much of the log into the database file as possible without waiting.
    package func checkpoint() throws(StoreError) { try spare.checkpoint() }

    /// Moves the read transaction to the state that was followed last, if that is the present
    /// committed one. The log can then be restarted, if all of it is in the database file. False if
    /// another state is committed now.
    package func catchUp() throws(StoreError) -> Bool {
        guard let position else { return false }
        guard try spare.begin() == position else {
            try spare.end()
            return false
        }
        leadMap(to: position)
        try takeSpare()
        return true
    }

    // MARK: Comparing

    /// The rows that differ between the state that was followed last and the next one, which the
    /// spare connection shows.
    private func compare(
        _ old: LogPosition, _ next: LogPosition, _ tables: Set<ExactText>
    ) throws(Uncertainty) -> [TableChange] {
        leadMap(to: old)
        return try step(from: old, to: next, tables)
    }

    /// Advances the map to a later state, whose commits are known from another source; discards the
    /// map if that fails.
    private func leadMap(to state: LogPosition) {
        guard map != nil, let start = mapPosition, start != state else { return }
        do {
            guard start == held.position else { throw Uncertainty.snapshot }
            _ = try step(from: start, to: state, [])
        } catch {
            map = nil
        }
    }

    /// The held connection is at the old state or an earlier one, and the spare one at the next
    /// state or a later one.
    private func step(
        from old: LogPosition, to next: LogPosition, _ tables: Set<ExactText>
    ) throws(Uncertainty) -> [TableChange] {
        let isSameRun = next.isSameRun(as: old)
        // Without a reader of the log, only a state that is completely in the file could have been
        // held.
        if !isSameRun, !held.isInFile || held.position?.lastFrame != old.lastFrame { throw .restarted }
        let firstNew = isSameRun ? old.lastFrame + 1 : 1
        guard next.lastFrame + 1 >= firstNew else { throw .restarted }
        guard Int(next.lastFrame + 1 - firstNew) <= frameLimit else { throw .tooMany }
        try mapFrames(to: old)
        let (pageSize, pageCount) = try size(of: old)
        if let size = next.pageSize, size != pageSize { throw .layout }
        let oldPages = OldPages(held, frames: frames, pageSize: pageSize, pageCount: pageCount)
        if map == nil || mapPosition != old {
            map = try DatabaseMap(try roots(in: oldPages), in: oldPages)
            counters.maps += 1
        }
        let written = try frames(firstNew, next.lastFrame)
        counters.frames += Int(next.lastFrame + 1 - firstNew)
        let newPages = NewPages(
            spare, over: oldPages, frames: written, pageSize: pageSize,
            pageCount: next.pageCount == 0 ? pageCount : next.pageCount)
        guard let changes = try map?.advance(to: newPages, tables) else { throw .pages }
        mapPosition = next
        if frames.run != next.salts { frames = FrameMap(run: next.salts, last: 0) }
        frames.add(written, last: next.lastFrame)
        return changes
    }

    /// The last frame of each page that is in a range of frames of the log.
    private func frames(_ first: UInt32, _ last: UInt32) throws(Uncertainty) -> [UInt32: UInt32] {
        var frames: [UInt32: UInt32] = [:]
        guard first <= last else { return frames }
        for frame in first...last {
            let page = spare.index.page(ofFrame: frame)
            guard page > 0 else { throw .pages }
            frames[page] = frame
        }
        return frames
    }

    /// Extends `frames` to the frames of a state that the held connection keeps readable.
    private func mapFrames(to state: LogPosition) throws(Uncertainty) {
        guard let start = held.position else { throw .snapshot }
        if !state.isSameRun(as: start), !held.isInFile { throw .restarted }
        if frames.run != state.salts { frames = FrameMap(run: state.salts, last: 0) }
        guard frames.last < state.lastFrame else { return }
        frames.add(try frames(frames.last + 1, state.lastFrame), last: state.lastFrame)
    }

    /// The size of a page, and the number of pages. A log without frames contains neither.
    private func size(of state: LogPosition) throws(Uncertainty) -> (pageSize: Int, pageCount: UInt32) {
        let pageSize: Int
        if let known = state.pageSize { pageSize = known } else { pageSize = try pageSizeInFile() }
        guard pageSize >= 512 else { throw .pages }
        if state.pageCount > 0 { return (pageSize, state.pageCount) }
        return (pageSize, UInt32(clamping: try held.fileSize() / Int64(pageSize)))
    }

    private func pageSizeInFile() throws(Uncertainty) -> Int {
        let code = Int(try Page(number: 1, bytes: try held.fileHeader()).short(16))
        return code == 1 ? 65_536 : code
    }

    /// All trees of a state with their tables' names. They are read from the held state. Throws if
    /// the schema changed between the two.
    private func roots(in pages: OldPages) throws(Uncertainty) -> [(table: ExactText, root: UInt32)] {
        var roots: [(table: ExactText, root: UInt32)] = [(ExactText("sqlite_schema"), 1)]
        let cookie: Int64
        do {
            cookie = try held.schemaCookie()
            for tree in try held.trees() { roots.append(tree) }
        } catch {
            throw .pages
        }
        guard UInt32(truncatingIfNeeded: cookie) == (try pages.page(1).word(40)) else { throw .layout }
        return roots
    }
}

/// The cost of following.
package struct LogCounters: Sendable {
    /// States that were followed page by page.
    package internal(set) var advances = 0
    /// Frames of the log in these states.
    package internal(set) var frames = 0
    /// Rows that were found in them.
    package internal(set) var rowsFound = 0
    /// How often the pages above all leaves were read.
    package internal(set) var maps = 0
    /// How often the changed rows were unknown, by reason.
    package internal(set) var uncertain: [Uncertainty: Int] = [:]

    package init() {}

    package mutating func add(_ uncertainty: Uncertainty) { uncertain[uncertainty, default: 0] += 1 }

    package mutating func add(_ other: LogCounters) {
        advances += other.advances
        frames += other.frames
        rowsFound += other.rowsFound
        maps += other.maps
        uncertain.merge(other.uncertain, uniquingKeysWith: +)
    }
}
