/// How a column of a table converts the values that are stored in it
/// (https://www.sqlite.org/datatype3.html#determination_of_column_affinity).
package enum Affinity {
    case integer
    case text
    case blob
    case real
    case numeric

    package init(declaredType: String) {
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

    package var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}
