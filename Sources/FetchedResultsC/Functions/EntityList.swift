public import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

@_cdecl("fr_entity_list_new") @implementation
public func fr_entity_list_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ entity: UnsafePointer<fr_entity>!,
    _ callbacks: UnsafePointer<fr_view>!,
    _ cellCallbacks: UnsafePointer<fr_cells>!, _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let out = unsafe try required(out, "out")
        let entity = unsafe try copied(try required(entity, "entity"), "entity")
        let view = unsafe try ViewAdapter(try view(callbacks, isOptional: true), flags: entity.view_flags, userData)
        let request = unsafe try request(of: entity)
        let identifier = unsafe try optionalString(entity.reuse_identifier, "reuse_identifier")
        let cells = unsafe CellsAdapter(
            try cells(cellCallbacks), userData, identifier: identifier ?? defaultReuseIdentifier)
        let box = unsafe try EntityListBox(entity, request, view, cells, userData)
        unsafe out.pointee = try newHandle(box, .entityList)
    }
}

/// The request for the rows of an entity.
private func request(of entity: fr_entity) throws -> FetchRequest {
    // The functions that build requests check their arguments.
    var request: OpaquePointer?
    try passing("fr_request_new") { unsafe fr_request_new(&request, entity.entity) }
    defer { unsafe fr_request_free(request) }
    let sorts = unsafe try array(entity.sorts, entity.sort_count, "sorts")
    for index in sorts.indices {
        let sort = unsafe sorts[index]
        try passing("fr_request_add_sort") {
            unsafe fr_request_add_sort(request, sort.key_path, sort.flags, sort.collation)
        }
    }
    if unsafe entity.batch_size != 0 {
        try passing("fr_request_set_batch_size") { unsafe fr_request_set_batch_size(request, entity.batch_size) }
    }
    return try FetchedResultsC.request(request).request
}

@_cdecl("fr_entity_list_free") @implementation
public func fr_entity_list_free(_ handle: OpaquePointer!) {
    guard let box = HandleTable.release(handle, .entityList) as? EntityListBox else { return }
    box.end()
}

@_cdecl("fr_entity_list_set_store") @implementation
public func fr_entity_list_set_store(_ handle: OpaquePointer!, _ store: OpaquePointer!) -> fr_status {
    status { try entityList(handle).setStore(store) }
}

@_cdecl("fr_entity_list_list") @implementation
public func fr_entity_list_list(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let list = try entityList(handle).listHandle else {
            throw StoreError(.notFound, "the entity list has no store yet")
        }
        unsafe out.pointee = list
    }
}

@_cdecl("fr_entity_list_store") @implementation
public func fr_entity_list_store(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try entityList(handle).store.flatMap { openHandle(of: $0) } }
}

@_cdecl("fr_entity_list_coordinator") @implementation
public func fr_entity_list_coordinator(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status { unsafe try required(out, "out").pointee = try entityList(handle).coordinatorHandle }
}

@_cdecl("fr_entity_list_data_source") @implementation
public func fr_entity_list_data_source(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status { unsafe try required(out, "out").pointee = try entityList(handle).dataSourceHandle }
}

@_cdecl("fr_entity_list_add_item") @implementation
public func fr_entity_list_add_item(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!,
    _ columns: UnsafePointer<UnsafePointer<CChar>?>!, _ values: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        let item = unsafe try entityList(handle).addItem(columns, values, count)
        if let out = unsafe out { unsafe out.pointee = item } else { HandleTable.release(item, .object) }
    }
}

@_cdecl("fr_entity_list_set_pending") @implementation
public func fr_entity_list_set_pending(_ handle: OpaquePointer!, _ item: OpaquePointer!, _ isPending: Bool) -> fr_status
{
    status { try entityList(handle).setPending(isPending, try object(item)) }
}

@_cdecl("fr_entity_list_is_pending") @implementation
public func fr_entity_list_is_pending(
    _ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!, _ item: OpaquePointer!
)
    -> fr_status
{
    status { unsafe try required(out, "out").pointee = try entityList(handle).isPending(try object(item)) }
}

@_cdecl("fr_entity_list_delete_item") @implementation
public func fr_entity_list_delete_item(_ handle: OpaquePointer!, _ place: fr_index_path) -> fr_status {
    status { try entityList(handle).deleteItem(at: try path(place)) }
}
