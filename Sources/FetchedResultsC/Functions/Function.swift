public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

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
