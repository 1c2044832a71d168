import TestSupport
import Testing

@testable import OrderedTree

@Suite("A sequence of weighted handles")
struct PositionTreeTests {
    /// Before: an empty sequence. Change: random inserts, removals, moves and weights. Expected:
    /// every result is that of a plain array.
    @Test(arguments: RandomTests.seeds(0..<8))
    func agreesWithAPlainArray(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let tree = PositionTree()
        var model: [(handle: Int32, weights: PositionTree.Weights)] = []
        var changed: Int32?
        for step in 0..<300 {
            // The element that was searched last is remembered.
            let sought = model.randomElement(using: &random)?.handle
            let former = sought.map(tree.index(of:))
            let choice = random.below(14)
            let weights = PositionTree.Weights(first: random.below(3), second: random.below(20))
            if model.isEmpty || choice < 5 {
                let place = random.below(model.count + 1)
                model.insert((tree.insert(at: place, weights: weights), weights), at: place)
            } else if choice < 7 {
                let place = random.below(model.count)
                tree.remove(model.remove(at: place).handle)
            } else if choice < 9 {
                let element = model.remove(at: random.below(model.count))
                let place = random.below(model.count + 1)
                tree.move(element.handle, to: place)
                model.insert(element, at: place)
            } else {
                // Sums may lack the last change of an element, until they are read.
                let last = random.chance(60) ? model.firstIndex { $0.handle == changed } : nil
                let place = last ?? random.below(model.count)
                changed = model[place].handle
                model[place].weights = weights
                tree.setWeights(weights, of: model[place].handle)
            }
            if let former, former < model.count, random.chance(50) {
                #expect(tree.handle(at: former) == model[former].handle, "seed \(seed)")
            } else if let place = model.firstIndex(where: { $0.handle == sought }) {
                #expect(tree.index(of: model[place].handle) == place, "seed \(seed)")
            }
            let isWhole = random.chance(25) || step == 299
            let fault = isWhole ? difference(tree, model) : differenceInPart(tree, model, &random)
            #expect(fault == nil, "seed \(seed)")
            if isWhole { #expect(tree.checkInvariants().isEmpty, "seed \(seed)") }
        }
    }

    /// Asks one question, or none, before any other has made the sums complete.
    private func differenceInPart(
        _ tree: PositionTree, _ model: [(handle: Int32, weights: PositionTree.Weights)], _ random: inout SeededRandom
    ) -> String? {
        let first = model.reduce(0) { $0 + $1.weights.first }
        let second = model.reduce(0) { $0 + $1.weights.second }
        switch random.below(5) {
        case 0: return tree.totals == .init(first: first, second: second) ? nil : "totals"
        case 1:
            guard let place = model.indices.randomElement(using: &random) else { return nil }
            let before = tree.weightsBefore(model[place].handle)
            let expected = model[..<place].reduce(0) { $0 + $1.weights.second }
            return before.second == expected ? nil : "sums"
        case 2:
            let covering = model.flatMap { element in (0..<element.weights.first).map { (element.handle, $0) } }
            guard let place = covering.indices.randomElement(using: &random) else { return nil }
            return tree.find(firstOffset: place).map { $0 == covering[place] } ?? false ? nil : "first offset"
        case 3:
            let covering = model.flatMap { element in (0..<element.weights.second).map { (element.handle, $0) } }
            guard let place = covering.indices.randomElement(using: &random) else { return nil }
            return tree.find(secondOffset: place).map { $0 == covering[place] } ?? false ? nil : "second offset"
        default: return nil
        }
    }

    private func difference(
        _ tree: PositionTree, _ model: [(handle: Int32, weights: PositionTree.Weights)]
    ) -> String? {
        if tree.count != model.count { return "count" }
        var first = 0
        var second = 0
        for (place, element) in model.enumerated() {
            if tree.handle(at: place) != element.handle { return "handle at \(place)" }
            if tree.index(of: element.handle) != place { return "index" }
            if tree.weights(of: element.handle) != element.weights { return "weights" }
            if tree.weightsBefore(element.handle) != .init(first: first, second: second) { return "sums" }
            for offset in 0..<element.weights.first {
                guard let found = tree.find(firstOffset: first + offset), found == (element.handle, offset)
                else { return "first offset" }
            }
            for offset in 0..<element.weights.second {
                guard let found = tree.find(secondOffset: second + offset),
                    found == (element.handle, offset)
                else { return "second offset" }
            }
            if tree.firstIndex(where: { tree.index(of: $0) >= place }) != place { return "bound" }
            first += element.weights.first
            second += element.weights.second
        }
        if tree.find(firstOffset: first) != nil || tree.find(secondOffset: -1) != nil { return "end" }
        return tree.totals == .init(first: first, second: second) ? nil : "totals"
    }

    /// Before: 100,000 elements appended one by one. Change: positions are looked up. Expected: few
    /// nodes visited.
    @Test func staysShallow() {
        let tree = PositionTree()
        for place in 0..<100_000 {
            _ = tree.insert(at: place, weights: .init(first: 1, second: 1))
        }
        let visited = tree.nodesVisited
        for place in stride(from: 0, to: 100_000, by: 100) { _ = tree.handle(at: place) }
        #expect(tree.nodesVisited - visited < 1_000 * 40)
        #expect(tree.bytesHeld > 100_000 * 32)
    }
}
