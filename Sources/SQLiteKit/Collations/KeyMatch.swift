/// Determines which values of a key's column equal a value that refers to it: by their bytes, or
/// through SQLite where bytes do not suffice.
package struct KeyMatch {
    private let wanted: RowValues.Part
    private let component: KeyComponent
    /// The key's bytes; nil where only SQLite can determine which values match.
    package let bytes: [UInt8]?
    private let keyAffinity: Affinity
    /// They compare values of the type that the key's column converts to, and other values; nil
    /// where bytes suffice.
    private let statements: (converted: Statement, others: Statement)?

    /// - Parameters:
    ///   - affinity: The affinity of the column that refers.
    ///   - keyAffinity: The affinity of the key's column. Both are `blob` if the columns compare
    ///     alike.
    package init(
        _ wanted: RowValues.Part, _ affinity: Affinity, keyAffinity: Affinity, _ collation: Collation,
        connection: Connection
    ) throws(StoreError) {
        self.wanted = wanted
        self.keyAffinity = keyAffinity
        component = KeyComponent(collation: collation)
        guard !collation.isBytewise || affinity != .blob || keyAffinity != .blob else {
            statements = nil
            bytes = wanted.encoded(component)
            return
        }
        let isConverted = affinity.produces(wanted.rowValues.storageClass(wanted.index))
        let isSame = "= \(isConverted ? affinity.cast("?2") : "?2") COLLATE \(quoted(collation.name))"
        statements = (
            try connection.prepare("SELECT \(keyAffinity.cast("?1")) \(isSame)"),
            try connection.prepare("SELECT ?1 \(isSame)")
        )
        bytes = nil
    }

    package func matches(_ part: RowValues.Part) throws(StoreError) -> Bool {
        guard let statements else { return part.encoded(component) == bytes }
        let isConverted = keyAffinity.produces(part.rowValues.storageClass(part.index))
        let statement = isConverted ? statements.converted : statements.others
        try statement.bind(part.rowValues, part.index, at: 1)
        try statement.bind(wanted.rowValues, wanted.index, at: 2)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) == 1
    }
}

/// How a column converts the values that it is compared with
/// (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
extension Affinity {
    /// Whether a value of such a column has the type that the column converts to.
    fileprivate func produces(_ storageClass: StorageClass) -> Bool {
        switch self {
        case .blob: false
        case .text: storageClass == .text
        case .integer, .real, .numeric: storageClass == .integer || storageClass == .real
        }
    }

    /// A parameter for such a value. A cast to the type that the value has does not change it, but
    /// makes SQLite convert the other side as the column would.
    fileprivate func cast(_ parameter: String) -> String {
        "CAST(\(parameter) AS \(self == .text ? "TEXT" : "NUMERIC"))"
    }
}
