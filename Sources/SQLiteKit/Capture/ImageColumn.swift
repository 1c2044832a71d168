/// Where the hooks have the value of one column of a table, and what has to be mended in it.
///
/// SQLite 3.40's preupdate interface numbers the columns of a table with rowids as they are stored, without virtual
/// generated ones; takes the column that has the number of INTEGER PRIMARY KEY for it, whichever it is; and, in a table
/// WITHOUT ROWID, looks for a column's affinity at another number than for its value.
package struct ImageColumn {
    package enum Source {
        /// The number by which the hooks know the column.
        case stored(Int)
        /// INTEGER PRIMARY KEY: the rowid, which the hook is given.
        case rowid
        /// Computed when it is read: nothing to be had.
        case none
        /// Stored, but out of the hooks' reach, so that no image of the row is whole.
        case unknown
    }

    package enum Repair {
        case nothing
        /// The column holds only reals, but integral ones may come as integers, as they are stored.
        case toReal
        /// The column holds only integers where a number is integral, but these may come as reals.
        case toInteger
        /// Integers may come as reals, and the column can hold both.
        case ambiguous
    }

    package let source: Source
    package let repair: Repair
    /// What a row shows that was stored before the column was added to the table; nil for NULL.
    package let missingValue: Record?

    package init(source: Source, repair: Repair = .nothing, missingValue: Record? = nil) {
        self.source = source
        self.repair = repair
        self.missingValue = missingValue
    }
}

/// How the hooks show the rows of a table.
package struct ImageLayout {
    package let columns: [ImageColumn]
    /// For a table WITHOUT ROWID: its key's columns as old and inserted rows number them, and as updated rows do.
    package let key: (columns: [Int], updatedColumns: [Int])?

    package init(columns: [ImageColumn], key: (columns: [Int], updatedColumns: [Int])?) {
        self.columns = columns
        self.key = key
    }
}
