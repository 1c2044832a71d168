internal import SQLiteKit

/// The parts of a predicate that compare a column with parameters, which are numbers here, wherever
/// the parts are joined by AND: a row that does not satisfy one of them is not in the list.
struct PredicateTerms {
    struct Term {
        let column: String
        let comparison: ColumnTest
    }

    enum ColumnTest {
        /// Equal to one of these.
        case values([Int])
        case lower(Int, isIncluded: Bool)
        case upper(Int, isIncluded: Bool)
    }

    private enum Lexeme: Equatable {
        /// A name, or a keyword.
        case word(String)
        case quoted(String)
        case parameter(Int)
        case symbol(Character)
        case other

        func isWord(_ keyword: String) -> Bool {
            if case .word(let word) = self { isSameName(word, keyword) } else { false }
        }

        var name: String? {
            switch self {
            case .word(let name), .quoted(let name): name
            case .parameter, .symbol, .other: nil
            }
        }
    }

    private(set) var terms: [Term] = []

    /// - Parameter text: A predicate whose parameters have no names.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var parts: [Lexeme] = []
        var lastNumber = 0
        for (token, range) in SQLTokens(text) {
            switch token {
            case .word(let word): parts.append(.word(word))
            case .quoted(let name): parts.append(.quoted(name))
            case .punctuation(let character): parts.append(.symbol(character))
            case .parameter:
                let number = Int(String(decoding: bytes[range].dropFirst(), as: UTF8.self)) ?? lastNumber + 1
                parts.append(.parameter(number))
                lastNumber = max(lastNumber, number)
            case .other: parts.append(.other)
            }
        }
        addTerms(parts)
    }

    /// Adds the terms of parts joined by AND, in their order. Parentheses can enclose parts to any
    /// depth: what is inside waits in an array.
    private mutating func addTerms(_ parts: [Lexeme]) {
        let ends = Self.ends(of: parts)
        var waiting = Self.conjuncts(parts[...], ends)
        while let part = waiting.popLast() {
            if part.count > 2, ends[part.startIndex] == part.endIndex - 1 {
                waiting += Self.conjuncts(part.dropFirst().dropLast(), ends)
            } else {
                addConjunct(Array(part))
            }
        }
    }

    /// Where the parentheses end that begin at some parts; nil for other parts.
    private static func ends(of parts: [Lexeme]) -> [Int?] {
        var ends = [Int?](repeating: nil, count: parts.count)
        var open: [Int] = []
        for (index, part) in parts.enumerated() {
            if part == .symbol("(") { open.append(index) }
            if part == .symbol(")"), let start = open.popLast() { ends[start] = index }
        }
        return ends
    }

    /// The parts that AND joins, the last one first; none if they are joined by OR, which binds
    /// less.
    private static func conjuncts(_ parts: ArraySlice<Lexeme>, _ ends: [Int?]) -> [ArraySlice<Lexeme>] {
        var isBetween = false
        var start = parts.startIndex
        var conjuncts: [ArraySlice<Lexeme>] = []
        var index = start
        while index < parts.endIndex {
            let part = parts[index]
            if part.isWord("OR") || part.isWord("CASE") { return [] }
            if part.isWord("BETWEEN") { isBetween = true }
            if part.isWord("AND") {
                if !isBetween {
                    conjuncts.append(parts[start..<index])
                    start = index + 1
                }
                isBetween = false
            }
            index = (ends[index] ?? index) + 1
        }
        conjuncts.append(parts[start...])
        return conjuncts.reversed()
    }

    private mutating func addConjunct(_ parts: [Lexeme]) {
        if let values = valuesOfIn(parts), let column = parts.first?.name {
            return terms.append(Term(column: column, comparison: .values(values)))
        }
        if parts.count == 5, let column = parts[0].name, parts[1].isWord("BETWEEN"), parts[3].isWord("AND"),
            let lower = parameter(parts[2]), let upper = parameter(parts[4])
        {
            terms.append(Term(column: column, comparison: .lower(lower, isIncluded: true)))
            terms.append(Term(column: column, comparison: .upper(upper, isIncluded: true)))
            return
        }
        guard parts.count >= 3, let sign = sign(parts[1..<(parts.count - 1)]) else { return }
        if let column = parts[0].name, let parameter = parameter(parts[parts.count - 1]) {
            terms.append(Term(column: column, comparison: sign(parameter, false)))
        } else if let column = parts[parts.count - 1].name, let parameter = parameter(parts[0]) {
            terms.append(Term(column: column, comparison: sign(parameter, true)))
        }
    }

    private func parameter(_ part: Lexeme) -> Int? { if case .parameter(let number) = part { number } else { nil } }

    /// The parameters of `column IN (?, ?)`.
    private func valuesOfIn(_ parts: [Lexeme]) -> [Int]? {
        guard parts.count >= 5, parts.count % 2 == 1, parts[1].isWord("IN"), parts[2] == .symbol("("),
            parts[parts.count - 1] == .symbol(")")
        else { return nil }
        var values: [Int] = []
        for index in 3..<(parts.count - 1) {
            if index % 2 == 1 {
                guard let value = parameter(parts[index]) else { return nil }
                values.append(value)
            } else if parts[index] != .symbol(",") {
                return nil
            }
        }
        return values
    }

    /// The comparison of a column with a parameter, which may be on the left of it.
    private func sign(_ parts: ArraySlice<Lexeme>) -> ((Int, _ isReversed: Bool) -> ColumnTest)? {
        switch Array(parts) {
        case [.symbol("=")], [.symbol("="), .symbol("=")]: { parameter, _ in .values([parameter]) }
        case let word where word.count == 1 && word[0].isWord("IS"): { parameter, _ in .values([parameter]) }
        case [.symbol("<")]: Self.bound(isUpper: true, isIncluded: false)
        case [.symbol("<"), .symbol("=")]: Self.bound(isUpper: true, isIncluded: true)
        case [.symbol(">")]: Self.bound(isUpper: false, isIncluded: false)
        case [.symbol(">"), .symbol("=")]: Self.bound(isUpper: false, isIncluded: true)
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
