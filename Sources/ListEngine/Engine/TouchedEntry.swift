internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The facts about one touched row.
struct TouchedEntry {
    /// A row as the list's SELECT shows it now. Without references, which copies would count.
    struct NewRow {
        /// The section it belongs to: one that the list has, one that has to be found by its key,
        /// or, in a section map, the one of a row, or of none.
        enum Section {
            case known(SectionID)
            /// Its number among the update's unknown sections.
            case unknown(Int)
            case mapped(Int64?)
        }

        let section: Section
        /// In the update's arena.
        let key: ArenaKey
        let keyHash: UInt32
    }

    struct Place {
        let section: SectionID
        let row: Int
        let keyHash: UInt32
    }

    enum Fate {
        /// It is in neither list, or nothing of its key changed.
        case stays
        case came
        case went
        /// Its key or section changed.
        case reordered

        /// Whether it leaves its old place.
        var removes: Bool { self == .went || self == .reordered }
        /// Whether it gets a new place.
        var inserts: Bool { self == .came || self == .reordered }
    }

    var evidence = Evidence()
    /// Its place in the new list; nil if it does not belong to it, or if that was not queried.
    var new: NewRow?
    var isInList: Bool { new != nil }
    /// Its content now.
    var content: RowValues?
    /// Its place in the old list.
    let oldPlace: Place?
    var oldPath: ListIndexPath?
    var oldContent: RowValues?
    var changed = ColumnSet()
    var fate = Fate.stays

    init(oldPlace: Place?) { self.oldPlace = oldPlace }
}
