public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_request_new") @implementation
public func fr_request_new(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ entity: UnsafePointer<CChar>!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try newHandle(RequestBox(FetchRequest(entity: try string(entity, "entity"))), .request)
    }
}

@_cdecl("fr_request_new_select") @implementation
public func fr_request_new_select(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ sql: UnsafePointer<CChar>!, _ params: UnsafePointer<fr_value>!,
    _ count: Int, _ identity: UnsafePointer<UnsafePointer<CChar>?>!, _ identityCount: Int,
    _ section: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let request = unsafe FetchRequest(
            select: try string(sql, "sql"), parameters: try values(params, count, "params"),
            identity: try strings(identity, identityCount, "identity"),
            sectionColumn: try optionalString(section, "section"))
        unsafe out.pointee = try newHandle(RequestBox(request), .request)
    }
}

@_cdecl("fr_request_free") @implementation
public func fr_request_free(_ handle: OpaquePointer!) { HandleTable.release(handle, .request) }

@_cdecl("fr_request_set_identity") @implementation
public func fr_request_set_identity(
    _ handle: OpaquePointer!, _ columns: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> fr_status {
    status { try request(handle).request.identity = unsafe try strings(columns, count, "columns") }
}

@_cdecl("fr_request_set_predicate") @implementation
public func fr_request_set_predicate(
    _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ params: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        let box = try request(handle)
        let predicate = unsafe try optionalString(sql, "sql")
        let values = unsafe try values(params, count, "params")
        box.request.predicate = predicate
        box.request.parameters = .positional(values)
    }
}

@_cdecl("fr_request_set_predicate_named") @implementation
public func fr_request_set_predicate_named(
    _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ names: UnsafePointer<UnsafePointer<CChar>?>!,
    _ given: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        let box = try request(handle)
        let predicate = unsafe try optionalString(sql, "sql")
        let names = unsafe try strings(names, count, "names")
        let values = unsafe try values(given, count, "values")
        box.request.predicate = predicate
        box.request.parameters = .named(Array(zip(names, values)))
    }
}

@_cdecl("fr_request_add_sort") @implementation
public func fr_request_add_sort(
    _ handle: OpaquePointer!, _ keyPath: UnsafePointer<CChar>!, _ flags: UInt32, _ collation: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let box = try request(handle)
        unsafe box.request.sorts.append(try sortDescriptor(try string(keyPath, "key_path"), flags, collation))
    }
}

@_cdecl("fr_request_set_section") @implementation
public func fr_request_set_section(
    _ handle: OpaquePointer!, _ keyPath: UnsafePointer<CChar>!, _ flags: UInt32, _ collation: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let box = try request(handle)
        let path = unsafe try optionalString(keyPath, "key_path")
        box.request.section = try path.map { unsafe try sortDescriptor($0, flags, collation) }
    }
}

@_cdecl("fr_request_set_columns") @implementation
public func fr_request_set_columns(
    _ handle: OpaquePointer!, _ keyPaths: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> fr_status {
    status { try request(handle).request.columns = unsafe try strings(keyPaths, count, "key_paths") }
}

@_cdecl("fr_request_set_group_by") @implementation
public func fr_request_set_group_by(
    _ handle: OpaquePointer!, _ keys: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> fr_status {
    status { try request(handle).request.groupBy = unsafe try strings(keys, count, "keys") }
}

@_cdecl("fr_request_add_total") @implementation
public func fr_request_add_total(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ function: fr_total_function,
    _ expression: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let box = try request(handle)
        guard let known = Total.Function(rawValue: Int(function.rawValue)) else {
            throw StoreError(.range, "there is no total function \(function.rawValue)")
        }
        unsafe box.request.totals.append(
            Total(try string(name, "name"), known, of: try optionalString(expression, "expression")))
    }
}

@_cdecl("fr_request_set_totals_of_all_rows") @implementation
public func fr_request_set_totals_of_all_rows(_ handle: OpaquePointer!, _ allRows: Bool) -> fr_status {
    status { try request(handle).request.totalsOfAllRows = allRows }
}

@_cdecl("fr_request_set_having") @implementation
public func fr_request_set_having(
    _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ params: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        let box = try request(handle)
        let having = unsafe try optionalString(sql, "sql")
        let values = unsafe try values(params, count, "params")
        box.request.having = having
        box.request.havingParameters = .positional(values)
    }
}

@_cdecl("fr_request_set_batch_size") @implementation
public func fr_request_set_batch_size(_ handle: OpaquePointer!, _ batchSize: Int64) -> fr_status {
    status {
        let box = try request(handle)
        // SQLite's default limit of parameters
        // (https://www.sqlite.org/limits.html#max_variable_number).
        guard (1...32_766).contains(batchSize) else { throw StoreError(.range, "a batch can't have \(batchSize) rows") }
        box.request.batchSize = Int(batchSize)
    }
}

@_cdecl("fr_request_set_rank_tolerance") @implementation
public func fr_request_set_rank_tolerance(_ handle: OpaquePointer!, _ share: Double) -> fr_status {
    status {
        let box = try request(handle)
        try FetchRequest.check(rankTolerance: share)
        box.request.rankTolerance = share
    }
}

@_cdecl("fr_request_set_limit") @implementation
public func fr_request_set_limit(_ handle: OpaquePointer!, _ limit: Int64, _ offset: Int64) -> fr_status {
    status {
        let box = try request(handle)
        guard offset >= 0 else { throw StoreError(.range, "the offset can't be \(offset)") }
        box.request.limit = limit < 0 ? nil : Int(limit)
        box.request.offset = Int(offset)
    }
}

@_cdecl("fr_request_set_cache_name") @implementation
public func fr_request_set_cache_name(_ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> fr_status {
    status {
        let box = try request(handle)
        let name = unsafe try optionalString(name, "name")
        try FetchRequest.check(cacheName: name)
        box.request.cacheName = name
    }
}

@_cdecl("fr_request_describe") @implementation
public func fr_request_describe(_ out: UnsafeMutablePointer<fr_request_info>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe try request(handle).description.info.write(to: out, "description")
    }
}

private func sortDescriptor(
    _ keyPath: String, _ flags: UInt32, _ collation: UnsafePointer<CChar>?
) throws -> Sort {
    let first = UInt32(FR_NULLS_FIRST)
    let last = UInt32(FR_NULLS_LAST)
    guard flags & ~(UInt32(FR_DESCENDING) | first | last) == 0, flags & (first | last) != first | last else {
        throw StoreError(.range, "the sort flags are unknown or contradict each other: \(flags)")
    }
    return unsafe Sort(
        keyPath, isDescending: flags & UInt32(FR_DESCENDING) != 0,
        nulls: flags & first != 0 ? .first : flags & last != 0 ? .last : nil,
        collation: try optionalString(collation, "collation"))
}
