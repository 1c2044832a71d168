internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The facts about one touched row.
struct TouchedEntry {
    /// Where a row belongs now, as the list's SELECT shows it. Without references, which copies
    /// would count.
    struct Destination {
        let section: DestinationSection
        /// In the update's arena.
        let key: ArenaKey
        let keyHash: UInt32
    }

    /// The section it belongs to: one that the list has, one that has to be found by its key, or,
    /// in a section map, the one of a row, or of none.
    enum DestinationSection {
        case known(SectionID)
        /// Its number among the update's unknown sections.
        case unknown(Int)
        case mapped(Int64?)
    }

    /// Where it was in the old list.
    typealias OldPlace = (section: SectionID, row: Int, keyHash: UInt32)

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
    var new: Destination?
    var isInList: Bool { new != nil }
    /// Its content now.
    var content: RowValues?
    /// Its place in the old list.
    let oldPlace: OldPlace?
    var oldPath: ListIndexPath?
    var oldContent: RowValues?
    var changed = ColumnSet()
    var fate = Fate.stays

    init(oldPlace: OldPlace?) { self.oldPlace = oldPlace }
}
