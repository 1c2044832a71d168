internal import SQLiteKit

/// A text of SQL with numbers in place of its parameters' names.
///
/// SQLite looks for a name among all that it has found, whenever it parses or binds one: statements
/// with thousands of names take seconds. Numbers need no search.
struct NumberedText {
    let sql: String
    private var numbers: [ExactText: Int] = [:]
    private var count = 0

    /// How many values it takes.
    var parameterCount: Int { count }

    /// Gives parameters the numbers that SQLite gives them
    /// (https://www.sqlite.org/lang_expr.html#varparam).
    ///
    /// - Parameter areWritten: Whether all numbers are written, so that parameters may precede the
    ///   text.
    init(_ text: String, areWritten: Bool = false) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        for (token, range) in SQLTokens(text) where token == .parameter {
            let spelling = String(decoding: bytes[range], as: UTF8.self)
            if spelling.utf8.first == UInt8(ascii: "?") {
                let number = Int(spelling.dropFirst()) ?? count + 1
                if spelling.utf8.count > 1 { numbers[ExactText(spelling)] = number }
                count = max(count, number)
                if !areWritten || spelling.utf8.count > 1 { continue }
                result += bytes[copied..<range.lowerBound] + Array("?\(number)".utf8)
                copied = range.upperBound
                continue
            }
            result += bytes[copied..<range.lowerBound]
            copied = range.upperBound
            if let number = numbers[ExactText(spelling)] {
                result += Array("?\(number)".utf8)
            } else {
                // The next number is given to a plain "?".
                result.append(UInt8(ascii: "?"))
                count += 1
                if areWritten { result += Array("\(count)".utf8) }
                numbers[ExactText(spelling)] = count
            }
        }
        result += bytes[copied...]
        sql = copied == 0 ? text : String(decoding: result, as: UTF8.self)
    }

    /// The values by number. The text must be one that SQLite has accepted: it limits the numbers.
    func values(_ parameters: FetchRequest.Parameters) throws(StoreError) -> [Value] {
        switch parameters {
        case .positional(let values): return values
        case .named(let values): return try self.values(named: values)
        }
    }

    private func values(named: [(name: String, value: Value)]) throws(StoreError) -> [Value] {
        var values = [Value?](repeating: nil, count: count)
        for (name, value) in named {
            guard let number = numbers[ExactText(name)] ?? numbers[ExactText(":" + name)] else {
                throw StoreError(.sql, "the predicate has no parameter named \(name)", sql: sql)
            }
            values[number - 1] = value
        }
        if let index = values.firstIndex(where: { $0 == nil }) {
            let name = numbers.first { $0.value == index + 1 }?.key.text ?? "?\(index + 1)"
            throw StoreError(.sql, "no value is given for the predicate's parameter \(name)", sql: sql)
        }
        return values.compactMap(\.self)
    }
}
