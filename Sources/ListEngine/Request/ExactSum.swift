/// The exact sum of floating point numbers, to which numbers are added and from which they are
/// removed in any order.
///
/// A superaccumulator (R. M. Neal, "Fast exact summation using small and large superaccumulators",
/// 2015): a number in fixed point, wide enough for every double, of which only the digits that are
/// needed are stored. Digits have 32 bits and a sign, so that carries can wait.
struct ExactSum {
    /// From the least significant one that is stored, which counts units of 2^(32 · first - 1074).
    private var digits: [Int64] = []
    private var first = 0
    /// How many numbers were added since carries were last passed on: each changes a digit by less
    /// than 2^32.
    private var pending = 0

    /// Infinite numbers, by their signs.
    private var infinities: (positive: Int, negative: Int) = (0, 0)

    /// Adds a number, or removes one that was added before.
    mutating func add(_ number: Double, removing: Bool) {
        guard number.isFinite else {
            // SQLite has no values that are not numbers.
            let change = removing ? -1 : 1
            if number > 0 { infinities.positive += change } else { infinities.negative += change }
            return
        }
        // A subnormal number has the exponent of the least normal one.
        let exponent = max(Int(number.exponentBitPattern), 1)
        let implicit: UInt64 = number.exponentBitPattern == 0 ? 0 : 1 << 52
        add(number.significandBitPattern | implicit, shift: exponent - 1, negated: (number < 0) != removing)
    }

    /// Adds another sum, or removes one that was added before.
    mutating func add(_ other: ExactSum, removing: Bool) {
        let sign = removing ? -1 : 1
        infinities.positive += sign * other.infinities.positive
        infinities.negative += sign * other.infinities.negative
        if other.digits.isEmpty { return }
        // Afterwards each digit is less than 2^32, as it is in a number.
        var other = other
        other.carry()
        store(other.first, through: other.first + other.digits.count - 1)
        for (index, digit) in other.digits.enumerated() { digits[other.first + index - first] += Int64(sign) * digit }
        pending += 1
        if pending == 1 << 30 { carry() }
    }

    /// Adds an integer.
    mutating func add(_ integer: Int128) {
        let magnitude = integer.magnitude
        for part in 0..<4 {
            let bits = UInt64(truncatingIfNeeded: magnitude >> (32 * part)) & 0xffff_ffff
            add(bits, shift: 1074 + 32 * part, negated: integer < 0)
        }
    }

    /// Adds `significand` · 2^(`shift` - 1074).
    private mutating func add(_ significand: UInt64, shift: Int, negated: Bool) {
        if significand == 0 { return }
        let digit = shift / 32
        let wide = UInt128(significand) << (shift % 32)
        store(digit, through: digit + 2)
        for part in 0..<3 {
            let bits = Int64(UInt64(truncatingIfNeeded: wide >> (32 * part)) & 0xffff_ffff)
            digits[digit + part - first] += negated ? -bits : bits
        }
        pending += 1
        if pending == 1 << 30 { carry() }
    }

    /// Stores the digits of a range.
    private mutating func store(_ low: Int, through high: Int) {
        if digits.isEmpty { first = low }
        if low < first {
            digits.insert(contentsOf: repeatElement(0, count: first - low), at: 0)
            first = low
        }
        while first + digits.count <= high { digits.append(0) }
    }

    /// Makes all digits except the last one 0 to 2^32 - 1.
    private mutating func carry() {
        var carried: Int64 = 0
        for index in digits.indices {
            let sum = digits[index] + carried
            let isLast = index == digits.count - 1
            carried = isLast ? 0 : sum >> 32
            digits[index] = isLast ? sum : sum & 0xffff_ffff
        }
        if let last = digits.last, last != Int64(Int32(truncatingIfNeeded: last)) {
            digits[digits.count - 1] = last & 0xffff_ffff
            digits.append(last >> 32)
        }
        pending = 0
    }

    /// The double that is nearest to the sum, the even one of two; nil if both infinities are in
    /// it.
    var value: Double? {
        if infinities.positive > 0 || infinities.negative > 0 {
            if infinities.positive > 0 && infinities.negative > 0 { return nil }
            return infinities.positive > 0 ? .infinity : -.infinity
        }
        let highest = highest(negated: false)
        return highest.isNegative ? -self.highest(negated: true).value : highest.value
    }

    /// The four highest digits, from the highest one that is not 0.
    private struct Highest {
        var bits: UInt128 = 0
        /// The bits count units of 2 to the power of this.
        var exponent = 0
        /// Whether there are other digits behind them that are not 0.
        var hasRest = false
        /// Whether the sum is negative. The bits are then not its own.
        var isNegative = false

        mutating func append(_ digit: UInt32, exponent: Int) {
            if digit == 0 { return }
            let shift = bits == 0 ? 0 : exponent - 96 - self.exponent
            hasRest = hasRest || shift >= 128 || bits & (1 << shift - 1) != 0
            bits = bits >> shift | UInt128(digit) << 96
            self.exponent = exponent - 96
        }

        /// The nearest double.
        var value: Double {
            // In 64 bits, the last one stands for all behind it. No double has bits below 2^-1074,
            // and neither has the sum: to shift them out is exact.
            let excess = max(0, 64 - bits.leadingZeroBitCount, -1074 - exponent)
            let isExact = !hasRest && bits & (1 << excess - 1) == 0
            let significand = UInt64(truncatingIfNeeded: bits >> excess) | (isExact ? 0 : 1)
            // The conversion rounds; to scale by a power of two is exact, or infinite.
            return Double(sign: .plus, exponent: exponent + excess, significand: Double(significand))
        }
    }

    private func highest(negated: Bool) -> Highest {
        var highest = Highest()
        var carried: Int64 = 0
        var exponent = 32 * first - 1074
        for digit in digits {
            let sum = (negated ? -digit : digit) + carried
            highest.append(UInt32(truncatingIfNeeded: sum), exponent: exponent)
            carried = sum >> 32
            exponent += 32
        }
        highest.append(UInt32(truncatingIfNeeded: max(0, carried)), exponent: exponent)
        highest.isNegative = carried < 0
        return highest
    }
}
