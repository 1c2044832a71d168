public import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

@_cdecl("fr_cell_new") @implementation
public func fr_cell_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ columns: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int,
    _ changed: fr_cell_changed!, _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let out = unsafe try required(out, "out")
        let box = unsafe CellBox(columns: try strings(columns, count, "columns"), changed, userData)
        let handle = try newHandle(box, .cell)
        box.handle = unsafe handle
        unsafe out.pointee = handle
    }
}

@_cdecl("fr_cell_free") @implementation
public func fr_cell_free(_ handle: OpaquePointer!) {
    guard let box = HandleTable.release(handle, .cell) as? CellBox else { return }
    box.end()
}

@_cdecl("fr_cell_set_object") @implementation
public func fr_cell_set_object(_ handle: OpaquePointer!, _ objectHandle: OpaquePointer!) -> fr_status {
    status { try cell(handle).object = unsafe try objectHandle.map { try object($0) } }
}

@_cdecl("fr_cell_object") @implementation
public func fr_cell_object(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let object = try cell(handle).object else { throw StoreError(.notFound, "the cell has no object") }
        unsafe out.pointee = try newObjectHandle(object)
    }
}

@_cdecl("fr_cell_column_count") @implementation
public func fr_cell_column_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try cell(handle).columns.count) }
}

@_cdecl("fr_cell_value") @implementation
public func fr_cell_value(_ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int64) -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let box = try cell(handle)
        unsafe out.pointee = try box.value(try checked(index, below: box.columns.count, "column"))
    }
}

@_cdecl("fr_cell_text") @implementation
public func fr_cell_text(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try cell(handle)
        unsafe out.pointee = box.text(try checked(index, below: box.columns.count, "column"))
    }
}
