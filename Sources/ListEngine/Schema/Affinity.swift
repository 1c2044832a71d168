internal import SQLiteKit

/// How a column of a table converts the values that are stored in it
/// (https://www.sqlite.org/datatype3.html#determination_of_column_affinity).
enum Affinity {
    case integer
    case text
    case blob
    case real
    case numeric

    init(declaredType: String) {
        let type = Array(declaredType.uppercased().utf8)
        func contains(_ part: StaticString) -> Bool {
            part.withUTF8Buffer { part in
                type.indices.contains { start in unsafe type[start...].starts(with: part) }
            }
        }
        if contains("INT") {
            self = .integer
        } else if contains("CHAR") || contains("CLOB") || contains("TEXT") {
            self = .text
        } else if contains("BLOB") || type.isEmpty {
            self = .blob
        } else if contains("REAL") || contains("FLOA") || contains("DOUB") {
            self = .real
        } else {
            self = .numeric
        }
    }

    var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}

extension Entity.Column {
    /// How it converts a value that it is compared with.
    var conversion: KeyMatch.Conversion {
        let affinity = Affinity(declaredType: type)
        return affinity.isNumeric ? .toNumber : affinity == .text ? .toText : .none
    }
}
