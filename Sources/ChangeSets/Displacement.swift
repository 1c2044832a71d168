/// How the positions in an array change when some elements are taken out and others put in.
///
/// An element that stays has as many others that stay before it as before: by this number, its *gap*, both of its
/// positions are told. Lookups are O(log k) for k positions.
struct Displacement {
    /// Positions of the elements that leave, before; ascending.
    let leaving: [Int]
    /// Positions of the elements that arrive, after; ascending.
    let arriving: [Int]

    /// Where an element that stays is after.
    func new(ofOld position: Int) -> Int { Self.position(ofGap: Self.gap(of: position, leaving), arriving) }

    /// Where an element that stayed was before.
    func old(ofNew position: Int) -> Int { Self.position(ofGap: Self.gap(of: position, arriving), leaving) }

    private static func gap(of position: Int, _ others: [Int]) -> Int {
        position - partitionPoint(of: others.count) { others[$0] < position }
    }

    private static func position(ofGap gap: Int, _ others: [Int]) -> Int {
        // Those stand before it that have as many elements before them that stay, or fewer.
        gap + partitionPoint(of: others.count) { others[$0] - $0 <= gap }
    }
}
