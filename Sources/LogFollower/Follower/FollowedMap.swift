internal import SQLiteKit

/// The map of a state of the log, and the frames in which the log has that state's pages. Leads
/// from one state to the next.
///
/// Each step reads the pages of both states: `held` shows the first one or an earlier one, `spare`
/// the next one or a later one.
struct FollowedMap {
    private var map: DatabaseMap?
    /// The state of the map.
    private var position: LogPosition?
    private var frames = FrameMap()

    mutating func discard() { self = FollowedMap() }

    /// Records that the database file has all pages of a state.
    mutating func noteInFile(_ state: LogPosition) { frames = FrameMap(run: state.salts, last: state.lastFrame) }

    /// Discards frames that no map needs.
    mutating func discardFramesWithoutMap() { if map == nil { frames = FrameMap() } }

    // MARK: Steps

    /// The rows of some tables that differ between two states. The map then shows the next
    /// one.
    mutating func step(
        from old: LogPosition, to next: LogPosition, _ tables: Set<ExactText>, _ held: StateReader,
        _ spare: StateReader,
        _ counters: inout LogCounters
    ) throws(Uncertainty) -> [TableChange] {
        let pages = try pages(from: old, to: next, held, spare, &counters)
        guard let rows = try map?.advance(to: pages, tables) else { throw .pages }
        noteStep(pages.frames, from: old, to: next, &counters)
        return rows
    }

    /// Leads to a later state, whose commits are known from another source; discards the map if
    /// that fails.
    mutating func lead(to state: LogPosition, _ held: StateReader, _ spare: StateReader, _ counters: inout LogCounters)
    {
        guard map != nil, let position, position != state else { return }
        do {
            guard position == held.position else { throw Uncertainty.snapshot }
            _ = try step(from: position, to: state, [], held, spare, &counters)
        } catch {
            map = nil
        }
    }

    /// Notes that the map shows the next state.
    private mutating func noteStep(
        _ written: [UInt32: UInt32], from old: LogPosition, to next: LogPosition, _ counters: inout LogCounters
    ) {
        position = next
        counters.frames += next.frameCount(since: old)
        if frames.run != next.salts { frames = FrameMap(run: next.salts, last: 0) }
        frames.add(written, last: next.lastFrame)
    }

    // MARK: Ahead

    /// A step that was computed and not taken yet.
    struct PreparedStep {
        let start: LogPosition
        let end: LogPosition
        let tables: Set<ExactText>
        fileprivate let step: DatabaseMap.Step
        fileprivate let frames: [UInt32: UInt32]
    }

    /// Computes a step. nil if the map does not show the first state, or if what is known of it
    /// would change.
    mutating func prepareStep(
        from old: LogPosition, to next: LogPosition, _ tables: Set<ExactText>, _ held: StateReader,
        _ spare: StateReader,
        _ counters: inout LogCounters
    ) throws(Uncertainty) -> PreparedStep? {
        guard let map, position == old else { return nil }
        let pages = try pages(from: old, to: next, held, spare, &counters)
        guard let step = try map.preparedStep(to: pages, tables) else { return nil }
        return PreparedStep(start: old, end: next, tables: tables, step: step, frames: pages.frames)
    }

    /// Takes a step that was computed for the present state of the map.
    mutating func take(_ prepared: PreparedStep, _ counters: inout LogCounters) throws(Uncertainty) -> [TableChange] {
        guard position == prepared.start else { throw .pages }
        try map?.take(prepared.step)
        noteStep(prepared.frames, from: prepared.start, to: prepared.end, &counters)
        return prepared.step.rows
    }

    // MARK: Pages

    /// Larger numbers of frames are not compared.
    private static let frameLimit: UInt32 = 16_384

