/// Longest increasing subsequences, by the slow and obvious algorithm.
enum LongestChain {
    /// The length of the longest one among `places`; those marked in `through` are in it in any
    /// case.
    static func length(_ places: [Int], through isFixed: [Bool]? = nil) -> Int {
        let fixed = places.indices.filter { isFixed?[$0] ?? false }
        let free = places.indices.filter { index in
            fixed.allSatisfy { $0 == index || ($0 < index) == (places[$0] < places[index]) }
        }
        var best: [Int] = []
        for (end, index) in free.enumerated() {
            best.append(1 + ((0..<end).filter { places[free[$0]] < places[index] }.map { best[$0] }.max() ?? 0))
        }
        return best.max() ?? 0
    }
}
