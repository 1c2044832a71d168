/// How the rows of a table are read when they are about to change.
package struct ImageLayout {
    /// The number of columns.
    let columnCount: Int
    /// Whether the preupdate hook's values are what a SELECT would say. In SQLite 3.40 they are not for a table with
    /// virtual generated columns, which it numbers otherwise, and for one WITHOUT ROWID that has REAL columns, of which
    /// it looks at the wrong one's affinity.
    let isHookFaithful: Bool
    /// Selects all columns of a row by its row key.
    let select: String
    /// For a table WITHOUT ROWID: its key's columns as old and inserted rows number them, and as updated rows do.
    let key: (columns: [Int], updatedColumns: [Int])?

    package init(columnCount: Int, isHookFaithful: Bool, select: String, key: (columns: [Int], updatedColumns: [Int])?)
    {
        self.columnCount = columnCount
        self.isHookFaithful = isHookFaithful
        self.select = select
        self.key = key
    }
}
