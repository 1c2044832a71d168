public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_controller_new") @implementation
public func fr_controller_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ storeHandle: OpaquePointer!, _ requestHandle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(storeHandle)
        unsafe out.pointee = try newListHandle(
            try FetchedResultsController(store: store, request: try request(requestHandle).request))
    }
}

@_cdecl("fr_controller_set_request") @implementation
public func fr_controller_set_request(_ handle: OpaquePointer!, _ requestHandle: OpaquePointer!) -> fr_status {
    status { try listBox(handle).controller.setRequest(try request(requestHandle).request) }
}

@_cdecl("fr_controller_request") @implementation
public func fr_controller_request(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try newHandle(RequestBox(try listBox(handle).controller.request), .request)
    }
}

@_cdecl("fr_controller_pause") @implementation
public func fr_controller_pause(_ handle: OpaquePointer!) -> fr_status {
    status { try listBox(handle).controller.setPaused(true) }
}

@_cdecl("fr_controller_resume") @implementation
public func fr_controller_resume(_ handle: OpaquePointer!, _ reload: Bool) -> fr_status {
    status { try listBox(handle).controller.resume(reload: reload) }
}

@_cdecl("fr_controller_is_paused") @implementation
public func fr_controller_is_paused(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try listBox(handle).controller.isPaused }
}

@_cdecl("fr_controller_set_index_title_function") @implementation
public func fr_controller_set_index_title_function(
    _ handle: OpaquePointer!, _ function: fr_index_title_function!, _ pointer: UnsafeMutableRawPointer!,
    _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let controller = try listBox(handle).controller
        guard let function = unsafe function else {
            return controller.indexTitle = FetchedResultsController.defaultIndexTitle
        }
        controller.indexTitle = { name in unsafe indexTitle(name, function, userData) }
    }
}

@_cdecl("fr_controller_index_title_for_name") @implementation
public func fr_controller_index_title_for_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let title = try box.controller.indexTitle(unsafe try string(name, "name"))
        unsafe out.pointee = title.map { unsafe box.lend($0).pointer }
    }
}

private func indexTitle(_ name: String, _ function: fr_index_title_function, _ userData: UserData) -> String? {
    let first = 256, longest: Int64 = 1 << 16
    var bytes = [UInt8](repeating: 0, count: first)
    var length = unsafe write(&bytes, name, function, userData)
    if length > Int64(first), length <= longest {
        bytes = [UInt8](repeating: 0, count: Int(length))
        length = unsafe write(&bytes, name, function, userData)
    }
    guard length >= 0, length <= Int64(bytes.count) else { return FetchedResultsController.defaultIndexTitle(name) }
    return length == 0 ? nil : String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
}

/// Calls the program to write a title. Returns the title's length, which may be greater than the
/// buffer's.
private func write(
    _ bytes: inout [UInt8], _ name: String, _ function: fr_index_title_function, _ userData: UserData
) -> Int64 {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe function(
            buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(buffer.count), name, userData.pointer)
    }
}

@_cdecl("fr_controller_explain") @implementation
public func fr_controller_explain(_ out: UnsafeMutablePointer<fr_explanation>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let explanation = try box.controller.explain()
        func lend(_ text: String) -> UnsafePointer<CChar> { unsafe box.lend(text).pointer }
        var result = unsafe fr_explanation()
        unsafe result.text = lend("\(explanation)")
        unsafe result.sql = lend(explanation.sql)
        unsafe result.plan = lend(explanation.plan.joined(separator: "\n"))
        unsafe result.advice = lend(explanation.advice.joined(separator: "\n"))
        unsafe result.is_sorted = explanation.isSorted
        unsafe result.is_incremental = explanation.isIncremental
        unsafe result.whole_reads = explanation.wholeReads.keys.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
        unsafe try result.write(to: out, "explanation")
    }
}

@_cdecl("fr_controller_counters") @implementation
public func fr_controller_counters(_ out: UnsafeMutablePointer<fr_counters>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let counters = try listBox(handle).controller.counters
        var result = fr_counters()
        result.rows_read = Int64(counters.rowsRead)
        result.statements_run = Int64(counters.statementsRun)
        result.nodes_visited = Int64(counters.nodesVisited)
        result.bytes_held = Int64(counters.bytesHeld)
        result.deliveries = Int64(counters.deliveries)
        result.cached_fetches = Int64(counters.cachedFetches)
        unsafe withUnsafeMutableBytes(of: &result.rereads) { bytes in
            let rereads = unsafe bytes.bindMemory(to: Int64.self)
            for (reason, count) in counters.rereads { unsafe rereads[reason.rawValue] = Int64(count) }
        }
        unsafe try result.write(to: out, "counters")
    }
}
