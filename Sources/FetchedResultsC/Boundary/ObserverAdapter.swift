internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

/// Passes a controller's changes on to C callbacks.
final class ObserverAdapter: FetchedResultsObserver {
    private let callbacks: fr_observer
    private let userData: UserData
    private weak var box: ControllerBox?

    init(_ callbacks: fr_observer, _ userData: UserData, _ box: ControllerBox) {
        self.callbacks = callbacks
        self.userData = userData
        self.box = box
    }

    private var handle: OpaquePointer? { box?.handle }

    var wantsSingleChanges: Bool { callbacks.section_change != nil || callbacks.object_change != nil }

    var wantsSingleObjects: Bool { callbacks.object_change != nil }

    func controllerWillChangeContent(_ controller: any LiveList) {
        callbacks.will_change?(handle, userData.pointer)
    }

    func controller(_ controller: any LiveList, didChange section: SectionInfo, _ change: SectionChange) {
        guard let callback = callbacks.section_change else { return }
        var record = fr_change(
            FR_SECTION, change.type, change.oldIndex.map { IndexPath(section: $0, row: -1) },
            change.newIndex.map { IndexPath(section: $0, row: -1) }, change.changedColumns)
        let name = section.name.map(CString.init)
        let title = section.indexTitle.map(CString.init)
        var info = fr_section(section, name: name, title: title)
        withExtendedLifetime((name, title, section)) { callback(handle, &info, &record, userData.pointer) }
    }

    func controller(_ controller: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange) {
        guard let callback = callbacks.object_change else { return }
        var record = fr_change(FR_OBJECT, change.type, change.oldPath, change.newPath, change.changedColumns)
        let object = object.flatMap { try? newObjectHandle($0) }
        callback(handle, object, &record, userData.pointer)
        HandleTable.release(object, .object)
    }

    func controller(_ controller: any LiveList, didDeliver changes: ListChanges) {
        guard let callback = callbacks.changes, let changes = try? newHandle(ChangeSetBox(changes), .changeSet) else { return }
        callback(handle, changes, userData.pointer)
        HandleTable.release(changes, .changeSet)
    }

    func controllerDidChangeContent(_ controller: any LiveList) {
        callbacks.did_change?(handle, userData.pointer)
    }

    func controller(_ controller: any LiveList, didFail error: StoreError) {
        let message = CString(error.message)
        withExtendedLifetime(message) {
            callbacks.error?(handle, error.status.rawValue, message.pointer, userData.pointer)
        }
    }
}

extension fr_section {
    init(_ section: SectionInfo, name: CString?, title: CString?) {
        self.init(
            name: name?.pointer, name_length: Int64(name?.count ?? 0), index_title: title?.pointer,
            count: Int64(section.numberOfObjects),
            value: section.record.count == 0 ? fr_null() : borrowedValue(section.record, 0), index: Int64(section.index ?? -1))
    }

    /// What is known of a section, with strings that are lent until the list changes.
    init(lending section: SectionInfo, _ box: ControllerBox) {
        self.init(
            section, name: section.name.map { box.lend(CString($0)) }, title: section.indexTitle.map { box.lend(CString($0)) })
        _ = box.lend(section.record)
    }
}
