public import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

@_cdecl("fr_coordinator_new") @implementation
public func fr_coordinator_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ list: OpaquePointer!, _ callbacks: UnsafePointer<fr_view>!,
    _ flags: UInt32, _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let out = unsafe try required(out, "out")
        let box = try listBox(list)
        let view = unsafe try ViewAdapter(try view(callbacks), flags: flags, userData)
        let coordinator = Coordinator(
            view: view, list: box.list, options: view.options, updateCell: view.hasCellUpdates ? view.updateCell : nil)
        coordinator.countChanged = view.countChanged
        coordinator.failed = view.failed
        view.list = { [weak box] in box?.list }
        let handle = try newHandle(CoordinatorBox(view) { [weak box] in (coordinator, box) }, .coordinator)
        view.handle = unsafe handle
        unsafe out.pointee = handle
    }
}

@_cdecl("fr_coordinator_free") @implementation
public func fr_coordinator_free(_ handle: OpaquePointer!) {
    guard let box = HandleTable.release(handle, .coordinator) as? CoordinatorBox else { return }
    box.end()
}

@_cdecl("fr_coordinator_load_data") @implementation
public func fr_coordinator_load_data(_ handle: OpaquePointer!, _ fetch: Bool) -> fr_status {
    status { try coordinator(handle).following.loadData(fetching: fetch) }
}

@_cdecl("fr_coordinator_set_paused") @implementation
public func fr_coordinator_set_paused(_ handle: OpaquePointer!, _ isPaused: Bool) -> fr_status {
    status { try coordinator(handle).following.isPaused = isPaused }
}

@_cdecl("fr_coordinator_is_paused") @implementation
public func fr_coordinator_is_paused(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try coordinator(handle).coordinator.isPaused }
}

@_cdecl("fr_coordinator_is_loaded") @implementation
public func fr_coordinator_is_loaded(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try coordinator(handle).coordinator.isLoaded }
}

@_cdecl("fr_coordinator_list") @implementation
public func fr_coordinator_list(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try coordinator(handle).list
    }
}
