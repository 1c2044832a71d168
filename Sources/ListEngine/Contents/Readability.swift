package import SQLiteKit

/// Which rows can be read from the database in the state that a list shows.
package struct Readability {
    /// Rows that may show something else in the database than in the list.
    package var missed = MissedRows()
    /// Of a list that was fetched when changes were not delivered yet.
    package var earlier: EarlierContents?
    /// The data version of the fetched state; nil once a round has delivered foreign commits since.
    package var dataVersion: Connection.DataVersion?
}
