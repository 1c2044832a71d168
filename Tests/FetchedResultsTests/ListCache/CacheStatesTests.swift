import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Whatever state lists are in when they are freed or their store closes: the next start shows the
/// same as a read.
@Suite struct CacheStates {
    private typealias Step = CacheSession.Step

    /// The states in which a list can be when a start ends, as the steps that lead to them.
    private static let states: [(steps: [Step], isCached: Bool)] = [
        ([], true), ([.write], true), ([.writeSections], true), ([.changeRequest], true), ([.changeSections], true),
        ([.changeOptions], true), ([.fetchInBackground, .awaitFetch, .write], true),
        ([.pause, .write, .resume], true), ([.pause, .writeSections, .reload], true),
        ([.foreignWrite, .dispatch], true), ([.foreignSections, .dispatch], true),
        ([.begin, .write, .rollback], true), ([.begin, .write, .fetch, .commit], true), ([.fail, .repair], true),
        ([.pause, .write], false), ([.pause, .writeSections], false), ([.pause, .changeRequest], false),
        ([.pause, .changeSections], false), ([.pause, .foreignSections, .dispatch], false),
        ([.foreignWrite], false), ([.foreignSections], false), ([.foreignWrite, .fetch], false),
        ([.begin, .write], false), ([.begin, .write, .fetch], false),
        ([.begin, .writeSections, .fetch, .rollback], true),
        ([.fetchInBackground], false), ([.fetchInBackground, .write], false),
        ([.fetchInBackground, .foreignWrite], false), ([.fail], false), ([.fail, .writeSections], false),
        ([.cacheElsewhere], true), ([.pause, .write, .cacheElsewhere], false),
        ([.beginReading, .foreignWrite, .cacheElsewhere, .fetch], false),
        ([.beginReading, .foreignSections, .cacheElsewhere, .fetch, .commit], false),
        ([.changeOptions, .write, .replaceEmptySections], true), ([.replaceEmptySections, .changeOptions], true),
    ]

    @Test(arguments: CacheSession.End.allCases) func theNextStartShowsWhatItWouldRead(end: CacheSession.End) throws {
        // The callbacks in which the store closes are those of lists that are in order.
        let isCallback = end == .closedBeforeChange || end == .closedAfterChange
        for state in Self.states where state.isCached || !isCallback {
            let (faults, read) = try Self.run("wal", state.steps, end)
            #expect(faults.isEmpty, "\(state.steps) \(end): \(faults)")
            // A list that is never cached would also show the right contents.
            if state.isCached, end == .storeCloses { #expect(read == [], "\(state.steps)") }
        }
    }

    private static let seeds: UInt64 = 15

    @Test func theNextStartShowsWhatItWouldReadAfterAnything() throws {
        for seed in RandomTests.seed.map({ $0...$0 }) ?? 1...Self.seeds {
            var random = SeededRandom(seed: seed)
            let steps = (0..<2 + random.below(6)).map { _ in random.pick(Step.allCases) }
            let end = random.pick(CacheSession.End.allCases)
            let journalMode = random.pick(["wal", "delete"])
            let isQueued = random.chance(25)
            let (faults, _) = try Self.run(journalMode, steps, end, isQueued: isQueued)
            #expect(
                faults.isEmpty,
                "FR_SEED=\(seed): \(journalMode) \(steps) \(end) queued: \(isQueued): \(faults)")
        }
    }

    /// The contents of the next start that differ from a read, and the lists that it does not take
    /// from files.
    private static func run(
        _ journalMode: String, _ steps: [Step], _ end: CacheSession.End, isQueued: Bool = false
    ) throws -> (faults: [String], read: [String]) {
        let starts = try Starts(CacheSession.script, journalMode: journalMode)
        let session = try CacheSession(starts, isQueued: isQueued)
        for step in steps { session.attempt(step) }
        session.end(end)
        var next = starts
        next.options.isReadOnly = true
        var faults: [String] = []
        var namesOfRead: [String] = []
        let first = CachedSettings()
        for settings in session.settings == first ? [first] : [session.settings, first] {
            try next.start { store in
                let cached = try CachedLists(store, settings)
                let shown = cached.pictures()
                if settings == session.settings { namesOfRead = cached.namesOfRead }
                for list in cached.controllers { faults += list.engine.list?.rows.checkInvariants() ?? [] }
                try store.deleteAllCaches()
                let read = cached.pictures()
                for (name, picture) in shown where picture != read[name] {
                    faults.append("\(name) with \(settings) shows \(picture) for \(read[name] ?? "nothing")")
                }
            }
        }
        return (faults, namesOfRead)
    }
}