    /// The pages of the next state. The map then shows the old one.
    private mutating func pages(
        from old: LogPosition, to next: LogPosition, _ held: StateReader, _ spare: StateReader,
        _ counters: inout LogCounters
    ) throws(Uncertainty) -> NewPages {
        let isSameRun = next.isSameRun(as: old)
        // Without a reader of the log, only a state that is completely in the file could have been
        // held.
        if !isSameRun, !held.isInFile || held.position?.lastFrame != old.lastFrame { throw .restarted }
        let lastOld = isSameRun ? old.lastFrame : 0
        guard next.lastFrame >= lastOld else { throw .restarted }
        guard next.lastFrame - lastOld <= Self.frameLimit else { throw .tooMany }
        try mapFrames(to: old, held, spare)
        let (pageSize, pageCount) = try held.file.size(of: old)
        if let size = next.pageSize, size != pageSize { throw .layout }
        let nextPageCount = next.pageCount == 0 ? pageCount : next.pageCount
        if map == nil || nextPageCount > pageCount {
            try held.file.checkPageCount(max(pageCount, nextPageCount), pageSize: pageSize)
        }
        let oldPages = OldPages(held.file, frames: frames, pageSize: pageSize, pageCount: pageCount)
        if map == nil || position != old {
            map = try DatabaseMap(try held.roots(in: oldPages), in: oldPages)
            position = old
            counters.maps += 1
        }
        return NewPages(
            spare.file, over: oldPages, frames: try spare.file.index.frames(after: lastOld, upTo: next.lastFrame),
            pageSize: pageSize, pageCount: nextPageCount)
    }

    /// Extends `frames` to the frames of a state that the held connection keeps readable.
    private mutating func mapFrames(
        to state: LogPosition, _ held: StateReader, _ spare: StateReader
    ) throws(Uncertainty) {
        guard let start = held.position else { throw .snapshot }
        if !state.isSameRun(as: start), !held.isInFile { throw .restarted }
        if frames.run != state.salts { frames = FrameMap(run: state.salts, last: 0) }
        guard frames.last < state.lastFrame else { return }
        frames.add(try spare.file.index.frames(after: frames.last, upTo: state.lastFrame), last: state.lastFrame)
    }
}

extension LogFile {
    /// The size of a page, and the number of pages. A log without frames contains neither.
    fileprivate func size(of state: LogPosition) throws(Uncertainty) -> (pageSize: Int, pageCount: UInt32) {
        let pageSize: Int
        if let known = state.pageSize { pageSize = known } else { pageSize = try pageSizeInFile() }
        guard pageSize >= 512 else { throw .pages }
        if state.pageCount > 0 { return (pageSize, state.pageCount) }
        return (pageSize, UInt32(clamping: try fileSize() / Int64(pageSize)))
    }

    /// Throws if the files are too short for a number of pages.
    ///
    /// Each page of a tree is in the file or in the log. New pages that a transaction frees again
    /// are in neither, because SQLite does not write them from its cache.
    fileprivate func checkPageCount(_ count: UInt32, pageSize: Int) throws(Uncertainty) {
        let written = (try fileSize() + logSize()) / Int64(pageSize)
        guard Int64(count) <= written + Self.mostUnwrittenPages else { throw .pages }
    }

    /// 2 MiB in `PageOwners`.
    private static var mostUnwrittenPages: Int64 { 1 << 20 }

    private func pageSizeInFile() throws(Uncertainty) -> Int {
        let code = Int(try Page(number: 1, bytes: try fileHeader()).short(16))
        return code == 1 ? 65_536 : code
    }
}

extension StateReader {
    /// All trees of a state with their tables' names. They are read from the state that is held.
    /// Throws if the schema changed between the two.
    fileprivate func roots(in pages: OldPages) throws(Uncertainty) -> [(table: ExactText, root: UInt32)] {
        var roots: [(table: ExactText, root: UInt32)] = [(ExactText("sqlite_schema"), 1)]
        let cookie: Int64
        do {
            cookie = try schemaCookie()
            for tree in try trees() { roots.append(tree) }
        } catch {
            throw .pages
        }
        guard UInt32(truncatingIfNeeded: cookie) == (try pages.page(1).word(40)) else { throw .layout }
        return roots
    }
}
