public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_store_dispatch") @implementation
public func fr_store_dispatch(_ handle: OpaquePointer!) -> fr_status { status { _ = try store(handle).dispatch() } }

@_cdecl("fr_store_dispatch_rounds") @implementation
public func fr_store_dispatch_rounds(
    _ out: UnsafeMutablePointer<fr_dispatch_result>!, _ handle: OpaquePointer!, _ limit: Int32
) -> fr_status {
    status {
        let store = try store(handle)
        if let out = unsafe out { unsafe try fr_dispatch_result.checkSize(of: out, "result") }
        let dispatched = try store.dispatch(limit: limit < 0 ? nil : Int(limit))
        guard let out = unsafe out else { return }
        var result = fr_dispatch_result()
        result.rounds = Int64(dispatched.rounds)
        result.changed_lists = Int64(dispatched.changedLists)
        result.is_complete = dispatched.isComplete
        unsafe try result.write(to: out, "result")
    }
}

@_cdecl("fr_store_file_descriptor") @implementation
public func fr_store_file_descriptor(_ out: UnsafeMutablePointer<Int32>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).fileDescriptor }
}

@_cdecl("fr_store_wake_up_source") @implementation
public func fr_store_wake_up_source(
    _ out: UnsafeMutablePointer<fr_wake_up_source>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = fr_wake_up_source(UInt32(try store(handle).wakeUpSource.rawValue))
    }
}

@_cdecl("fr_store_foreign_counters") @implementation
public func fr_store_foreign_counters(
    _ out: UnsafeMutablePointer<fr_foreign_counters>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let counters = try store(handle).foreignCounters
        var result = fr_foreign_counters()
        result.followed = Int64(counters.followed)
        result.frames = Int64(counters.frames)
        result.rows = Int64(counters.rows)
        unsafe withUnsafeMutableBytes(of: &result.unknown) { bytes in
            let unknown = unsafe bytes.bindMemory(to: Int64.self)
            for (reason, count) in counters.unknown { unsafe unknown[reason.rawValue] = Int64(count) }
        }
        unsafe try result.write(to: out, "counters")
    }
}

@_cdecl("fr_store_set_measuring") @implementation
public func fr_store_set_measuring(_ handle: OpaquePointer!, _ measuring: Bool) -> fr_status {
    status {
        let store = try store(handle)
        try store.checkOpen()
        store.measuresDeliveries = measuring
    }
}

@_cdecl("fr_store_delivery_times") @implementation
public func fr_store_delivery_times(_ out: UnsafeMutablePointer<fr_delivery_times>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        try store.checkOpen()
        let times = store.deliveryTimes
        var result = fr_delivery_times()
        result.rounds = Int64(times.rounds)
        result.total = fr_phases(times.total)
        result.last = fr_phases(times.last)
        unsafe try result.write(to: out, "times")
    }
}

@_cdecl("fr_store_set_trace") @implementation
public func fr_store_set_trace(
    _ handle: OpaquePointer!, _ function: fr_trace_function!, _ pointer: UnsafeMutableRawPointer!,
    _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        try store.checkOpen()
        guard let function = unsafe function else { return store.trace = nil }
        store.trace = { round in
            lend(round) { unsafe function(handle, $0, userData.pointer) }
        }
    }
}

@_cdecl("fr_store_wait") @implementation
public func fr_store_wait(_ handle: OpaquePointer!, _ milliseconds: Int32) -> fr_status {
    // Nothing is under way while it waits, and so the thread can be cancelled then.
    var descriptor: Int32 = -1
    let failure = status { descriptor = try store(handle).fileDescriptor }
    if failure != 0 { return failure }
    Store.wait(for: descriptor, milliseconds: milliseconds)
    return status { _ = try store(handle).dispatch() }
}

@_cdecl("fr_store_is_delivering") @implementation
public func fr_store_is_delivering(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).isDelivering }
}

@_cdecl("fr_store_call_after_round") @implementation
public func fr_store_call_after_round(
    _ handle: OpaquePointer!, _ function: fr_round_function!, _ pointer: UnsafeMutableRawPointer!,
    _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let store = try store(handle)
        guard let function = unsafe function else { throw StoreError(.misuse, "function is NULL") }
        try store.callAfterRound { error in
            guard let error else { return unsafe function(handle, nil, userData.pointer) }
            unsafe Failure(error).lend { unsafe function(handle, $0, userData.pointer) }
        }
    }
}
