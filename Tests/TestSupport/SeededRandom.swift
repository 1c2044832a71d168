internal import Foundation

/// SplitMix64: the same numbers for the same seed, everywhere.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Some of the elements, at least one, in random order.
    package mutating func some<Element>(_ elements: [Element]) -> [Element] {
        Array(elements.shuffled(using: &self).prefix(1 + below(elements.count)))
    }
}

/// What the environment sets for random tests.
package enum RandomTests {
    package static var seed: UInt64? { number("FR_SEED") }
    package static var seconds: UInt64? { number("FR_SECONDS") }
    /// Whether standard error is shown in a terminal: `swift test` is between, so the environment
    /// states it.
    package static var isInTerminal: Bool { ProcessInfo.processInfo.environment["FR_TERMINAL"] == "yes" }
    /// Whether new seeds are run for a time that the environment sets.
    package static var isLong: Bool { seed == nil && seconds != nil }

    /// The seeds of a random test: the one that the environment sets, or these.
    package static func seeds(_ standard: Range<UInt64>) -> [UInt64] { seed.map { [$0] } ?? Array(standard) }

    /// The command that runs a random test with one seed again.
    package static func replay(_ seed: UInt64, _ filter: String) -> String {
        "FR_SEED=\(seed) swift test --filter \(filter)"
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
