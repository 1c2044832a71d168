import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults

/// One bracket of callbacks, with the contents of its change set's records when it was delivered.
struct Delivery {
    let changes: ListChanges
    /// By object change: the identity and content of its object, or nil if it was not read.
    private(set) var objects: [[Cell]?]?
    let brokenOrder: [String]
    /// The statistics of ranks that the list has since.
    let statistics: Value

    init(_ changes: ListChanges, brokenOrder: [String], statistics: Value, looks: Bool) {
        self.changes = changes
        self.brokenOrder = brokenOrder
        self.statistics = statistics
        if looks { look() }
    }

    /// The records without totals: sections whose totals alone changed have none.
    var changeSet: ChangeSet {
        guard !changes.totals.isEmpty else { return changes.changeSet }
        let sections = changes.changeSet.sectionChanges.compactMap { change -> SectionChange? in
            let count = changes.source.sectionColumns(of: change).count
            guard let columns = change.changedColumns.columns, let old = change.oldIndex, let new = change.newIndex
            else { return change }
            let own = ColumnSet(columns.filter { $0 < count })
            switch change.type {
            case .move: return .move(from: old, to: new, changedColumns: own)
            case .update where own.isEmpty: return nil
            case .update: return .update(from: old, to: new, changedColumns: own)
            case .insert, .delete: return change
            }
        }
        return ChangeSet(sectionChanges: sections, objectChanges: changes.changeSet.objectChanges)
    }

    /// Reads the objects of all records.
    mutating func look() {
        objects = changeSet.objectChanges.map { change in
            change.type == .delete ? nil : (try? changes.object(of: change))?.content?.cells
        }
    }
}

/// How much the library can determine of the changes since the last delivery.
enum Knowledge {
    /// Hooks reported every touched row: records are exact.
    case exact
    /// Contents may have changed without notice: exact for rows whose content the program received.
    case listsOnly
    /// The request changed, so that any row may move.
    case newRequest
    /// A section map shows others of its sections; else as `listsOnly`.
    case newSections
}
