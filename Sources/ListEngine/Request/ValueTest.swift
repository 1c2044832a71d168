package import SQLiteKit

/// A part of a predicate that holds only for rows with one value in a column: `column = ?`, joined
/// to the rest by AND. A row that has another value is not in the list.
package struct ValueTest {
    /// The number of the column in the table.
    package let column: Int
    package let component: KeyComponent
    /// The value as bytes, which are equal for equal values.
    package let key: [UInt8]
}

extension Entity {
    /// The first such part of a predicate; nil if there is none, or if only SQLite can determine
    /// which values equal its own.
    func valueTest(in predicate: String, _ parameters: FetchRequest.Parameters) -> ValueTest? {
        let tokens = PredicateTokens(predicate)
        for (name, parameter) in tokens.equations {
            guard let column = columnIndex(name), columns[column].collation.isBytewise,
                let value = parameters.value(parameter), isComparedAsItIs(value, columns[column])
            else { continue }
            let component = KeyComponent(collation: columns[column].collation)
            return ValueTest(
                column: column, component: component, key: RowValues.Part(RowValues([value]), 0).encoded(component))
        }
        return nil
    }

    /// Whether the column converts neither the value that it is compared with nor those that it
    /// holds (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
    private func isComparedAsItIs(_ value: Value, _ column: Column) -> Bool {
        switch (value, column.conversion) {
        case (.null, _): false
        case (_, .none), (.blob, _): true
        case (.text, .toText): true
        case (.integer, .toNumber), (.real, .toNumber): true
        case (.text, .toNumber), (.integer, .toText), (.real, .toText): false
        }
    }
}

extension FetchRequest.Parameters {
    fileprivate func value(_ parameter: PredicateTokens.Parameter) -> Value? {
        switch (self, parameter) {
        case (.positional(let values), .number(let number)):
            values.indices.contains(number - 1) ? values[number - 1] : nil
        case (.named(let values), .name(let name)):
            // A name that is given without its first character means the one that begins with a
            // colon.
            values.last { [$0.name, ":" + $0.name].contains { ExactText($0) == ExactText(name) } }?.value
        case (.positional, .name), (.named, .number): nil
        }
    }
}

/// The tokens of a predicate outside all parentheses.
private struct PredicateTokens {
    enum Parameter {
        case number(Int)
        case name(String)
    }

    private enum Part {
        case name(String)
        case equals
        case and
        case parameter(Parameter)
        case other
    }

    private var parts: [Part] = []
    /// Whether each AND joins parts of the whole predicate.
    private var isConjunction = true

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var depth = 0
        var lastNumber = 0
        for (token, range) in SQLTokens(text) {
            let spelling = String(decoding: bytes[range], as: UTF8.self)
            let parameter = Self.parameter(token, spelling, &lastNumber)
            if token == .punctuation(")") { depth -= 1 }
            if depth == 0 { add(token, parameter) }
            if token == .punctuation("(") { depth += 1 }
        }
    }

    private mutating func add(_ token: SQLTokens.Token, _ parameter: Parameter?) {
        switch token {
        case .word(let word) where isSameName(word, "AND"): parts.append(.and)
        case .word(let word):
            if ["OR", "BETWEEN", "CASE"].contains(where: { isSameName($0, word) }) { isConjunction = false }
            parts.append(.name(word))
        case .quoted(let name): parts.append(.name(name))
        // `==` means the same.
        case .punctuation("="): if case .equals = parts.last {} else { parts.append(.equals) }
        case .punctuation, .other: parts.append(parameter.map(Part.parameter) ?? .other)
        }
    }

    /// A parameter by its number, as SQLite numbers it
    /// (https://www.sqlite.org/lang_expr.html#varparam), or by its name.
    private static func parameter(_ token: SQLTokens.Token, _ text: String, _ lastNumber: inout Int) -> Parameter? {
        guard case .other = token, let first = text.first else { return nil }
        switch first {
        case "?":
            let number = Int(text.dropFirst()) ?? lastNumber + 1
            lastNumber = max(lastNumber, number)
            return .number(number)
        case ":", "@", "$": return .name(text)
        default: return nil
        }
    }

    /// The parts of the conjunction that set a name equal to a parameter.
    var equations: [(name: String, parameter: Parameter)] {
        guard isConjunction else { return [] }
        return parts.split { if case .and = $0 { true } else { false } }.compactMap { part in
            guard part.count == 3, case .equals = part[part.startIndex + 1] else { return nil }
            switch (part[part.startIndex], part[part.startIndex + 2]) {
            case (.name(let name), .parameter(let parameter)), (.parameter(let parameter), .name(let name)):
                return (name, parameter)
            default: return nil
            }
        }
    }
}
