internal import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

/// What the handles of each kind stand for, where that is more than an object of the core.

final class StatementBox {
    let store: Store
    let statement: Statement
    /// Whether the last step came to a row.
    var hasRow = false
    /// Text and blobs of the current row.
    var row: Record?
    var name: CString?

    init(store: Store, statement: Statement) {
        self.store = store
        self.statement = statement
    }
}

/// The names of an object's columns and entity, kept beside its layout.
final class ObjectNames {
    let columns: [CString]
    let entity: CString

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
    var request: FetchRequest

    init(_ request: FetchRequest) { self.request = request }
}

final class ControllerBox {
    let controller: FetchedResultsController
    /// The handle under which callbacks get to know the controller.
    var handle: OpaquePointer?
    /// Strings that were lent out, until the list changes.
    private var lent: [AnyObject] = []
    private var version = 0

    init(_ controller: FetchedResultsController) { self.controller = controller }

    deinit { controller.invalidate() }

    /// Keeps something alive as long as the list stays as it is.
    func lend<Object: AnyObject>(_ object: Object) -> Object {
        if version != controller.version {
            version = controller.version
            lent = []
        }
        lent.append(object)
        return object
    }
}

/// Finds what a handle of the caller stands for.
func store(_ handle: OpaquePointer?) throws -> Store { try find(handle, .store, "store") }
func statement(_ handle: OpaquePointer?) throws -> StatementBox { try find(handle, .statement, "statement") }
func object(_ handle: OpaquePointer?) throws -> FetchedObject { try find(handle, .object, "object") }
func request(_ handle: OpaquePointer?) throws -> RequestBox { try find(handle, .request, "request") }
func controller(_ handle: OpaquePointer?) throws -> ControllerBox { try find(handle, .controller, "controller") }
func changeSet(_ handle: OpaquePointer?) throws -> ChangeSetBox { try find(handle, .changeSet, "change set") }

private func find<Object: AnyObject>(_ handle: OpaquePointer?, _ kind: HandleKind, _ name: String) throws -> Object {
    guard let object = HandleTable.find(handle, kind) else {
        throw StoreError(.misuse, handle == nil ? "the \(name) is NULL" : "the handle is no \(name), or it was freed")
    }
    // A handle's kind says of which class its object is.
    return unsafeDowncast(object, to: Object.self)
}

/// A new handle for an object.
func newHandle(_ object: AnyObject, _ kind: HandleKind) throws -> OpaquePointer {
    guard let handle = HandleTable.insert(object, kind) else { throw StoreError(.noMemory, "there are too many handles") }
    return handle
}

func newObjectHandle(_ object: FetchedObject) throws -> OpaquePointer { try newHandle(object, .object) }
