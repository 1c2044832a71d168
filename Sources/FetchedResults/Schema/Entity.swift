internal import SQLiteKit

/// A table or view as the schema declares it.
struct Entity {
    struct Column {
        let name: String
        /// The column's own collation.
        let collation: Collation
        /// Virtual generated columns are computed when they are read.
        let isStored: Bool
        /// The declared type.
        var type = ""
    }

    /// A foreign key of one column.
    struct ForeignKey {
        let column: String
        let parentTable: String
        let parentColumn: String
    }

    enum Storage: Equatable {
        /// A table with rowids; `name` is one by which SQL reaches them.
        case rowid(name: String)
        case withoutRowid
        /// A view or a virtual table, of which no hook tells anything.
        case unobserved

        var hasRowid: Bool { if case .rowid = self { true } else { false } }
    }

    let schema: String
    let name: String
    let storage: Storage
    let columns: [Column]
    /// The columns that identify a row; empty for a table that declares no primary key, whose rowid does.
    let identityColumns: [Column]
    /// Whether an identity is one integer, the rowid itself.
    let isIdentityRowid: Bool
    /// Whether identity columns can be NULL, in which case the rowid stands in for them.
    let isIdentityNullable: Bool
    let foreignKeys: [ForeignKey]

    var sqlName: String { "\(quoted(schema)).\(quoted(name))" }
    var displayName: String { schema == "main" ? name : "\(schema).\(name)" }

    /// Names are compared as SQLite does: ASCII letters without case.
    func columnIndex(_ name: String) -> Int? { columns.firstIndex { isSameName($0.name, name) } }
    func column(_ name: String) -> Column? { columnIndex(name).map { columns[$0] } }
    func foreignKey(_ column: String) -> ForeignKey? { foreignKeys.first { isSameName($0.column, column) } }

    /// Whether identities of both are of the same kind, so that equal ones mean the same row.
    func identifiesRows(like other: Entity) -> Bool {
        isIdentityRowid == other.isIdentityRowid && isIdentityNullable == other.isIdentityNullable
            && identityColumns.map(\.name) == other.identityColumns.map(\.name)
    }

    /// The SQL expressions that select an identity, and how its values compare.
    var identityExpressions: [(sql: String, component: KeyComponent)] {
        let rowid: [(String, KeyComponent)]
        if case .rowid(let rowidName) = storage {
            rowid = [("\(quoted(name)).\(quoted(rowidName))", KeyComponent())]
        } else {
            rowid = []
        }
        if isIdentityRowid { return rowid }
        let declared = identityColumns.map { ("\(quoted(name)).\(quoted($0.name))", KeyComponent(collation: $0.collation)) }
        return isIdentityNullable ? declared + rowid : declared
    }
}

func isSameName(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count
        && zip(a.utf8, b.utf8).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7a).contains($0 | 0x20)) }
}
