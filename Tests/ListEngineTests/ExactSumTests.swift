import TestSupport
import Testing

@testable import ListEngine

@Suite struct ExactSums {
    private func sum(_ numbers: [Double], without: [Double] = []) -> Double? {
        var sum = ExactSum()
        for number in numbers { sum.add(number, removing: false) }
        for number in without { sum.add(number, removing: true) }
        return sum.value
    }

    @Test func areRoundedOnce() {
        #expect(sum([]) == 0)
        #expect(sum([0.1, 0.2, 0.3]) == 0.6)
        #expect(sum([1e308, 1e308, -1e308]) == 1e308)
        #expect(sum([1e308, 1e308]) == .infinity)
        #expect(sum([1, 1e-300, -1]) == 1e-300)
        let least = Double.leastNonzeroMagnitude
        #expect(sum([least, least]) == 2 * least)
        #expect(sum([-least, .leastNormalMagnitude]) == Double.leastNormalMagnitude.nextDown)
        // Halfway between two: to the even one, unless anything is beyond it.
        #expect(sum([9007199254740992, 1]) == 9007199254740992)
        #expect(sum([9007199254740992, 1, least]) == 9007199254740994)
        #expect(sum([9007199254740994, 1]) == 9007199254740996)
        #expect(sum([-9007199254740992, -1]) == -9007199254740992)
        #expect(sum([.infinity, 1]) == .infinity)
        #expect(sum([.infinity, -.infinity]) == nil)
        #expect(sum([.infinity, -.infinity], without: [.infinity]) == -.infinity)
        #expect(sum([.infinity, 3], without: [.infinity]) == 3)
    }

    /// Integers of 2^-1074 in 128 bits are the judge, then integers of 2^800.
    @Test(arguments: 1...20) func areTheNearestDoubles(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for scale in [-1074, -500, 0, 800] {
            var (sum, exact) = (ExactSum(), Int128(0))
            var added: [Int128] = []
            for _ in 0..<2000 {
                if random.chance(40), let removed = added.popLast() {
                    sum.add(Double(sign: .plus, exponent: scale, significand: Double(removed)), removing: true)
                    exact -= removed
                } else {
                    let bits = Int64(bitPattern: random.next()) >> Int64(11 + random.below(52))
                    let number = Int128(bits) << Int128(random.below(60))
                    sum.add(Double(sign: .plus, exponent: scale, significand: Double(number)), removing: false)
                    exact += number
                    added.append(number)
                }
                #expect(sum.value == Double(sign: .plus, exponent: scale, significand: Double(exact)))
            }
        }
    }

    /// Sums are added and removed as their numbers are.
    @Test(arguments: 1...20) func takeOtherSums(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func number() -> Double {
            if random.chance(3) { return random.chance(50) ? .infinity : -.infinity }
            let bits = Int64(bitPattern: random.next()) >> Int64(random.below(60))
            return Double(sign: .plus, exponent: random.below(400) - 200, significand: Double(bits))
        }
        var (all, one, parts) = (ExactSum(), ExactSum(), [(ExactSum, [Double])]())
        for _ in 0..<300 {
            if random.chance(40), let (part, numbers) = parts.popLast() {
                all.add(part, removing: true)
                for number in numbers { one.add(number, removing: true) }
            } else {
                var (part, numbers) = (ExactSum(), [Double]())
                for _ in 0..<random.below(5) { numbers.append(number()) }
                for number in numbers {
                    part.add(number, removing: false)
                    one.add(number, removing: false)
                }
                all.add(part, removing: false)
                parts.append((part, numbers))
            }
            #expect(all.value == one.value)
        }
    }

    @Test(arguments: 1...10) func takeIntegers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (sum, exact) = (ExactSum(), Int128(0))
        for _ in 0..<1000 {
            let number = Int128(truncatingIfNeeded: Int64(bitPattern: random.next())) << Int128(random.below(50))
            sum.add(number)
            exact += number
            #expect(sum.value == Double(exact))
        }
    }
}
