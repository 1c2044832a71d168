public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_window_open") @implementation
public func fr_window_open(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ place: Int64, _ before: Int64,
    _ after: Int64
) -> fr_status {
    status {
        unsafe try openWindow(out, handle, before, after) { list in
            if place == FR_WINDOW_AT_END { return .end }
            return place == 0 && list.isEmpty ? .beginning : .index(index(place))
        }
    }
}

@_cdecl("fr_window_open_at_identity") @implementation
public func fr_window_open_at_identity(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ identity: UnsafePointer<fr_value>!,
    _ count: Int, _ before: Int64, _ after: Int64
) -> fr_status {
    status {
        unsafe try openWindow(out, handle, before, after) { _ in
            unsafe .identity(try values(identity, count, "identity"))
        }
    }
}

@_cdecl("fr_window_open_at_section") @implementation
public func fr_window_open_at_section(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!,
    _ before: Int64, _ after: Int64
) -> fr_status {
    status {
        unsafe try openWindow(out, handle, before, after) { _ in unsafe .section(try string(name, "name")) }
    }
}

@_cdecl("fr_window_position") @implementation
public func fr_window_position(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try window(handle).position) }
}

@_cdecl("fr_window_anchor") @implementation
public func fr_window_anchor(_ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let path = try window(handle).anchor else {
            throw StoreError(.notFound, "the window shows no row, as its list has none")
        }
        unsafe out.pointee = fr_index_path(path)
    }
}

@_cdecl("fr_window_extent") @implementation
public func fr_window_extent(
    _ before: UnsafeMutablePointer<Int64>!, _ after: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let before = unsafe try required(before, "before")
        let after = unsafe try required(after, "after")
        let window = try window(handle)
        unsafe before.pointee = Int64(window.before)
        unsafe after.pointee = Int64(window.after)
    }
}

@_cdecl("fr_window_move") @implementation
public func fr_window_move(_ handle: OpaquePointer!, _ rows: Int64) -> fr_status {
    status { try window(handle).move(by: Int(rows)) }
}

@_cdecl("fr_window_resize") @implementation
public func fr_window_resize(_ handle: OpaquePointer!, _ before: Int64, _ after: Int64) -> fr_status {
    status { try window(handle).resize(before: Int(before), after: Int(after)) }
}

@_cdecl("fr_change_set_window_place") @implementation
public func fr_change_set_window_place(
    _ out: UnsafeMutablePointer<fr_window_place>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let place = try changeSet(handle).changes.windowPlace else {
            throw StoreError(.notFound, "the change set is not the records of a window")
        }
        unsafe out.pointee = fr_window_place(
            position: Int64(place.position), anchor: place.anchor.map { Int64($0) } ?? -1,
            is_anchor_replaced: place.isAnchorReplaced ? 1 : 0, reserved: 0)
    }
}

private func openWindow(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ handle: OpaquePointer?, _ before: Int64, _ after: Int64,
    at start: (ListObjects) throws -> WindowStart
) throws {
    let out = unsafe try required(out, "out")
    guard let list = try listBox(handle).list as? FetchedResultsController else {
        throw StoreError(.misuse, "a window can be opened on a controller or a section map only")
    }
    let window = try list.window(at: try start(list.objects), before: Int(before), after: Int(after))
    unsafe out.pointee = try newListHandle(window)
}

@safe private func window(_ handle: OpaquePointer?) throws -> ListWindow {
    guard let window = try listBox(handle).list as? ListWindow else {
        throw StoreError(.misuse, "the list is not a window")
    }
    return window
}
