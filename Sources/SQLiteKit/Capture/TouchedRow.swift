/// A row that was touched, by its row key, with its old image; nil if it did not exist, or if that
/// is unavailable.
package enum TouchedRow {
    case rowid(Int64, image: RowValues?)
    case key(RowValues, image: RowValues?)

    package var image: RowValues? {
        switch self {
        case .rowid(_, let image), .key(_, let image): image
        }
    }
}
