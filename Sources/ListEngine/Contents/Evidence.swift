internal import SQLiteKit

/// The facts from which the old content and the old key of a touched row are determined.
struct Evidence {
    /// Whether the row was touched itself, rather than only depending on rows that were.
    var isTouchedItself = false
    var image: RowValues?
    /// In a list of a view's rows: the row of the table as it was before.
    var tableRow: (rowid: Int64, image: RowValues)?
    /// All columns of the table as they are now, where old values need them.
    var row: RowValues?
}
