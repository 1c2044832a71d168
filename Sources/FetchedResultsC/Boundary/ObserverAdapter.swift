internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit
internal import Synchronization

/// Passes a controller's changes on to C callbacks.
@safe final class ObserverAdapter: FetchedResultsObserver {
    private let callbacks: Callbacks
    private let userData: UnsafeMutableRawPointer?
    private let destroy: fr_destroy?
    /// Valid as long as the list has observers.
    @safe private let handle: OpaquePointer?
    /// The changes that are being delivered.
    private var delivery: LentChanges?

    init(_ callbacks: fr_observer, _ userData: UserData, _ box: ListBox) {
        self.callbacks = Callbacks.of(callbacks)
        unsafe (self.userData, destroy) = userData.take()
        handle = box.handle
    }

    deinit { unsafe UserData.destroy(userData, destroy) }

    var wantsSingleChanges: Bool {
        unsafe callbacks.functions.section_changed != nil || callbacks.functions.object_changed != nil
    }

    var wantsSingleObjects: Bool { unsafe callbacks.functions.object_changed != nil }

    func listWillChange(_ controller: any LiveList) {
        delivery = nil
        unsafe callbacks.functions.will_change?(handle, userData)
    }

    func list(
        _ controller: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges
    ) {
        guard let callback = unsafe callbacks.functions.section_changed else { return }
        let name = section.name.map(CString.init)
        let title = section.indexTitle.map(CString.init)
        var info = unsafe fr_section_info(section, rowValues: section.rowValues, name: name, title: title)
        withExtendedLifetime((name, title, section)) {
            lending(changes) { delivery in
                guard let record = unsafe delivery.box.record(of: .section(change)) else { return }
                unsafe callback(handle, &info, record, delivery.handle, userData)
            }
        }
    }

    func list(
        _ controller: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges
    ) {
        guard let callback = unsafe callbacks.functions.object_changed else { return }
        let object = unsafe object.flatMap { try? newObjectHandle($0) }
        lending(changes) { delivery in
            guard let record = unsafe delivery.box.record(of: .object(change)) else { return }
            unsafe callback(handle, object, record, delivery.handle, userData)
        }
        HandleTable.release(object, .object)
    }

    func listDidReload(_ controller: any LiveList) {
        unsafe callbacks.functions.did_reload?(handle, userData)
    }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        guard let callback = unsafe callbacks.functions.did_deliver else { return }
        lending(changes) { unsafe callback(handle, $0.handle, userData) }
    }

    func listDidChange(_ controller: any LiveList) {
        delivery = nil
        unsafe callbacks.functions.did_change?(handle, userData)
    }

    func list(_ controller: any LiveList, didFail error: StoreError) {
        unsafe Failure(error).lend { unsafe callbacks.functions.did_fail?(handle, $0, userData) }
    }

    /// Calls `body`, which calls the program, with the change set under its handle; not if there
    /// are too many handles. The next callback of the delivery gets the same one.
    private func lending(_ changes: ListChanges, _ body: (borrowing LentChanges) -> Void) {
        guard let lent = take(changes) ?? LentChanges(changes) else { return }
        body(lent)
        delivery = consume lent
    }

    /// The change set, if it is lent already. It is taken out while the program is called, which
    /// may make the list deliver another one.
    private func take(_ changes: ListChanges) -> LentChanges? {
        guard let lent = exchange(&delivery, with: nil), lent.box.changes.source === changes.source else { return nil }
        return lent
    }
}

/// The functions of an observer. Most programs observe all lists by the same ones, which then share
/// this. Sendable, because it never changes.
@safe private final class Callbacks: @unchecked Sendable {
    let functions: fr_observer

    private init(_ functions: fr_observer) { self.functions = functions }

    private static let last = Mutex<Callbacks?>(nil)

    static func of(_ functions: fr_observer) -> Callbacks {
        // Without the lock, which a forked process can inherit, the functions are not shared.
        last.withLockIfAvailable { last in
            if let last, areSame(last.functions, functions) { return last }
            let new = Callbacks(functions)
            last = new
            return new
        } ?? Callbacks(functions)
    }

    private static func areSame(_ first: fr_observer, _ second: fr_observer) -> Bool {
        unsafe withUnsafeBytes(of: first) { first in
            unsafe withUnsafeBytes(of: second) { unsafe first.elementsEqual($0) }
        }
    }
}

/// A change set under one handle for all callbacks of a delivery. It has the size of a reference,
/// as each observer has room for one.
@safe private struct LentChanges: ~Copyable {
    let box: ChangeSetBox
    @safe var handle: OpaquePointer? { box.handle }

    init?(_ changes: ListChanges) {
        box = ChangeSetBox(changes)
        box.handle = HandleTable.insert(box, .changeSet)
        if unsafe box.handle == nil { return nil }
    }

    deinit { HandleTable.release(box.handle, .changeSet) }
}

extension fr_section_info {
    init(_ section: SectionInfo, rowValues: RowValues, name: CString?, title: CString?) {
        unsafe self.init(
            name: name?.pointer, name_length: Int64(name?.count ?? 0), index_title: title?.pointer,
            count: Int64(section.numberOfObjects),
            value: rowValues.count == 0 ? fr_null() : borrowedValue(rowValues, 0), index: Int64(section.index ?? -1))
    }

    /// The information on a section, with strings that are lent until the list changes.
    init(lending section: SectionInfo, _ box: ListBox) {
        unsafe self.init(
            section, rowValues: box.lend(section.rowValues), name: section.name.map(box.lend),
            title: section.indexTitle.map(box.lend))
    }
}
