/// The rows of one table that differ between two states, as they are stored. Rows that do not
/// differ may be included.
package struct TableChange {
    package let table: ExactText
    /// In a table with rowids: the rowids of the rows, and their old records; nil for a row that
    /// did not exist.
    package var rowids: [(rowid: Int64, oldRecord: [UInt8]?)] = []
    /// In a table WITHOUT ROWID: the records that only the old state has, and the records that only
    /// the new one has.
    package var oldRecords: [[UInt8]] = []
    package var newRecords: [[UInt8]] = []

    package init(table: ExactText) { self.table = table }

    package var isEmpty: Bool { rowids.isEmpty && oldRecords.isEmpty && newRecords.isEmpty }
}
