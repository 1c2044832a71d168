internal import SQLiteKit

/// Which columns of a statement's rows have their identity. A class, because copying a structure
/// would count references for each row.
final class IdentityColumns {
    /// The declared key, or the rowid where none is declared.
    let key: KeyColumns
    /// The first column of that.
    let first: Int
    let count: Int
    /// The rowid, which replaces a declared key with NULL; nil if no part of that can be NULL, or
    /// if there is none.
    let rowid: Int?

    /// - Parameter columns: As many as `Entity.identityExpressions` has.
    init(_ columns: [Int], _ entity: Entity) {
        first = columns.first ?? 0
        count = columns.count
        let components = entity.identityExpressions.map(\.component)
        let declared = entity.isIdentityNullable ? columns.count - 1 : columns.count
        key = KeyColumns(Array(columns[..<declared]), Array(components[..<declared]))
        rowid = entity.isIdentityNullable ? columns[declared] : nil
    }
}
