internal import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// The objects behind the handles of each kind, where these are more than an object of the core.

final class StatementBox {
    let store: Store
    let statement: Statement
    /// Throws if the statement can't yield everything that it represents; called after its first
    /// step.
    let check: (() throws -> Void)?
    /// Whether the last step reached a row.
    var hasRow = false
    /// Text and blobs of the current row.
    var row: RowValues?
    var name: CString?

    init(store: Store, statement: Statement, check: (() throws -> Void)? = nil) {
        self.store = store
        self.statement = statement
        self.check = check
    }
}

/// The names of an object's columns and entity, stored with its layout.
final class ObjectNames {
    let columns: [CString]
    let entity: CString
    let number = HandleTable.nextNumber()

    private init(_ layout: ObjectLayout) {
        columns = layout.columns.map(CString.init)
        entity = CString(layout.entity)
    }

    static func of(_ object: FetchedObject) -> ObjectNames {
        if let names = object.layout.attachment as? ObjectNames { return names }
        let names = ObjectNames(object.layout)
        object.layout.attachment = names
        return names
    }
}

final class RequestBox {
    var request: FetchRequest { didSet { known = nil } }
    private var known: RequestDescription?

    init(_ request: FetchRequest) { self.request = request }

    /// The request's description, which lives until the request changes.
    var description: RequestDescription {
        if let known { return known }
        let new = RequestDescription(request)
        known = new
        return new
    }
}

/// A controller, section map, collection or window.
@safe final class ListBox {
    let list: any LiveList
    /// The handle that callbacks get for the list.
    @safe var handle: OpaquePointer? { didSet { unsafe announcer?.handle = handle } }
    /// The objects of which the program has addresses.
    private var lent: LentByList?

    @safe private final class LentByList {
        /// The strings and records that were lent until the list changes.
        var strings = LentStrings()
        var version = 0
        /// The numbers of sections that were lent until the list changes.
        var sectionNumbers: LentArray<Int64>?
        /// The rows that were last lent.
        lazy var rows = LentRows()
        /// The failure that was last lent.
        var failure: Failure?
        /// The identity that was last lent.
        var identity: LentArray<fr_value>?
        /// In a collection, the handles of children that the program has no handle for.
        @safe var children: [ObjectIdentifier: OpaquePointer] = unsafe [:]
    }

    /// The rows that were last lent.
    var rows: LentRows { neededLent().rows }

    private func neededLent() -> LentByList {
        if let lent { return lent }
        let new = LentByList()
        lent = new
        return new
    }

    init(_ list: any LiveList) { self.list = list }

    /// Where the list's handle is stored. All lists of this interface are the library's own.
    private var announcer: Announcer? { (list as? any NotifyingList)?.announcer }

    deinit {
        if unsafe announcer?.handle == handle { unsafe announcer?.handle = nil }
    }

    /// Ends all callbacks, and closes the list.
    func close() throws {
        announcer?.removeAllObservers()
        freeChildHandles()
        try (list as? any NotifyingList)?.close()
    }

    /// The handle of a child of the collection: the program's, or one that belongs to the
    /// collection.
    @safe func lend(child: any LiveList) throws -> OpaquePointer? {
        if let known = unsafe (child as? any NotifyingList)?.announcer.handle { return unsafe known }
        let handle = try newListHandle(child)
        unsafe neededLent().children[ObjectIdentifier(child)] = handle
        return unsafe handle
    }

    /// Frees the collection's own handle of a list that is not its child any more, if it has one.
    func freeHandle(ofChild child: any LiveList) {
        if let handle = unsafe lent?.children.removeValue(forKey: ObjectIdentifier(child)) {
            // The store reports a list that can't be cached when it closes.
            _ = unsafe fr_list_free(handle)
        }
    }

    private func freeChildHandles() {
        // The collection's `close` caches them again, and reports what failed.
        while let handle = unsafe lent?.children.popFirst()?.value { _ = unsafe fr_list_free(handle) }
    }

