public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

/// Reads what lists were made of, and their settings.

@_cdecl("fr_controller_section_key_path") @implementation
public func fr_controller_section_key_path(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        unsafe out.pointee = try box.controller.sectionKeyPath.map { unsafe box.lend($0).pointer }
    }
}

@_cdecl("fr_controller_store") @implementation
public func fr_controller_store(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let store = try ((box.list as? ListWindow)?.list ?? box.controller).store
        guard let handle = openHandle(of: store) else { throw StoreError(.closed, "the store is closed") }
        unsafe out.pointee = handle
    }
}

@_cdecl("fr_controller_failure") @implementation
public func fr_controller_failure(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_error>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        unsafe out.pointee = box.lend(try box.controller.deliveryFailure)
    }
}

@_cdecl("fr_controller_row_cache_size") @implementation
public func fr_controller_row_cache_size(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try listBox(handle).controller.rowCacheSize) }
}

@_cdecl("fr_controller_row_cache_bytes") @implementation
public func fr_controller_row_cache_bytes(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try listBox(handle).controller.rowCacheBytes) }
}

// MARK: Section maps

@_cdecl("fr_section_map_section_request") @implementation
public func fr_section_map_section_request(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let request = try sectionMap(handle).sectionRequest else {
            throw StoreError(.notFound, "the sections of this map are keys, not rows")
        }
        unsafe out.pointee = try newHandle(RequestBox(request), .request)
    }
}

@_cdecl("fr_section_map_key_count") @implementation
public func fr_section_map_key_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try keys(handle).count) }
}

@_cdecl("fr_section_map_key") @implementation
public func fr_section_map_key(_ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int64)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let keys = try keys(handle)
        let key = keys[try checked(index, below: keys.count, "key")]
        unsafe out.pointee = borrowedValue(try listBox(handle).lend(RowValues([key])), 0)
    }
}

@_cdecl("fr_section_map_empty_sections") @implementation
public func fr_section_map_empty_sections(_ out: UnsafeMutablePointer<Int32>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try sectionMap(handle).emptySections.rawValue }
}

@_cdecl("fr_section_map_items_without_section") @implementation
public func fr_section_map_items_without_section(
    _ out: UnsafeMutablePointer<Int32>!, _ handle: OpaquePointer!
) -> fr_status {
    status { unsafe try required(out, "out").pointee = try sectionMap(handle).itemsWithoutSection.rawValue }
}

@safe private func keys(_ handle: OpaquePointer?) throws -> [Value] {
    guard let keys = try sectionMap(handle).sectionKeys else {
        throw StoreError(.notFound, "the sections of this map are rows, not keys")
    }
    return keys
}
