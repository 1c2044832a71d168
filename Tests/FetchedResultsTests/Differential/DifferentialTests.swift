import Foundation
import Testing

/// Random databases, requests and transactions: after each, every list is what a fresh SELECT says, and the records that
/// were delivered are exactly what happened.
///
/// `FETCHED_RESULTS_SEED=n swift test --filter Differential` replays one seed and prints all that it does;
/// `FETCHED_RESULTS_SECONDS=n` goes on with new seeds for so long.
@Suite struct Differential {
    /// Parts that run at the same time, on as many processors as there are.
    private static let parts: [UInt64] = [0, 1, 2, 3]
    private static let seedsPerPart: UInt64 = 125
    private static let end = Date(timeIntervalSinceNow: Double(RandomTests.seconds ?? 0))

    @Test(arguments: RandomTests.seed == nil ? parts : [0]) func everyListFollowsItsDatabase(part: UInt64) throws {
        if let seed = RandomTests.seed {
            let (faults, log, _) = try Self.run(seed)
            print(log.joined(separator: ";\n"))
            for fault in faults { Issue.record("\(fault)") }
            return
        }
        let base: UInt64 = RandomTests.seconds == nil ? 1 : UInt64(Date().timeIntervalSince1970) << 24
        let first = base + part * (RandomTests.seconds == nil ? Self.seedsPerPart : 1 << 20)
        var seed = first
        var failures = 0
        var cachedFetches = 0
        while failures < 5, seed < first + Self.seedsPerPart || Date() < Self.end {
            let (faults, log, cached) = try Self.run(seed)
            cachedFetches += cached
            if let fault = faults.first {
                failures += 1
                Issue.record(
                    "FETCHED_RESULTS_SEED=\(seed) swift test --filter Differential\n  after \(log.last ?? "")\n  \(fault)")
            }
            seed += 1
        }
        #expect(cachedFetches > 0, "no list was taken as it was kept")
    }

    /// Everything that is wrong with the run of one seed, and what was done in it, up to the first fault.
    private static func run(_ seed: UInt64) throws -> (faults: [String], log: [String], cachedFetches: Int) {
        let world = try World(seed: seed)
        defer { world.close() }
        for _ in 0..<24 where world.faults.isEmpty { try world.step() }
        return (world.faults, world.log, world.cachedFetches)
    }
}
