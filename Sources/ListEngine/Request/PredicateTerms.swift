internal import SQLiteKit

/// The parts of a predicate that compare a column with parameters, which are numbers here, wherever
/// the parts are joined by AND: a row that does not satisfy one of them is not in the list.
struct PredicateTerms {
    enum ColumnTest {
        /// Equal to one of these.
        case values([Int])
        case lower(Int, isIncluded: Bool)
        case upper(Int, isIncluded: Bool)
    }

    private(set) var terms: [(column: String, test: ColumnTest)] = []
    private var tokens: [SQLTokens.Token] = []
    /// The numbers of those tokens that are parameters, by their indexes.
    private var numbers: [Int: Int] = [:]

    /// - Parameter text: A predicate whose parameters have no names.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var lastNumber = 0
        for (token, range) in SQLTokens(text) {
            if token == .parameter {
                let number = Int(String(decoding: bytes[range].dropFirst(), as: UTF8.self)) ?? lastNumber + 1
                numbers[tokens.count] = number
                lastNumber = max(lastNumber, number)
            }
            tokens.append(token)
        }
        addTerms()
    }

    /// Adds the terms that AND joins, in their order. Parentheses can enclose terms to any depth:
    /// what is inside waits in an array.
    private mutating func addTerms() {
        let ends = endsOfParentheses()
        var waiting = conjuncts(tokens.indices, ends)
        while let part = waiting.popLast() {
            if part.count > 2, ends[part.lowerBound] == part.upperBound - 1 {
                waiting += conjuncts((part.lowerBound + 1)..<(part.upperBound - 1), ends)
            } else if !part.isEmpty {
                addConjunct(part)
            }
        }
    }

    /// Where the parentheses end that begin at some tokens; nil for other tokens.
    private func endsOfParentheses() -> [Int?] {
        var ends = [Int?](repeating: nil, count: tokens.count)
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            if token == .punctuation("(") { open.append(index) }
            if token == .punctuation(")"), let start = open.popLast() { ends[start] = index }
        }
        return ends
    }

    /// The parts of some tokens that AND joins, the last one first; none if they are joined by OR,
    /// which binds less.
    private func conjuncts(_ part: Range<Int>, _ ends: [Int?]) -> [Range<Int>] {
        var isBetween = false
        var start = part.lowerBound
        var conjuncts: [Range<Int>] = []
        var index = start
        while index < part.upperBound {
            let token = tokens[index]
            if token.isWord("OR") || token.isWord("CASE") { return [] }
            if token.isWord("BETWEEN") { isBetween = true }
            if token.isWord("AND") {
                if !isBetween {
                    conjuncts.append(start..<index)
                    start = index + 1
                }
                isBetween = false
            }
            index = (ends[index] ?? index) + 1
        }
        conjuncts.append(start..<part.upperBound)
        return conjuncts.reversed()
    }

    private mutating func addConjunct(_ part: Range<Int>) {
        let (first, last) = (part.lowerBound, part.upperBound - 1)
        if let column = tokens[first].name, let values = valuesOfIn(part) {
            return terms.append((column, .values(values)))
        }
        if part.count == 5, let column = tokens[first].name, tokens[first + 1].isWord("BETWEEN"),
            tokens[first + 3].isWord("AND"), let lower = numbers[first + 2], let upper = numbers[last]
        {
            terms.append((column, .lower(lower, isIncluded: true)))
            terms.append((column, .upper(upper, isIncluded: true)))
            return
        }
        guard part.count >= 3, let sign = Self.sign(Array(tokens[(first + 1)..<last])) else { return }
        if let column = tokens[first].name, let number = numbers[last] {
            terms.append((column, sign(number, false)))
        } else if let column = tokens[last].name, let number = numbers[first] {
            terms.append((column, sign(number, true)))
        }
    }

    /// The parameters of `column IN (?, ?)`.
    private func valuesOfIn(_ part: Range<Int>) -> [Int]? {
        let (first, last) = (part.lowerBound, part.upperBound - 1)
        guard part.count >= 5, part.count % 2 == 1, tokens[first + 1].isWord("IN"),
            tokens[first + 2] == .punctuation("("), tokens[last] == .punctuation(")")
        else { return nil }
        var values: [Int] = []
        for index in (first + 3)..<last {
            if (index - first) % 2 == 1 {
                guard let value = numbers[index] else { return nil }
                values.append(value)
            } else if tokens[index] != .punctuation(",") {
                return nil
            }
        }
        return values
    }

    /// The comparison of a column with a parameter, which may be on the left of it.
    private static func sign(_ tokens: [SQLTokens.Token]) -> ((Int, _ isReversed: Bool) -> ColumnTest)? {
        switch tokens {
        case [.punctuation("=")], [.punctuation("="), .punctuation("=")]: { parameter, _ in .values([parameter]) }
        case let word where word.count == 1 && word[0].isWord("IS"): { parameter, _ in .values([parameter]) }
        case [.punctuation("<")]: bound(isUpper: true, isIncluded: false)
        case [.punctuation("<"), .punctuation("=")]: bound(isUpper: true, isIncluded: true)
        case [.punctuation(">")]: bound(isUpper: false, isIncluded: false)
        case [.punctuation(">"), .punctuation("=")]: bound(isUpper: false, isIncluded: true)
        default: nil
        }
    }

    private static func bound(isUpper: Bool, isIncluded: Bool) -> (Int, Bool) -> ColumnTest {
        { parameter, isReversed in
            isUpper != isReversed
                ? .upper(parameter, isIncluded: isIncluded) : .lower(parameter, isIncluded: isIncluded)
        }
    }
}
