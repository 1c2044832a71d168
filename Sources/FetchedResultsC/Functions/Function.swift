public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_store_add_collation") @implementation
public func fr_store_add_collation(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ compare: fr_collation_compare!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        let name = unsafe try string(name, "name")
        guard let compare = unsafe compare else { throw StoreError(.misuse, "compare is NULL") }
        unsafe try store.addCollation(name) { a, b in
            unsafe compare(
                a.baseAddress?.assumingMemoryBound(to: CChar.self), a.count,
                b.baseAddress?.assumingMemoryBound(to: CChar.self), b.count, userData.pointer)
        }
    }
}

@_cdecl("fr_store_add_fallible_collation") @implementation
public func fr_store_add_fallible_collation(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ compare: fr_fallible_compare!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        let name = unsafe try string(name, "name")
        guard let compare = unsafe compare else { throw StoreError(.misuse, "compare is NULL") }
        unsafe try store.addCollation(name) { a, b in
            var order = Int32(FR_NO_ORDER)
            try calling("the collation \(name)") {
                unsafe compare(
                    &order, a.baseAddress?.assumingMemoryBound(to: CChar.self), a.count,
                    b.baseAddress?.assumingMemoryBound(to: CChar.self), b.count, userData.pointer)
            }
            guard order != Int32(FR_NO_ORDER) else {
                throw StoreError(.error, "the collation \(name) has ended without a result")
            }
            return order
        }
    }
}

@_cdecl("fr_store_add_function") @implementation
public func fr_store_add_function(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ given: UnsafePointer<fr_function>!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        let name = unsafe try string(name, "name")
        let function = unsafe try copied(try required(given, "function"), "function")
        try store.addFunction(try FunctionAdapter(name, function, userData).sqlFunction)
    }
}
