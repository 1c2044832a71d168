public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_controller_new") @implementation
public func fr_controller_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ storeHandle: OpaquePointer!, _ requestHandle: OpaquePointer!
) -> fr_status {
    status {
        let out = try required(out, "out")
        let store = try store(storeHandle)
        out.pointee = try newListHandle(
            try FetchedResultsController(store: store, request: try request(requestHandle).request))
    }
}

@_cdecl("fr_controller_free") @implementation
public func fr_controller_free(_ handle: OpaquePointer!) {
    guard let box = HandleTable.release(handle, .controller) as? ControllerBox else { return }
    box.invalidate()
}

@_cdecl("fr_controller_set_request") @implementation
public func fr_controller_set_request(_ handle: OpaquePointer!, _ requestHandle: OpaquePointer!) -> fr_status {
    status { try controller(handle).controller.setRequest(try request(requestHandle).request) }
}

@_cdecl("fr_controller_request") @implementation
public func fr_controller_request(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = try required(out, "out")
        out.pointee = try newHandle(RequestBox(try controller(handle).controller.request), .request)
    }
}

@_cdecl("fr_controller_pause") @implementation
public func fr_controller_pause(_ handle: OpaquePointer!) -> fr_status {
    status { try controller(handle).controller.setPaused() }
}

@_cdecl("fr_controller_resume") @implementation
public func fr_controller_resume(_ handle: OpaquePointer!, _ reload: Bool) -> fr_status {
    status { try controller(handle).controller.resume(reload: reload) }
}

@_cdecl("fr_controller_is_paused") @implementation
public func fr_controller_is_paused(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { try required(out, "out").pointee = try controller(handle).controller.isPaused }
}

@_cdecl("fr_controller_count") @implementation
public func fr_controller_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { try required(out, "out").pointee = Int64(try controller(handle).list.numberOfObjects) }
}

@_cdecl("fr_controller_section_count") @implementation
public func fr_controller_section_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { try required(out, "out").pointee = Int64(try controller(handle).list.numberOfSections) }
}

@_cdecl("fr_controller_section") @implementation
public func fr_controller_section(
    _ out: UnsafeMutablePointer<fr_section>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = try required(out, "out")
        let box = try controller(handle)
        out.pointee = fr_section(lending: try box.list.section(at: index(section)), box)
    }
}

@_cdecl("fr_controller_section_object") @implementation
public func fr_controller_section_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = try required(out, "out")
        out.pointee = try sectionObjectHandle(try controller(handle).list.sectionObject(at: index(section)))
    }
}

@_cdecl("fr_controller_row_count") @implementation
public func fr_controller_row_count(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        try required(out, "out").pointee = Int64(
            try controller(handle).list.numberOfObjects(inSection: index(section)))
    }
}

@_cdecl("fr_controller_object_at") @implementation
public func fr_controller_object_at(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ path: fr_index_path
) -> fr_status {
    status {
        let out = try required(out, "out")
        out.pointee = try newObjectHandle(try controller(handle).list.object(at: try indexPath(path)))
    }
}

@_cdecl("fr_controller_index_path_of") @implementation
public func fr_controller_index_path_of(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ objectHandle: OpaquePointer!
) -> fr_status {
    status {
        let out = try required(out, "out")
        let controller = try controller(handle).list
        out.pointee = try found(try controller.indexPath(of: try object(objectHandle)))
    }
}

@_cdecl("fr_controller_index_path_of_identity") @implementation
public func fr_controller_index_path_of_identity(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ identity: UnsafePointer<fr_value>!,
    _ count: Int
) -> fr_status {
    status {
        let out = try required(out, "out")
        let controller = try controller(handle).list
        out.pointee = try found(try controller.indexPath(ofIdentity: try values(identity, count, "identity")))
    }
}

@_cdecl("fr_controller_index_path_at") @implementation
public func fr_controller_index_path_at(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ flatIndex: Int64
) -> fr_status {
    status {
        let out = try required(out, "out")
        out.pointee = fr_index_path(try controller(handle).list.indexPath(at: index(flatIndex)))
    }
}

@_cdecl("fr_controller_index_of") @implementation
public func fr_controller_index_of(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ path: fr_index_path
) -> fr_status {
    status {
        try required(out, "out").pointee = Int64(try controller(handle).list.index(of: try indexPath(path)))
    }
}

