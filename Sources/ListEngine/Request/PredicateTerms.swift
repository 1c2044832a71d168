internal import SQLiteKit

/// The parts of a predicate that compare a column with parameters, wherever the parts are joined by
/// AND: a row that does not satisfy one of them is not in the list.
struct PredicateTerms {
    enum Parameter {
        case number(Int)
        case name(String)
    }

    struct Term {
        let column: String
        let comparison: Comparison
    }

    enum Comparison {
        /// Equal to one of these.
        case values([Parameter])
        case lower(Parameter, isIncluded: Bool)
        case upper(Parameter, isIncluded: Bool)
    }

    private enum Part: Equatable {
        /// A name, or a keyword.
        case word(String)
        case quoted(String)
        /// A number among the parameters.
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
    private var parameters: [Parameter] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var lastNumber = 0
        for (token, range) in SQLTokens(text) {
            switch token {
            case .word(let word): parts.append(.word(word))
            case .quoted(let name): parts.append(.quoted(name))
            case .punctuation(let character): parts.append(.symbol(character))
            case .other:
                let spelling = String(decoding: bytes[range], as: UTF8.self)
                if let parameter = Self.parameter(spelling, &lastNumber) {
                    parts.append(.parameter(parameters.count))
                    parameters.append(parameter)
                } else {
                    parts.append(.other)
                }
            }
        }
        addConjunction(parts[...])
    }

    /// A parameter by its number, as SQLite numbers it
    /// (https://www.sqlite.org/lang_expr.html#varparam), or by its name.
    private static func parameter(_ text: String, _ lastNumber: inout Int) -> Parameter? {
        switch text.first {
        case "?":
            let number = Int(text.dropFirst()) ?? lastNumber + 1
            lastNumber = max(lastNumber, number)
            return .number(number)
        case ":", "@", "$": return .name(text)
        default: return nil
        }
    }

    /// Adds the terms of parts joined by AND; none if they are joined by OR, which binds less.
    private mutating func addConjunction(_ parts: ArraySlice<Part>) {
        var depth = 0
        var isBetween = false
        var start = parts.startIndex
        var conjuncts: [ArraySlice<Part>] = []
        for (index, part) in zip(parts.indices, parts) {
            if part == .symbol(")") { depth -= 1 }
            if depth == 0 {
                if part.isWord("OR") || part.isWord("CASE") { return }
                if part.isWord("BETWEEN") { isBetween = true }
                if part.isWord("AND") {
                    if !isBetween {
                        conjuncts.append(parts[start..<index])
                        start = index + 1
                    }
                    isBetween = false
                }
            }
            if part == .symbol("(") { depth += 1 }
        }
        conjuncts.append(parts[start...])
        for conjunct in conjuncts { addConjunct(conjunct) }
    }

    private mutating func addConjunct(_ parts: ArraySlice<Part>) {
        if let inner = insideParentheses(parts) { return addConjunction(inner) }
        let parts = Array(parts)
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

    private func parameter(_ part: Part) -> Parameter? {
        if case .parameter(let index) = part { parameters[index] } else { nil }
    }

    /// What is between parentheses that enclose all parts; nil if none do.
    private func insideParentheses(_ parts: ArraySlice<Part>) -> ArraySlice<Part>? {
        guard parts.count > 2, parts.first == .symbol("("), parts.last == .symbol(")") else { return nil }
        var depth = 0
        let inner = parts.dropFirst().dropLast()
        for part in inner {
            if part == .symbol("(") { depth += 1 }
            if part == .symbol(")") { depth -= 1 }
            if depth < 0 { return nil }
        }
        return inner
    }

    /// The parameters of `column IN (?, ?)`.
    private func valuesOfIn(_ parts: [Part]) -> [Parameter]? {
        guard parts.count >= 5, parts.count % 2 == 1, parts[1].isWord("IN"), parts[2] == .symbol("("),
            parts[parts.count - 1] == .symbol(")")
        else { return nil }
        var values: [Parameter] = []
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
    private func sign(_ parts: ArraySlice<Part>) -> ((Parameter, _ isReversed: Bool) -> Comparison)? {
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

    private static func bound(isUpper: Bool, isIncluded: Bool) -> (Parameter, Bool) -> Comparison {
        { parameter, isReversed in
            isUpper != isReversed
                ? .upper(parameter, isIncluded: isIncluded) : .lower(parameter, isIncluded: isIncluded)
        }
    }
}
