internal import SQLiteKit

/// What the rows of a request depend on.
package struct Dependencies {
    /// A table whose rows feed rows of the entity through foreign keys.
    package struct Related {
        let table: Entity
        /// The table's column that foreign keys refer to.
        let parentColumn: String
        /// What `parentColumn` holds in the row with a given row key.
        let currentValue: Statement
        /// Identities and row keys of the rows of the entity that one value of `parentColumn` feeds.
        let fedRows: Statement
    }

    let related: [Related]
    /// Tables of which any change may change any row: those that a subquery or a view reads.
    let opaque: [Entity]
    /// Whether it reads something that no hook tells of (a virtual table), so that any write may change any row.
    package let isAnyWrite: Bool
}
