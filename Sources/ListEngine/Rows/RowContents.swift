internal import SQLiteKit

/// The contents of a row before and after a delivery, as far as these are known.
struct RowContents {
    var old: RowValues?
    var new: RowValues?
}
