public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

/// Reads the parts of a request, for C programs that get one.

@_cdecl("fr_request_entity") @implementation
public func fr_request_entity(_ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        unsafe out.pointee = box.lend(box.request.select ?? box.request.entity)
    }
}

@_cdecl("fr_request_is_select") @implementation
public func fr_request_is_select(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try request(handle).request.select != nil }
}

@_cdecl("fr_request_section") @implementation
public func fr_request_section(_ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        unsafe out.pointee = box.request.section.map { unsafe box.lend($0.keyPath) }
    }
}

@_cdecl("fr_request_predicate") @implementation
public func fr_request_predicate(_ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        unsafe out.pointee = box.request.predicate.map { unsafe box.lend($0) }
    }
}

@_cdecl("fr_request_parameter_count") @implementation
public func fr_request_parameter_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.parameters.count) }
}

@_cdecl("fr_request_parameter") @implementation
public func fr_request_parameter(
    _ out: UnsafeMutablePointer<fr_value>!, _ nameOut: UnsafeMutablePointer<UnsafePointer<CChar>?>!,
    _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        let parameters = box.request.parameters
        let parameter = parameters[try checked(index, below: parameters.count, "parameter")]
        unsafe out.pointee = borrowedValue(box.lend(RowValues([parameter.value])), 0)
        unsafe nameOut?.pointee = parameter.name.map { unsafe box.lend($0) }
    }
}

@_cdecl("fr_request_sort_count") @implementation
public func fr_request_sort_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.sorts.count) }
}

@_cdecl("fr_request_sort") @implementation
public func fr_request_sort(
    _ out: UnsafeMutablePointer<fr_sort>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        let sorts = box.request.sorts
        unsafe out.pointee = box.lend(sorts[try checked(index, below: sorts.count, "sort descriptor")])
    }
}

@_cdecl("fr_request_section_sort") @implementation
public func fr_request_section_sort(_ out: UnsafeMutablePointer<fr_sort>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        guard let section = box.request.section else { throw StoreError(.notFound, "the request has no section") }
        unsafe out.pointee = box.lend(section)
    }
}

@_cdecl("fr_request_column_count") @implementation
public func fr_request_column_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.columns.count) }
}

@_cdecl("fr_request_column") @implementation
public func fr_request_column(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        let columns = box.request.columns
        unsafe out.pointee = box.lend(columns[try checked(index, below: columns.count, "column")])
    }
}

@_cdecl("fr_request_identity_count") @implementation
public func fr_request_identity_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.identity.count) }
}

@_cdecl("fr_request_identity") @implementation
public func fr_request_identity(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        let identity = box.request.identity
        unsafe out.pointee = box.lend(identity[try checked(index, below: identity.count, "column")])
    }
}

@_cdecl("fr_request_batch_size") @implementation
public func fr_request_batch_size(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.batchSize) }
}

@_cdecl("fr_request_limit") @implementation
public func fr_request_limit(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.limit ?? -1) }
}

@_cdecl("fr_request_offset") @implementation
public func fr_request_offset(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try request(handle).request.offset) }
}

@_cdecl("fr_request_cache_name") @implementation
public func fr_request_cache_name(_ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let box = try request(handle)
        unsafe out.pointee = box.request.cacheName.map { unsafe box.lend($0) }
    }
}

extension FetchRequest.Parameters {
    fileprivate var count: Int {
        switch self {
        case .positional(let values): values.count
        case .named(let values): values.count
        }
    }

    fileprivate subscript(index: Int) -> (name: String?, value: Value) {
        switch self {
        case .positional(let values): (nil, values[index])
        case .named(let values): (values[index].name, values[index].value)
        }
    }
}

extension RequestBox {
    /// A sort descriptor whose strings live as long as the request.
    fileprivate func lend(_ sort: Sort) -> fr_sort {
        var flags = sort.isDescending ? FR_DESCENDING : FR_ASCENDING
        switch sort.nulls {
        case .first: flags |= FR_NULLS_FIRST
        case .last: flags |= FR_NULLS_LAST
        case nil: break
        }
        return unsafe fr_sort(
            key_path: lend(sort.keyPath), flags: UInt32(flags), collation: sort.collation.map { unsafe lend($0) })
    }
}
