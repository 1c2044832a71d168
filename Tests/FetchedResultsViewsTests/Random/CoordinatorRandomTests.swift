import FetchedResults
import FetchedResultsViews
import Foundation
import TestSupport
import Testing

/// Random transactions, changes of lists, pauses and views that act themselves, with views of all
/// kinds side by side. A strict view accepts each batch; there is one for each delivery and no
/// reload without a cause; after it the view shows what the database contains.
///
/// The corpus has views that only follow. These write, change and pause lists, load and are
/// released inside callbacks, which leads to deliveries that the corpus does not have; so they are
/// compared with a list that is fetched from scratch.
///
/// `FR_SEED=n swift test --filter CoordinatorRandom` replays one seed and prints all that it does;
/// `FR_SECONDS=n` continues with new seeds for that time.
@Suite struct CoordinatorRandom {
    @Test func everyViewFollowsItsList() throws {
        if let seed = RandomTests.seed {
            let (faults, _) = try Self.run(seed)
            for fault in faults { Issue.record("\(fault)") }
            return
        }
        let end = Date(timeIntervalSinceNow: Double(RandomTests.seconds ?? 0))
        let progress = FuzzProgress("CoordinatorRandom", end: end)
        var failures = 0
        var seed: UInt64 = RandomTests.seconds == nil ? 1 : UInt64(Date().timeIntervalSince1970 * 1000)
        let first = seed
        while failures < 5, seed < first + 15 || Date() < end {
            progress.begin(seed)
            let (faults, log) = try Self.run(seed)
            if let fault = faults.first {
                failures += 1
                Issue.record(
                    "FR_SEED=\(seed) swift test --filter CoordinatorRandom\n  after \(log.last ?? "")\n  \(fault)"
                )
            }
            seed += 1
        }
    }

    private static func run(_ seed: UInt64) throws -> (faults: [String], log: [String]) {
        let world = try ViewWorld(seed: seed)
        defer { world.close() }
        for _ in 0..<40 where world.faults.isEmpty {
            do { try world.step() } catch { return (["\(error)"], world.log) }
        }
        return (world.faults, world.log)
    }
}
