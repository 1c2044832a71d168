/// Which columns of a statement's rows have their identity. A class, because copying a structure
/// would count references for each row.
package final class IdentityColumns {
    /// The declared key, or the rowid where none is declared.
    private let key: KeyColumns
    /// The first column of that.
    package let first: Int
    package let count: Int
    /// How many columns the declared key has.
    package var keyCount: Int { rowid == nil ? count : count - 1 }
    /// The rowid, which replaces a declared key with NULL; nil if no part of that can be NULL, or
    /// if there is none.
    private let rowid: Int?

    /// - Parameters:
    ///   - columns: The columns of the key and, if parts of that can be NULL, the rowid's.
    ///   - components: How the values of these columns compare.
    package init(_ columns: [Int], _ components: [KeyComponent], isNullable: Bool) {
        first = columns.first ?? 0
        count = columns.count
        let declared = isNullable ? columns.count - 1 : columns.count
        key = KeyColumns(Array(columns[..<declared]), Array(components[..<declared]))
        rowid = isNullable ? columns[declared] : nil
    }

    /// Appends the identity of the current row to a key. Returns the rowid if that replaces a key
    /// with NULL; it is appended too.
    package func encode(_ statement: Statement, into key: inout KeyEncoder) -> Int64? {
        unsafe encode(statement.row, into: &key)
    }

    func encode(_ row: ResultRow, into key: inout KeyEncoder) -> Int64? {
        guard unsafe self.key.encode(row, into: &key), let rowid else { return nil }
        let value = unsafe row.value(rowid).integer
        key.append(rowid: value)
        return value
    }

    /// Appends the identity of the current row as a `PackedIdentity`.
    ///
    /// - Parameter rowid: The result of `encode`.
    package func pack(_ statement: Statement, _ rowid: Int64?, into bytes: inout [UInt8]) {
        unsafe pack(statement.row, rowid, into: &bytes)
    }

    func pack(_ row: ResultRow, _ rowid: Int64?, into bytes: inout [UInt8]) {
        if let rowid {
            RowValues(standInRowid: rowid, keyCount: count - 1).packIdentity(isRowid: true, into: &bytes)
        } else {
            unsafe key.packIdentity(row, into: &bytes)
        }
    }
}
