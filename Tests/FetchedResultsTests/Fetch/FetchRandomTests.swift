import Foundation
import TestSupport
import Testing

/// Random histories in which lists are fetched in the background, paused, given other requests and
/// fetched directly: each ends as a list that is fetched then.
///
/// `FR_SEED=n swift test --filter FetchRandom` replays one seed and prints all its steps;
/// `FR_SECONDS=n` continues with new seeds for so long.
@Suite struct FetchRandom {
    @Test func aListThatIsFetchedInTheBackgroundIsTheOneThatIsFetchedAtItsEnd() throws {
        let end = Date(timeIntervalSinceNow: Double(RandomTests.seconds ?? 0))
        let first = RandomTests.seed ?? (RandomTests.seconds == nil ? 1 : UInt64(Date().timeIntervalSince1970 * 1000))
        let progress = FuzzProgress("FetchRandom", end: end)
        var (seed, failures, broughtForward, mapsBroughtForward) = (first, 0, 0, 0)
        while failures < 5, seed < first + (RandomTests.seed == nil ? 20 : 1) || Date() < end {
            progress.begin(seed)
            let world = try FetchWorld(seed: seed)
            var fault: String?
            do {
                try world.run()
                fault = world.faults.first
            } catch {
                fault = "\(error)"
            }
            if RandomTests.seed != nil { print(world.log.joined(separator: ";\n")) }
            if let fault {
                failures += 1
                let command = "FR_SEED=\(seed) swift test --filter FetchRandom"
                Issue.record("\(command)\n  after \(world.log.last ?? "")\n  \(fault)")
            }
            broughtForward += world.broughtForward
            mapsBroughtForward += world.mapsBroughtForward
            world.close()
            seed += 1
        }
        if RandomTests.seed == nil {
            #expect(broughtForward > 0, "no list was brought forward")
            #expect(mapsBroughtForward > 0, "no section map was brought forward")
        }
    }
}
