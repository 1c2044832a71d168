public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_list_perform_fetch") @implementation
public func fr_list_perform_fetch(_ handle: OpaquePointer!) -> fr_status {
    status { try listBox(handle).list.performFetch() }
}

@_cdecl("fr_list_perform_fetch_with_progress") @implementation
public func fr_list_perform_fetch_with_progress(
    _ handle: OpaquePointer!, _ progress: fr_progress_function!, _ userData: UnsafeMutableRawPointer!
) -> fr_status {
    status {
        let box = try listBox(handle)
        guard let progress = unsafe progress else { throw StoreError(.misuse, "progress is NULL") }
        try box.list.performFetch { unsafe progress(Int64($0), userData) }
    }
}

@_cdecl("fr_list_perform_fetch_async") @implementation
public func fr_list_perform_fetch_async(
    _ handle: OpaquePointer!, _ progress: fr_progress_function!, _ completion: fr_completion_function!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let box = try listBox(handle)
        guard let completion = unsafe completion else { throw StoreError(.misuse, "completion is NULL") }
        try box.list.performFetchAsynchronously(
            progress: { rows in unsafe progress?(Int64(rows), userData.pointer) ?? true },
            completion: { [weak box] error in
                guard let handle = box?.handle else { return }
                guard let error else { return unsafe completion(handle, nil, userData.pointer) }
                unsafe Failure(error).lend { unsafe completion(handle, $0, userData.pointer) }
            })
    }
}

@_cdecl("fr_list_cancel_fetch") @implementation
public func fr_list_cancel_fetch(_ handle: OpaquePointer!) -> fr_status {
    status {
        guard try listBox(handle).list.cancelFetch() else {
            throw StoreError(.notFound, "no fetch is under way")
        }
    }
}

@_cdecl("fr_list_is_fetched") @implementation
public func fr_list_is_fetched(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try listBox(handle).list.isFetched }
}

@_cdecl("fr_controller_set_row_cache_size") @implementation
public func fr_controller_set_row_cache_size(_ handle: OpaquePointer!, _ rows: Int64) -> fr_status {
    status {
        let controller = try listBox(handle).controller
        guard rows >= 0 else { throw StoreError(.range, "the cache can't have \(counted(rows, "row"))") }
        controller.rowCacheSize = Int(rows)
    }
}

@_cdecl("fr_controller_set_row_cache_bytes") @implementation
public func fr_controller_set_row_cache_bytes(_ handle: OpaquePointer!, _ bytes: Int64) -> fr_status {
    status {
        let controller = try listBox(handle).controller
        guard bytes >= 0 else { throw StoreError(.range, "the cache can't have \(counted(bytes, "byte"))") }
        controller.rowCacheBytes = Int(bytes)
    }
}
