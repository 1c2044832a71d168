public import ChangeSets
public import SQLiteKit

/// The changes of a list by one delivery, with everything that was read of it, as a value that may
/// be passed to other threads and tasks.
public struct ChangesSnapshot: Sendable {
    /// The record of an object, with its rows.
    public struct Object: Sendable {
        /// The kind of change to the object.
        public let change: ObjectChange
        /// Its identity.
        public let identity: [Value]
        /// Its new state, or the last known one of a deleted object; nil if it could not be read.
        public let object: FetchedObject?
        /// The values of its columns before the delivery; nil for an inserted one, and if they are
        /// not known.
        public let oldValues: [Value]?
    }

    /// The record of a section, with its values.
    public struct Section: Sendable {
        /// The kind of change to the section.
        public let change: SectionChange
        /// Its name; the old name of a deleted one.
        public let name: String?
        /// The name that an updated, moved or deleted section had before.
        public let oldName: String?
        /// Its row, if sections are rows and it could be read.
        public let object: FetchedObject?
    }

    /// The records, or a reload.
    public let changeSet: ChangeSet
    /// The sections of the records, in the order of `changeSet.sectionChanges`.
    public let sections: [Section]
    /// The objects of the records, in the order of `changeSet.objectChanges`.
    public let objects: [Object]
}

extension ListChanges {
    /// The changes as a value that may be passed to other threads. Reads the object of each record
    /// that is not cached.
    ///
    /// - Complexity: O(k) for k records.
    public func snapshot() -> ChangesSnapshot {
        ChangesSnapshot(
            changeSet: changeSet,
            sections: changeSet.sectionChanges.map { change in
                ChangesSnapshot.Section(
                    change: change, name: sectionName(of: change), oldName: oldSectionName(of: change),
                    object: (try? sectionObject(of: change)).flatMap(\.self))
            },
            objects: changeSet.objectChanges.map { change in
                ChangesSnapshot.Object(
                    change: change, identity: identity(of: change), object: try? object(of: change),
                    oldValues: change.type == .insert ? nil : oldValues(of: change))
            })
    }
}