    /// A failure that lives until the next one is lent.
    func lend(_ failure: StoreError?) -> UnsafePointer<fr_error>? {
        if failure == nil, lent == nil { return nil }
        let lent = neededLent()
        lent.failure = failure.map { Failure($0) }
        return unsafe lent.failure?.pointer
    }

    /// An identity that lives until the next one is lent.
    func lend(identity: RowValues) -> UnsafeMutableBufferPointer<fr_value> {
        let values = unsafe LentArray(
            (0..<identity.count).map { unsafe borrowedValue(identity, $0) }, owner: identity)
        unsafe neededLent().identity = values
        return unsafe values.values
    }

    /// A text that lives until the list changes.
    func lend(_ text: String) -> CString {
        currentLent().strings.lend(text)
    }

    /// A record equal to the given one that lives until the list changes.
    func lend(_ rowValues: RowValues) -> RowValues {
        currentLent().strings.lend(rowValues)
    }

    /// The numbers of sections that a function yields; they live until the list changes.
    func lendSectionNumbers(_ numbers: () throws -> [Int]) throws -> LentArray<Int64> {
        if let known = currentLent().sectionNumbers { return known }
        let numbers = LentArray(try numbers().map(Int64.init))
        currentLent().sectionNumbers = numbers
        return numbers
    }

    /// The lent values, without the strings and numbers of an earlier version of the list.
    private func currentLent() -> LentByList {
        let lent = neededLent()
        if lent.version != list.version {
            lent.version = list.version
            lent.strings = LentStrings()
            lent.sectionNumbers = nil
        }
        return lent
    }

    /// The list as the library uses it: all lists of this interface are its own.
    var notifying: any NotifyingList {
        get throws {
            guard let list = list as? any NotifyingList else { throw StoreError(.misuse, "the list has no identities") }
            return list
        }
    }

    /// The list as one that has a request.
    var controller: FetchedResultsController {
        get throws {
            guard let controller = list as? FetchedResultsController else {
                throw StoreError(.misuse, "a collection or window has no request of its own")
            }
            return controller
        }
    }
}

/// The store of a handle that is to be closed, also one that was opened before a fork; nil for
/// NULL.
@safe func storeToClose(_ handle: OpaquePointer?) throws -> Store? {
    if unsafe handle == nil { return nil }
    guard let store = HandleTable.find(handle, .store) as? Store else { throw notFound(handle, "store") }
    return store
}

/// Finds the object behind a handle of the caller.
@safe func store(_ handle: OpaquePointer?) throws -> Store { try find(handle, .store, "store") }
@safe func statement(_ handle: OpaquePointer?) throws -> StatementBox { try find(handle, .statement, "statement") }
@safe func object(_ handle: OpaquePointer?) throws -> FetchedObject { try find(handle, .object, "object") }
@safe func request(_ handle: OpaquePointer?) throws -> RequestBox { try find(handle, .request, "request") }
@safe func listBox(_ handle: OpaquePointer?) throws -> ListBox { try find(handle, .list, "list") }
@safe func placeholder(_ handle: OpaquePointer?) throws -> Placeholder { try find(handle, .placeholder, "placeholder") }
@safe func changeSet(_ handle: OpaquePointer?) throws -> ChangeSetBox { try find(handle, .changeSet, "change set") }
@safe func coordinator(_ handle: OpaquePointer?) throws -> CoordinatorBox {
    try find(handle, .coordinator, "coordinator")
}
@safe func dataSource(_ handle: OpaquePointer?) throws -> DataSourceBox { try find(handle, .dataSource, "data source") }
@safe func cell(_ handle: OpaquePointer?) throws -> CellBox { try find(handle, .cell, "cell") }
@safe func entityList(_ handle: OpaquePointer?) throws -> EntityListBox { try find(handle, .entityList, "entity list") }

