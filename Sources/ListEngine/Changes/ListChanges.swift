public import ChangeSets
public import SQLiteKit

/// Everything that one delivery changed in one list: the change set, and the objects and sections
/// of its records. Immutable; outlives its list.
public struct ListChanges {
    package let source: any ChangesSource
    /// The records of the delivery, or a reload.
    public var changeSet: ChangeSet { source.changeSet }
    /// Whether the change set is a reload.
    package var isReload: Bool { source.isReload }

    /// The totals that the delivery changed, of the list and of sections that it has before and
    /// after, in this order. The sections have a record with `SectionChange.changedColumns` that
    /// are not empty. None for a reload.
    public var totals: [TotalChange] { source.totals }

    /// Where a window is after the delivery; nil for other lists, and for a reload.
    public var windowPlace: WindowPlace? { source.windowPlace }

    /// The numbers of sections and objects of the list after the delivery.
    private let newCounts: (sections: Int, objects: Int)

    package init(_ source: any ChangesSource, newCounts: (sections: Int, objects: Int)) {
        self.source = source
        self.newCounts = newCounts
    }

    /// A reload of which only the origin is known.
    package static func reload(from origin: ChangeOrigin) -> ListChanges {
        ListChanges(BareChanges(changeSet: .reload(from: origin)), newCounts: (0, 0))
    }

    /// The numbers of sections and objects of the list before the delivery; of no meaning for a
    /// reload.
    package var oldCounts: (sections: Int, objects: Int) {
        let set = changeSet
        return (
            newCounts.sections - set.sectionInserts.count + set.sectionDeletes.count,
            newCounts.objects - set.inserts.count + set.deletes.count
        )
    }

    /// The object of a record: its new state, or the last known one of a deleted object, whose
    /// values may not be known. Throws `gone` if the list shows another state and the new one of
    /// the object was not read before.
    public func object(of change: ObjectChange) throws -> FetchedObject { try source.object(of: change) }

    /// The identity of the object of a record.
    public func identity(of change: ObjectChange) -> [Value] { source.identity(of: change) }

    /// The values of an updated, moved or deleted object before the delivery; nil if they are not
    /// known.
    public func oldValues(of change: ObjectChange) -> [Value]? { source.oldContent(of: change)?.values }

    /// The values of an updated, moved or deleted section before the delivery: the values of its
    /// row's columns, in a section map of rows; else its one value, or name and index title of a
    /// placeholder. nil if they are not known.
    public func oldValues(of change: SectionChange) -> [Value]? { source.oldContent(of: change)?.values }

    /// The name that an updated, moved or deleted section had before.
    public func oldSectionName(of change: SectionChange) -> String? { source.oldSectionValue(of: change)?.text(0) }

    /// The name of a section of a record: the old name of a deleted one.
    public func sectionName(of change: SectionChange) -> String? { source.info(of: change)?.name }

    /// The row of a section of a record, if sections are rows: its new state, or the last known one
    /// of a deleted section.
    public func sectionObject(of change: SectionChange) throws -> FetchedObject? {
        try source.sectionObject(of: change)
    }
}
