internal import SQLiteKit

/// The facts from which the old content and the old key of a touched row are determined.
struct Evidence {
    /// Whether the row was touched itself, rather than only depending on rows that were.
    var isTouchedItself = false
    var image: RowValues?
    /// All columns of the table as they are now, where old values need them.
    var row: RowValues?
}