@_cdecl("fr_controller_set_index_title_function") @implementation
public func fr_controller_set_index_title_function(
    _ handle: OpaquePointer!, _ function: fr_index_title_function!, _ pointer: UnsafeMutableRawPointer!,
    _ destroy: fr_destroy!
) -> fr_status {
    let userData = UserData(pointer, destroy)
    return status {
        let controller = try controller(handle).controller
        guard let function else { return controller.indexTitle = FetchedResultsController.defaultIndexTitle }
        controller.indexTitle = { name in indexTitle(name, function, userData) }
    }
}

private func indexTitle(_ name: String, _ function: fr_index_title_function, _ userData: UserData) -> String? {
    let first = 256, longest: Int64 = 1 << 16
    var bytes = [UInt8](repeating: 0, count: first)
    var length = write(&bytes, name, function, userData)
    if length > Int64(first), length <= longest {
        bytes = [UInt8](repeating: 0, count: Int(length))
        length = write(&bytes, name, function, userData)
    }
    guard length >= 0, length <= Int64(bytes.count) else { return FetchedResultsController.defaultIndexTitle(name) }
    return length == 0 ? nil : String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
}

/// Has the program write a title. Answers the title's length, which may be greater than the buffer's.
private func write(
    _ bytes: inout [UInt8], _ name: String, _ function: fr_index_title_function, _ userData: UserData
) -> Int64 {
    bytes.withUnsafeMutableBytes { buffer in
        function(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(buffer.count), name, userData.pointer)
    }
}

@_cdecl("fr_controller_index_title_count") @implementation
public func fr_controller_index_title_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status
{
    status { try required(out, "out").pointee = Int64(try controller(handle).list.sectionIndexTitles.count) }
}

@_cdecl("fr_controller_index_title") @implementation
public func fr_controller_index_title(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = try required(out, "out")
        let box = try controller(handle)
        let titles = try box.list.sectionIndexTitles
        out.pointee = box.lend(titles[try checked(index, below: titles.count, "index title")]).pointer
    }
}

@_cdecl("fr_controller_section_for_index_title") @implementation
public func fr_controller_section_for_index_title(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ title: UnsafePointer<CChar>!, _ titleIndex: Int64
) -> fr_status {
    status {
        let out = try required(out, "out")
        let title = try string(title, "title")
        guard let section = try controller(handle).list.section(forIndexTitle: title, at: index(titleIndex)) else {
            throw StoreError(.notFound, "no section has the index title \(title)")
        }
        out.pointee = Int64(section)
    }
}

@_cdecl("fr_controller_add_observer") @implementation
public func fr_controller_add_observer(
    _ out: UnsafeMutablePointer<UInt64>!, _ handle: OpaquePointer!, _ observer: UnsafePointer<fr_observer>!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = UserData(pointer, destroy)
    return status {
        let box = try controller(handle)
        let observer = try copied(try required(observer, "observer"), "observer")
        let number = box.list.addObserver(ObserverAdapter(observer, userData, box))
        out?.pointee = number
    }
}

@_cdecl("fr_controller_remove_observer") @implementation
public func fr_controller_remove_observer(_ handle: OpaquePointer!, _ observer: UInt64) -> fr_status {
    status {
        guard try controller(handle).list.removeObserver(observer) else {
            throw StoreError(.notFound, "the controller has no observer \(observer)")
        }
    }
}

@_cdecl("fr_controller_counters") @implementation
public func fr_controller_counters(_ out: UnsafeMutablePointer<fr_counters>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = try required(out, "out")
        let counters = try controller(handle).controller.statistics
        var result = fr_counters()
        result.rows_read = Int64(counters.rowsRead)
        result.statements_run = Int64(counters.statementsRun)
        result.nodes_visited = Int64(counters.nodesVisited)
        result.bytes_held = Int64(counters.bytesHeld)
        result.deliveries = Int64(counters.deliveries)
        result.cached_fetches = Int64(counters.cachedFetches)
        withUnsafeMutableBytes(of: &result.rereads) { bytes in
            let rereads = bytes.bindMemory(to: Int64.self)
            for (reason, count) in counters.rereads { rereads[reason.rawValue] = Int64(count) }
        }
        try result.write(to: out, "counters")
    }
}

private func indexPath(_ path: fr_index_path) throws -> IndexPath {
    // The core's paths are 32 bits wide; whatever does not fit is out of range as well.
    let limit = Int64(Int32.max)
    guard (0..<limit).contains(path.section), (0..<limit).contains(path.row) else {
        throw StoreError(.range, "index path (\(path.section), \(path.row)) is out of range")
    }
    return IndexPath(section: Int(path.section), row: Int(path.row))
}

private func found(_ path: IndexPath?) throws -> fr_index_path {
    guard let path else { throw StoreError(.notFound, "the object is not in the list") }
    return fr_index_path(path)
}
