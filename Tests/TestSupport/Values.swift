package import SQLiteKit

/// Values that are hard to order, to compare or to store.
package enum Values {
    package static let keys: [Value] = [
        "a", "A", "a ", "b", "B", "c", "d", "\u{e9}", "e\u{301}", "10", "9", "prefix-prefix-prefix-1",
        "prefix-prefix-prefix-2",
        "x\0y", "X\0z", "", "\u{100}", "\u{e000}", "\u{fffd}", "\u{1f600}",
    ]
    package static let numbers: [Value] = [
        0, 1, 2, 3, 5, -1, 1.0, 2.5, -0.5, .integer(1 << 53), .integer(1 << 53 + 1), .real(0x1p53), .integer(.max),
        .integer(.min), .real(0x1p63), .real(1e300),
    ]
    package static let blobs: [Value] = [.blob([]), .blob([0]), .blob([1, 2]), .blob([0x61]), .blob([0xff, 0xff])]

    /// Any value; small integers, equal texts and NULLs are common.
    package static func any(_ random: inout SeededRandom) -> Value {
        switch random.below(10) {
        case 0...2: .integer(Int64(random.below(6)))
        case 3...5: random.pick(keys)
        case 6, 7: random.pick(numbers)
        case 8: random.pick(blobs)
        default: .null
        }
    }
}
