import Testing

@testable import ListEngine

@Suite struct RowIDSetTests {
    /// Random insertions and removals of ids that are close together, far apart or share bits,
    /// compared with a set.
    @Test(arguments: [1, -1, 256, -1_000_000_007, 1 << 32]) func holdsWhatASetHolds(distance: Int64) {
        var random = SystemRandomNumberGenerator()
        var set = RowIDSet()
        var model: Set<Int64> = []
        for _ in 0..<20_000 {
            let id = Int64.random(in: -200..<800, using: &random) &* distance
            if Bool.random(using: &random) {
                let isNew = set.insert(id)
                #expect(isNew == model.insert(id).inserted)
            } else {
                let wasThere = set.remove(id)
                #expect(wasThere == (model.remove(id) != nil))
            }
        }
        #expect(set.count == model.count)
        for id in -210..<Int64(810) { #expect(set.contains(id &* distance) == model.contains(id &* distance)) }
    }

    @Test func idsThatFollowOneAnotherTakeABitEach() {
        var set = RowIDSet()
        for id in 0..<Int64(1 << 20) { set.insert(id) }
        #expect(set.count == 1 << 20 && set.bytesHeld <= 5 << 17)
    }

    @Test func theGreatestIdsHaveTheirPlaces() {
        let ids: [Int64] = [.min, -1, 0, .max]
        var set = RowIDSet()
        #expect(ids.allSatisfy { !set.contains($0) })
        for id in ids { set.insert(id) }
        #expect(set.count == 4 && ids.allSatisfy { set.contains($0) })
        #expect(!set.contains(.min + 1) && !set.contains(.max - 1))
        for id in ids { set.remove(id) }
        #expect(set.count == 0 && ids.allSatisfy { !set.contains($0) })
    }
}
