internal import SQLiteKit

extension SchemaReader {
    /// Whether a predicate is true, as an expression without parameters, which can be evaluated for
    /// a row as it was before; nil if it depends on more than the row, or if the value of a
    /// parameter can't be written exactly.
    ///
    /// - Parameters:
    ///   - text: The predicate, which is valid.
    ///   - values: The values of its parameters.
    func condition(_ text: String, _ values: [Value], of entity: Entity) -> KeyPath? {
        do {
            guard let literal = try literal(text, values) else { return nil }
            return try key("(\(literal)\n) IS TRUE", of: entity)
        } catch {
            // It is valid, so the expression is refused because it depends on more than the row.
            return nil
        }
    }

    /// The text with the values of its parameters; nil if one can't be written exactly.
    private func literal(_ text: String, _ values: [Value]) throws(StoreError) -> String? {
        let bytes = Array(text.utf8)
        var (result, copied, last) = ([UInt8](), 0, 0)
        for (token, range) in SQLTokens(text) where token == .parameter {
            let number = Int(String(decoding: bytes[range].dropFirst(), as: UTF8.self)) ?? last + 1
            last = max(last, number)
            guard values.indices.contains(number - 1) else { return nil }
            guard let literal = try literal(values[number - 1]) else { return nil }
            result += bytes[copied..<range.lowerBound] + Array(literal.utf8)
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private func literal(_ value: Value) throws(StoreError) -> String? {
        // A NUL would end the text of the statement.
        if case .text(let text) = value, text.utf8.contains(0) { return nil }
        var literal = value.description
        if case .real(let real) = value, real.isInfinite { literal = real < 0 ? "-9e999" : "9e999" }
        let statement = try connection.prepare("SELECT \(literal) IS ?1 AND typeof(\(literal)) = typeof(?1)")
        try statement.bind(value, at: 1)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) != 0 ? " \(literal) " : nil
    }
}