@safe private func find<Object: AnyObject>(_ handle: OpaquePointer?, _ kind: HandleKind, _ name: String) throws
    -> Object
{
    guard let object = HandleTable.find(handle, kind) else { throw notFound(handle, name) }
    if HandleTable.isInherited(handle, kind) { throw Forks.misuse }
    // A handle's kind determines the class of its object.
    return unsafe unsafeDowncast(object, to: Object.self)
}

@safe private func notFound(_ handle: OpaquePointer?, _ name: String) -> StoreError {
    unsafe StoreError(
        .misuse, handle == nil ? "the \(name) is NULL" : "the handle is not of type \(name), or it was freed")
}

/// Calls `body`, which must not call the program, with the statement behind a handle of the caller.
@inline(__always)
@safe func withStatement(_ handle: OpaquePointer?, _ body: (StatementBox) throws -> Void) throws {
    if HandleTable.isInherited(handle, .statement) { throw Forks.misuse }
    let result: Void? = try HandleTable.borrow(handle, .statement, as: StatementBox.self, body)
    if result == nil { throw notFound(handle, "statement") }
}

/// A new handle for an object.
@safe func newHandle(_ object: consuming AnyObject, _ kind: HandleKind) throws -> OpaquePointer {
    guard let handle = HandleTable.insert(object, kind) else {
        throw StoreError(.noMemory, "there are too many handles")
    }
    return unsafe handle
}

/// A handle, stored with its object, and the object's texts of which the program has addresses.
@safe final class HandleNote {
    @safe fileprivate let handle: OpaquePointer
    private var lent: [String: CString] = [:]

    @safe fileprivate init(_ handle: OpaquePointer) { self.handle = unsafe handle }

    /// The text of a property, at an address that is valid until the property changes.
    func lend(_ text: String?, of name: String) -> UnsafePointer<CChar>? {
        if let text {
            if !(lent[name]?.hasBytes(of: text) ?? false) { lent[name] = CString(text) }
        } else {
            lent[name] = nil
        }
        return unsafe lent[name]?.pointer
    }
}

func note(of store: Store) -> HandleNote? { store.attachment as? HandleNote }
func note(of placeholder: Placeholder) -> HandleNote? { placeholder.attachment as? HandleNote }

/// A new handle for a store.
@safe func newStoreHandle(_ store: Store) throws -> OpaquePointer {
    let handle = try newHandle(store, .store)
    store.attachment = HandleNote(handle)
    return unsafe handle
}

/// The handle of a store; nil once it is closed.
@safe func openHandle(of store: Store) -> OpaquePointer? {
    store.isClosed ? nil : note(of: store)?.handle
}

/// A new handle for a placeholder.
@safe func newPlaceholderHandle(_ placeholder: Placeholder) throws -> OpaquePointer {
    let handle = try newHandle(placeholder, .placeholder)
    placeholder.attachment = HandleNote(handle)
    return unsafe handle
}

/// The handle of a placeholder; nil once it was freed.
@safe func liveHandle(of placeholder: Placeholder) -> OpaquePointer? {
    guard let handle = note(of: placeholder)?.handle else { return nil }
    return unsafe HandleTable.find(handle, .placeholder) == nil ? nil : handle
}

/// A new handle for a list.
@safe func newListHandle(_ list: any LiveList) throws -> OpaquePointer {
    let box = ListBox(list)
    let handle = try newHandle(box, .list)
    box.handle = unsafe handle
    return unsafe handle
}

@safe func newObjectHandle(_ object: consuming FetchedObject) throws -> OpaquePointer { try newHandle(object, .object) }

/// A new handle for the row of a section.
@safe func sectionObjectHandle(_ object: FetchedObject?) throws -> OpaquePointer {
    guard let object else { throw StoreError(.notFound, "the section is not a row") }
    return try newObjectHandle(object)
}
