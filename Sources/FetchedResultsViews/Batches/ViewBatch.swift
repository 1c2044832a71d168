public import FetchedResults

/// Where a row was before a batch, and where it is after all of it.
public struct RowPlaces: Hashable, Sendable {
    /// The path before the batch.
    public let old: ListIndexPath
    /// The path after all of the batch.
    public let new: ListIndexPath

    /// The two paths of a row.
    public init(old: ListIndexPath, new: ListIndexPath) {
        self.old = old
        self.new = new
    }
}

/// Where a section was before a batch, and where it is after all of it.
public struct SectionPlaces: Hashable, Sendable {
    /// The index before the batch.
    public let old: Int
    /// The index after all of the batch.
    public let new: Int

    /// The two indexes of a section.
    public init(old: Int, new: Int) {
        self.old = old
        self.new = new
    }
}

/// The changes that one delivery makes to a view that reads its rows from the list. They are safe
/// to apply as one batch, in the order of the groups here.
///
/// Old places count before the batch, new ones after all of it. The rows of a deleted or inserted
/// section have no entries of their own: a change set has records of them, but a view deletes and
/// inserts them with the section.
public struct ViewBatch: Hashable, Sendable {
    /// Old indexes, descending.
    public internal(set) var sectionDeletes: [Int] = []
    /// New indexes, ascending.
    public internal(set) var sectionInserts: [Int] = []
    /// Ascending new index. The rows of a moved section move with it; changed rows have
    /// entries of their own.
    public internal(set) var sectionMoves: [SectionPlaces] = []
    /// Old paths, descending.
    public internal(set) var rowDeletes: [ListIndexPath] = []
    /// New paths, ascending.
    public internal(set) var rowInserts: [ListIndexPath] = []
    /// Ascending new path. A moved row may have changed as well.
    public internal(set) var rowMoves: [RowPlaces] = []
    /// Rows that changed and kept their place, ascending new path; none if cells are updated
    /// instead.
    public internal(set) var rowReloads: [RowPlaces] = []
    /// Sections whose own content changed, moved ones included: their headers are drawn again.
    /// Ascending new index.
    public internal(set) var sectionUpdates: [SectionPlaces] = []
    /// The cells to update after the batch is applied: new paths, ascending, each once.
    public internal(set) var cellUpdates: [ListIndexPath] = []

    /// The changes that the batch was made from.
    public let changes: ChangeSet
    let options: ViewOptions
    let updatesCells: Bool

    /// The batch of a change set, as a coordinator makes it for its view.
    ///
    /// - Parameters:
    ///   - changes: A change set that is not a reload.
    ///   - updatesCells: Whether changed rows have their cells updated rather than being reloaded.
    /// - Complexity: O(k log k) for k records.
    public init(_ changes: ChangeSet, options: ViewOptions = ViewOptions(), updatesCells: Bool = false) {
        self.changes = changes
        self.options = options
        self.updatesCells = updatesCells
        let sections = addSections()
        addRows(gone: sections.gone, come: sections.come)
    }

    /// Whether no group has an entry. Cells may have to be updated all the same.
    public var isEmpty: Bool {
        sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && rowDeletes.isEmpty
            && rowInserts.isEmpty
            && rowMoves.isEmpty && rowReloads.isEmpty && sectionUpdates.isEmpty
    }
}
