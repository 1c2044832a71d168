public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_store_is_delivering") @implementation
public func fr_store_is_delivering(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { try required(out, "out").pointee = try store(handle).isDelivering }
}

@_cdecl("fr_store_call_after_round") @implementation
public func fr_store_call_after_round(
    _ handle: OpaquePointer!, _ function: fr_round_function!, _ pointer: UnsafeMutableRawPointer!,
    _ destroy: fr_destroy!
) -> fr_status {
    let userData = UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        guard let function else { throw StoreError(.misuse, "function is NULL") }
        try store.callAfterRound { error in
            guard let error else { return function(handle, nil, userData.pointer) }
            Failure(error).lend { function(handle, $0, userData.pointer) }
        }
    }
}
