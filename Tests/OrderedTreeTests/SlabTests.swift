import TestSupport
import Testing

@testable import OrderedTree

@Suite("A slab of owned elements")
struct SlabTests {
    /// How many elements are alive.
    private final class Census {
        var alive: Set<Int> = []
        var deaths = 0
    }

    private struct Element: ~Copyable, SlabElement {
        let name: Int
        let census: Census?
        private let next: Int32

        init(_ name: Int, _ census: Census) {
            self.name = name
            self.census = census
            next = 0
            census.alive.insert(name)
        }

        init(nextFree: Int32) {
            name = 0
            census = nil
            next = nextFree
        }

        deinit {
            guard let census else { return }
            census.alive.remove(name)
            census.deaths += 1
        }

        var nextFree: Int32? { census == nil ? next : nil }
    }

    /// Before: an empty slab. Change: random insertions, removals, exchanges, shrinking; then the
    /// slab is released.
    /// Expected: numbers lead to their elements, and each element is deinitialized once.
    @Test(arguments: RandomTests.seeds(0..<20))
    func ownsItsElements(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let census = Census()
        var names = 0
        do {
            var slab = Slab<Element>(leastCapacity: 1)
            var model: [Int: Int] = [:]
            for _ in 0..<300 {
                names += 1
                switch random.below(8) {
                case 0..<4:
                    let number = slab.insert(Element(names, census))
                    #expect(model[number] == nil)
                    model[number] = names
                case 4..<6:
                    guard let number = model.keys.sorted().first(where: { _ in random.below(3) == 0 }) else { continue }
                    slab.remove(number)
                    model[number] = nil
                case 6:
                    guard let number = model.keys.min() else { continue }
                    slab[number] = Element(names, census)
                    model[number] = names
                default:
                    slab.shrinkToFit()
                }
                #expect(census.alive == Set(model.values), "seed \(seed)")
                for (number, name) in model { #expect(slab[number].name == name) }
                for number in -1...slab.used { #expect(slab.contains(number) == (model[number] != nil)) }
                #expect(slab.freeCount == slab.used - model.count)
            }
        }
        #expect(census.alive.isEmpty)
    }

    /// Before: nothing. Change: a slab without elements. Expected: it has no memory.
    @Test func hasNoMemoryAtFirst() {
        let slab = Slab<Element>(leastCapacity: 4)
        #expect(slab.bytesHeld == 0 && slab.used == 0 && !slab.contains(0))
    }

    /// Before: three elements of which the middle one is removed. Change: two insertions. Expected:
    /// the free number first, then a new one.
    @Test func assignsNumbersAgain() {
        let census = Census()
        var slab = Slab<Element>(leastCapacity: 2)
        for name in 1...3 { #expect(slab.insert(Element(name, census)) == name - 1) }
        slab.remove(1)
        #expect(slab.insert(Element(4, census)) == 1)
        #expect(slab.insert(Element(5, census)) == 3)
        #expect(census.deaths == 1)
    }

    /// Before: an empty stack. Change: elements are appended, one is exchanged, all are removed,
    /// others are appended; then the stack is released. Expected: each element is deinitialized
    /// once.
    @Test func stacksOwnTheirElements() {
        let census = Census()
        do {
            var stack = Stack<Element>()
            for name in 0..<20 { stack.append(Element(name, census)) }
            #expect(stack.count == 20 && (0..<20).allSatisfy { stack[$0].name == $0 })
            stack[3] = Element(30, census)
            #expect(census.alive.count == 20 && census.deaths == 1 && stack[3].name == 30)
            stack.removeAll()
            #expect(stack.isEmpty && census.alive.isEmpty && census.deaths == 21)
            stack.append(Element(40, census))
            #expect(census.alive == [40])
        }
        #expect(census.alive.isEmpty && census.deaths == 22)
    }
}

@Suite("A block of memory")
struct BlockTests {
    @Test func retainsItsElementsWhenResized() {
        var block = Block<Int>(repeating: 7, count: 3)
        block[1] = 8
        block.resize(to: 100, keeping: 2)
        #expect(block.capacity == 100 && block[0] == 7 && block[1] == 8)
        block.resize(to: 1, keeping: 1)
        #expect(block.capacity == 1 && block[0] == 7)
        block.resize(to: 0, keeping: 0)
        #expect(block.bytesHeld == 0)
    }
}
