/// What a column of a table makes of the values that it is given (https://www.sqlite.org/datatype3.html#determination_of_column_affinity).
enum Affinity {
    case integer
    case text
    case blob
    case real
    case numeric

    init(declaredType: String) {
        let type = declaredType.uppercased()
        if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.contains("BLOB") || type.isEmpty {
            self = .blob
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else {
            self = .numeric
        }
    }

    var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}
