package import SQLiteKit

/// The tables on which the rows of a request depend.
package struct Dependencies {
    /// A table on whose rows rows of the entity depend through foreign keys.
    package struct Related {
        let table: Entity
        /// The numbers of the table's columns that a foreign key refers to.
        let parentColumns: [Int]
        /// The values of these in rows of the table.
        let currentValues: RowReader
        /// Identities and row keys of the rows of the entity that depend on one set of these
        /// values.
        let fedRows: Statement
        let foreignKey: ForeignKeySearch
    }

    /// The search for the rows whose foreign key refers to a row.
    struct ForeignKeySearch {
        /// The text of the statement that makes it.
        let search: String
        /// The table with the foreign key.
        let table: Entity
        /// Its name in the statement.
        let name: String
        let columns: [String]
        /// Whether an index on these can serve: they compare as those that they refer to.
        let canHaveIndex: Bool
    }

    let related: [Related]
    /// Full-text indexes on whose documents rows of the entity depend that have the same rowids.
    let indexes: [TextIndex]
    /// The indexes in memory that search touched documents, and the tables in which each of these
    /// has a touched row.
    let documents: [(index: DocumentIndex, tables: [Entity])]
    /// Tables of which any change may change any row: the tables that a subquery or a view reads,
    /// and the shadow tables of virtual ones.
    let opaque: [Entity]
    /// Whether it reads something that no hook reports (a virtual table without shadow tables), so
    /// that any write may change any row.
    package let isAnyWrite: Bool
    /// The tables that the statement of all keys reads, and which functions it calls.
    package let access: AccessLog
    /// Functions whose results in this statement do not depend on the time, though they can.
    let repeatableFunctions: Set<String>
    /// The one database whose tables that reads; nil if there are several.
    package let database: ExactText?
    /// The predicate's requirements for single columns, before its parameters have values.
    let conditions: [Condition]
    /// The statements that read the row that a foreign key refers to, given the value of the key.
    ///
    /// - `row`: All columns, and the row key behind them, unless that is too much for one result.
    /// - `key`: The row key, in that case.
    typealias ParentStatements = (row: Statement, key: Statement?)

    /// By `KeyPath.Hop.target`; for key paths among the content and the sort values.
    let parentRows: [ExactText: ParentStatements]

    init(
        related: [Related] = [], indexes: [TextIndex] = [],
        documents: [(index: DocumentIndex, tables: [Entity])] = [], opaque: [Entity], isAnyWrite: Bool,
        _ access: AccessLog,
        repeatableFunctions: Set<String> = [], conditions: [Condition] = [],
        parentRows: [ExactText: ParentStatements] = [:]
    ) {
        self.related = related
        self.indexes = indexes
        self.documents = documents
        self.opaque = opaque
        self.isAnyWrite = isAnyWrite
        self.access = access
        self.repeatableFunctions = repeatableFunctions
        database = access.database
        self.conditions = conditions
        self.parentRows = parentRows
    }
}
