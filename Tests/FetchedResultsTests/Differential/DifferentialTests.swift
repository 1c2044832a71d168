import Foundation
import TestSupport
import Testing

/// Random databases, requests and transactions: after each, every list equals a fresh SELECT, and
/// the delivered records are exactly the changes that were made.
///
/// `FR_SEED=n swift test --filter Differential` replays one seed and prints all its steps;
/// `FR_SECONDS=n` continues with new seeds for so long.
@Suite struct Differential {
    /// Parts that run at the same time, on as many processors as there are.
    private static let parts: [UInt64] = [0, 1, 2, 3]
    private static let end = Date(timeIntervalSinceNow: Double(RandomTests.seconds ?? 0))
    private static let progress = FuzzProgress("Differential", end: end)
    /// Whether the seeds are always the same, so that it is known what they test.
    private static let hasFixedSeeds = RandomTests.seed == nil && RandomTests.seconds == nil

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func everyListFollowsItsDatabase(part: UInt64) throws {
        let count = try Self.run(part, .all, seeds: 14)
        if Self.hasFixedSeeds { #expect(count.cached > 0, "no list was taken from the cache") }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0])
    func listsFetchedInTheBackgroundDoSoAsWell(part: UInt64) throws {
        let count = try Self.run(part, .background, seeds: 4)
        if Self.hasFixedSeeds { #expect(count.background > 0, "no list was read in the background") }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0])
    func listsFollowTheHistoryOfTheirTables(part: UInt64) throws {
        let count = try Self.run(part, .history, seeds: 4)
        if Self.hasFixedSeeds { #expect(count.history > 0, "no history said what others had committed") }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func manyListsOfOneTableFollowIt(part: UInt64) throws {
        _ = try Self.run(part, .manyLists, seeds: 4)
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func windowsFollowTheirEdges(part: UInt64) throws {
        let count = try Self.run(part, .windows, seeds: 4)
        if Self.hasFixedSeeds { #expect(count.windows > 5, "windows were read as a whole") }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func listsThatAreReadAsAWholeDoSoAsWell(part: UInt64) throws
    {
        let count = try Self.run(part, .whole, seeds: 4)
        if Self.hasFixedSeeds { #expect(count.whole > 10, "no list was read as a whole") }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func searchesFollowTheirDocuments(part: UInt64) throws {
        let count = try Self.run(part, .search, seeds: 16)
        if Self.hasFixedSeeds {
            #expect(count.searches > 5, "searches were read as a whole")
            #expect(count.opened > 0, "no search was taken from the cache")
            #expect(count.frozen > 0 && count.renewed > 0, "no ranks stayed as they were, or none were renewed")
        }
    }

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func stepsAreUndoneAndRedoneExactly(part: UInt64) throws {
        let count = try Self.run(part, .undo, seeds: 12)
        if Self.hasFixedSeeds {
            #expect(count.reversed > 50, "no step was reversed")
            #expect(count.refused > 5, "no step was refused")
        }
    }

    /// Counts of the events in a part's seeds, so that they are known to be tested.
    private struct Count {
        /// Lists that were taken from the cache.
        var cached = 0
        /// Lists that were read in the background.
        var background = 0
        /// Rounds in which a history reported the commits of other connections.
        var history = 0
        /// Changes of lists that were read as a whole because another connection had committed.
        var whole = 0
        /// Changes of windows that were not read as a whole for them.
        var windows = 0
        /// Changes of searches that were not read as a whole for them.
        var searches = 0
        /// Comparisons of lists with ranks of earlier statistics, and lists that were ranked again.
        var frozen = 0
        var renewed = 0
        /// Searches that were taken from the cache by another list.
        var opened = 0
        /// Steps that were undone or redone, and steps that could not be.
        var reversed = 0
        var refused = 0

        mutating func add(_ world: World) {
            cached += world.cachedFetches
            background += world.backgroundFetches
            history += world.historyRounds
            windows += world.followedWindows
            searches += world.followedSearches
            frozen += world.frozenRanks
            renewed += world.renewedRanks
            opened += world.openedAgain
            whole += world.wholeRereads
            reversed += world.steps?.reversed ?? 0
            refused += world.steps?.refused ?? 0
        }
    }

    /// Runs the seeds of a part.
    private static func run(_ part: UInt64, _ kind: World.Kind, seeds: UInt64) throws -> Count {
        var count = Count()
        if let seed = RandomTests.seed {
            let outcome = try run(seed, kind, &count)
            print(outcome.log.joined(separator: ";\n"))
            for fault in outcome.faults { Issue.record("\(fault)") }
            return count
        }
        let base: UInt64 = RandomTests.seconds == nil ? 1 : UInt64(Date().timeIntervalSince1970) << 24
        let first = base + part * (RandomTests.seconds == nil ? seeds : 1 << 20)
        var seed = first
        var failures = 0
        while failures < 5, seed < first + seeds || Date() < Self.end {
            progress.begin(seed)
            let outcome = try run(seed, kind, &count)
            if let fault = outcome.faults.first {
                failures += 1
                let filter =
                    switch kind {
                    case .all, .corpus: "everyListFollows"
                    case .background: "listsFetchedInTheBackground"
                    case .history: "listsFollowTheHistory"
                    case .manyLists: "manyListsOfOneTable"
                    case .windows: "windowsFollowTheirEdges"
                    case .whole: "listsThatAreReadAsAWhole"
                    case .undo: "stepsAreUndone"
                    case .search: "searchesFollow"
                    }
                Issue.record(
                    """
                    FR_SEED=\(seed) swift test --filter \(filter)
                      after \(outcome.log.last ?? "")
                      \(fault)
                    """)
            }
            seed += 1
        }
        return count
    }

    /// The run of one seed, up to the first fault.
    private static func run(_ seed: UInt64, _ kind: World.Kind, _ count: inout Count) throws -> Outcome {
        let lifetimes = Lifetimes()
        var outcome = try run(seed, kind, &count, lifetimes)
        if outcome.faults.isEmpty { outcome.faults = lifetimes.remaining.map { "not released: \($0)" } }
        return outcome
    }

    /// The same; what has to be released with the world is noted.
    private static func run(
        _ seed: UInt64, _ kind: World.Kind, _ count: inout Count, _ lifetimes: Lifetimes
    ) throws -> Outcome {
        let world = try World(seed: seed, kind)
        defer { world.close() }
        for _ in 0..<24 where world.faults.isEmpty { try world.step() }
        if world.faults.isEmpty { try world.endFetches() }
        world.release(lifetimes)
        count.add(world)
        return Outcome(log: world.log, faults: world.faults)
    }

    private struct Outcome {
        let log: [String]
        var faults: [String]
    }
}
