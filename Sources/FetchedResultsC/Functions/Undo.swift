public import CFetchedResults
internal import FetchedResults

@_cdecl("fr_store_begin_step") @implementation
public func fr_store_begin_step(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ joinsLast: Bool
) -> fr_status {
    status { unsafe try store(handle).beginStep(try string(name, "name"), joinsLast: joinsLast) }
}

@_cdecl("fr_store_undo") @implementation
public func fr_store_undo(_ handle: OpaquePointer!) -> fr_status { status { try store(handle).undo() } }

@_cdecl("fr_store_redo") @implementation
public func fr_store_redo(_ handle: OpaquePointer!) -> fr_status { status { try store(handle).redo() } }

@_cdecl("fr_store_undo_name") @implementation
public func fr_store_undo_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        unsafe out.pointee = note(of: store)?.lend(try store.undoName, of: "undo_name")
    }
}

@_cdecl("fr_store_redo_name") @implementation
public func fr_store_redo_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        unsafe out.pointee = note(of: store)?.lend(try store.redoName, of: "redo_name")
    }
}

@_cdecl("fr_store_discard_steps") @implementation
public func fr_store_discard_steps(_ handle: OpaquePointer!, _ count: Int) -> fr_status {
    // A size that Swift imports as negative is greater than every number of steps.
    status { try store(handle).discardSteps(count < 0 ? .max : count) }
}

@_cdecl("fr_store_set_undo_limit") @implementation
public func fr_store_set_undo_limit(_ handle: OpaquePointer!, _ steps: Int, _ bytes: Int) -> fr_status {
    status { try store(handle).setUndoLimit(steps: steps < 0 ? .max : steps, bytes: bytes < 0 ? .max : bytes) }
}
