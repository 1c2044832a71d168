import Foundation
import Testing

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// The seeds of a random test: the one in CHANGE_SETS_SEED, or the given ones.
func seeds(_ standard: Range<UInt64>) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["CHANGE_SETS_SEED"], let seed = UInt64(text) { return [seed] }
    return Array(standard)
}

/// What to run to see one seed's failure again.
func replayCommand(_ seed: UInt64, _ suite: String = "RandomEdits") -> Comment {
    "CHANGE_SETS_SEED=\(seed) swift test --filter \(suite)"
}
