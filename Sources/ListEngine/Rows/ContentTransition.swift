internal import SQLiteKit

/// The content of a row before and after a delivery, as far as they are known.
struct ContentTransition {
    var old: RowValues?
    var new: RowValues?
}
