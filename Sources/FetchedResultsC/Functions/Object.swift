public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_object_ref") @implementation
public func fr_object_ref(_ object: OpaquePointer!) -> OpaquePointer! {
    unsafe HandleTable.retain(object, .object) ? object : nil
}

@_cdecl("fr_object_unref") @implementation
public func fr_object_unref(_ object: OpaquePointer!) { HandleTable.release(object, .object) }

@_cdecl("fr_object_entity") @implementation
public func fr_object_entity(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status { unsafe try required(out, "out").pointee = ObjectNames.of(try object(handle)).entity.pointer }
}

@_cdecl("fr_object_identity_count") @implementation
public func fr_object_identity_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try object(handle).identityValues.count) }
}

@_cdecl("fr_object_identity") @implementation
public func fr_object_identity(
    _ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let rowValues = try object(handle).identityValues
        unsafe out.pointee = borrowedValue(rowValues, try checked(index, below: rowValues.count, "identity value"))
    }
}

@_cdecl("fr_object_column_count") @implementation
public func fr_object_column_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try object(handle).columns.count) }
}

@_cdecl("fr_object_column_name") @implementation
public func fr_object_column_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let names = ObjectNames.of(try object(handle)).columns
        unsafe out.pointee = names[try checked(index, below: names.count, "column")].pointer
    }
}

@_cdecl("fr_object_column_index") @implementation
public func fr_object_column_index(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try columnIndex(try object(handle), name)) }
}

@_cdecl("fr_object_value") @implementation
public func fr_object_value(
    _ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let object = try object(handle)
        unsafe out.pointee = try value(object, try checked(index, below: object.columns.count, "column"))
    }
}

@_cdecl("fr_object_values") @implementation
public func fr_object_values(
    _ out: UnsafeMutablePointer<fr_value>!, _ count: Int, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let object = try object(handle)
        guard count >= 0, count <= object.columns.count else {
            throw StoreError(.range, "the object has \(counted(object.columns.count, "column")), not \(count)")
        }
        guard count > 0 else { return }
        // Fails before anything is written.
        unsafe out.pointee = try value(object, 0)
        for index in 1..<max(count, 1) { unsafe out[index] = try value(object, index) }
    }
}

@_cdecl("fr_object_layout") @implementation
public func fr_object_layout(_ out: UnsafeMutablePointer<UInt64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = ObjectNames.of(try object(handle)).number }
}

@_cdecl("fr_object_value_named") @implementation
public func fr_object_value_named(
    _ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let object = try object(handle)
        unsafe out.pointee = try value(object, try columnIndex(object, name))
    }
}

private func value(_ object: FetchedObject, _ column: Int) throws -> fr_value {
    guard let content = object.content else { throw StoreError(.gone, "the values of the deleted row are not known") }
    return unsafe borrowedValue(content, column)
}

private func columnIndex(_ object: FetchedObject, _ name: UnsafePointer<CChar>?) throws -> Int {
    let name = unsafe try string(name, "name")
    guard let index = object.index(of: name) else {
        throw StoreError(.schema, "the object shows no column named \(name)")
    }
    return index
}
