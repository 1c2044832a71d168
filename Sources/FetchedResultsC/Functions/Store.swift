public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

private let allFlags = UInt32(
    FR_STORE_READ_ONLY | FR_STORE_NO_CREATE | FR_STORE_NO_FOREIGN_KEYS | FR_STORE_QUEUED | FR_STORE_IMMUTABLE)

private func options(_ pointer: UnsafePointer<fr_store_options>?) throws -> StoreOptions {
    var options = StoreOptions()
    guard let pointer = unsafe pointer else { return options }
    let given = unsafe try copied(pointer, "options")
    guard unsafe given.flags & ~allFlags == 0 else {
        throw StoreError(.range, unsafe "the options have unknown flags: \(given.flags)")
    }
    options.isReadOnly = unsafe given.flags & UInt32(FR_STORE_READ_ONLY) != 0
    options.isImmutable = unsafe given.flags & UInt32(FR_STORE_IMMUTABLE) != 0
    options.createsFile = unsafe given.flags & UInt32(FR_STORE_NO_CREATE) == 0
    options.enforcesForeignKeys = unsafe given.flags & UInt32(FR_STORE_NO_FOREIGN_KEYS) == 0
    options.queuesDelivery = unsafe given.flags & UInt32(FR_STORE_QUEUED) != 0
    if unsafe given.busy_timeout_ms != 0 { options.busyTimeout = unsafe max(given.busy_timeout_ms, 0) }
    options.journalMode = unsafe try optionalString(given.journal_mode, "journal_mode")
    options.cacheDirectory = unsafe try optionalString(given.cache_directory, "cache_directory")
    if unsafe given.snapshot_limit != 0 { options.snapshotLimit = unsafe Int(max(given.snapshot_limit, 0)) }
    if unsafe given.poll_interval_ms != 0 { options.pollInterval = unsafe max(given.poll_interval_ms, 0) }
    return options
}

@_cdecl("fr_store_open") @implementation
public func fr_store_open(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ path: UnsafePointer<CChar>!,
    _ given: UnsafePointer<fr_store_options>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = unsafe try Store(path: try string(path, "path"), options: try options(given))
        unsafe out.pointee = try newStoreHandle(store)
    }
}

@_cdecl("fr_store_adopt") @implementation
public func fr_store_adopt(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ db: OpaquePointer!, _ given: UnsafePointer<fr_store_options>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let db = unsafe db else { throw StoreError(.misuse, "db is NULL") }
        let options = unsafe try options(given)
        let store = unsafe try Store(
            adopting: db, queuesDelivery: options.queuesDelivery, cacheDirectory: options.cacheDirectory,
            pollInterval: options.pollInterval, snapshotLimit: options.snapshotLimit)
        unsafe out.pointee = try newStoreHandle(store)
    }
}

@_cdecl("fr_store_close") @implementation
public func fr_store_close(_ handle: OpaquePointer!) -> fr_status {
    status {
        guard let store = try storeToClose(handle) else { return }
        // A store whose closing fails is closed all the same.
        defer { if store.isClosed { HandleTable.release(handle, .store) } }
        try store.close()
    }
}

@_cdecl("fr_store_delete_cache") @implementation
public func fr_store_delete_cache(_ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> fr_status {
    status { unsafe try store(handle).deleteCache(named: try string(name, "name")) }
}

@_cdecl("fr_store_delete_all_caches") @implementation
public func fr_store_delete_all_caches(_ handle: OpaquePointer!) -> fr_status {
    status { try store(handle).deleteAllCaches() }
}

@_cdecl("fr_database_delete_cache") @implementation
public func fr_database_delete_cache(
    _ path: UnsafePointer<CChar>!, _ directory: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!
) -> fr_status {
    status {
        unsafe try Store.deleteCache(
            named: try string(name, "name"), ofDatabase: try string(path, "path"),
            cacheDirectory: try optionalString(directory, "cache_directory"))
    }
}

@_cdecl("fr_database_delete_all_caches") @implementation
public func fr_database_delete_all_caches(
    _ path: UnsafePointer<CChar>!, _ directory: UnsafePointer<CChar>!
) -> fr_status {
    status {
        unsafe try Store.deleteAllCaches(
            ofDatabase: try string(path, "path"), cacheDirectory: try optionalString(directory, "cache_directory"))
    }
}

@_cdecl("fr_store_execute") @implementation
public func fr_store_execute(
    _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ params: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status { unsafe try store(handle).execute(try string(sql, "sql"), try values(params, count, "params")) }
}

@_cdecl("fr_store_execute_named") @implementation
public func fr_store_execute_named(
    _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ names: UnsafePointer<UnsafePointer<CChar>?>!,
    _ given: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status { unsafe try store(handle).execute(try string(sql, "sql"), named: try pairs(names, given, count)) }
}

@_cdecl("fr_store_execute_script") @implementation
public func fr_store_execute_script(_ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!) -> fr_status {
    status { unsafe try store(handle).executeScript(try string(sql, "sql")) }
}

@_cdecl("fr_store_changes") @implementation
public func fr_store_changes(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).changes }
}

@_cdecl("fr_store_last_insert_rowid") @implementation
public func fr_store_last_insert_rowid(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).lastInsertRowid }
}

@_cdecl("fr_store_begin") @implementation
public func fr_store_begin(_ handle: OpaquePointer!, _ mode: Int32) -> fr_status {
    status {
        let store = try store(handle)
        guard let mode = Store.TransactionMode(rawValue: mode) else {
            throw StoreError(.range, "there is no transaction mode \(mode)")
        }
        try store.begin(mode)
    }
}

@_cdecl("fr_store_commit") @implementation
public func fr_store_commit(_ handle: OpaquePointer!) -> fr_status { status { try store(handle).commit() } }

@_cdecl("fr_store_rollback") @implementation
public func fr_store_rollback(_ handle: OpaquePointer!) -> fr_status { status { try store(handle).rollback() } }

@_cdecl("fr_store_in_transaction") @implementation
public func fr_store_in_transaction(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).isInTransaction }
}

@_cdecl("fr_store_transaction") @implementation
public func fr_store_transaction(
    _ handle: OpaquePointer!, _ function: fr_transaction_function!, _ userData: UnsafeMutableRawPointer!
) -> fr_status {
    status {
        let store = try store(handle)
        guard let function = unsafe function else { throw StoreError(.misuse, "function is NULL") }
        try store.transaction { try passing("the function of the transaction") { unsafe function(handle, userData) } }
    }
}

@_cdecl("fr_store_insert") @implementation
public func fr_store_insert(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ entity: UnsafePointer<CChar>!,
    _ columns: UnsafePointer<UnsafePointer<CChar>?>!, _ given: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        let store = try store(handle)
        let entity = unsafe try string(entity, "entity")
        let values = unsafe try pairs(columns, given, count)
        guard let out = unsafe out else { return try store.insertOnly(into: entity, values) }
        unsafe out.pointee = try newObjectHandle(try store.insert(into: entity, values))
    }
}

@_cdecl("fr_store_update") @implementation
public func fr_store_update(
    _ handle: OpaquePointer!, _ entity: UnsafePointer<CChar>!, _ identity: UnsafePointer<fr_value>!,
    _ identityCount: Int,
    _ columns: UnsafePointer<UnsafePointer<CChar>?>!, _ given: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status {
        unsafe try store(handle).update(
            try string(entity, "entity"), identity: try values(identity, identityCount, "identity"),
            try pairs(columns, given, count))
    }
}

@_cdecl("fr_store_delete") @implementation
public func fr_store_delete(
    _ handle: OpaquePointer!, _ entity: UnsafePointer<CChar>!, _ identity: UnsafePointer<fr_value>!,
    _ identityCount: Int
) -> fr_status {
    status {
        unsafe try store(handle).delete(
            from: try string(entity, "entity"), identity: try values(identity, identityCount, "identity"))
    }
}

@_cdecl("fr_store_object") @implementation
public func fr_store_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ entity: UnsafePointer<CChar>!,
    _ identity: UnsafePointer<fr_value>!, _ identityCount: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let entity = unsafe try string(entity, "entity")
        let identity = unsafe try values(identity, identityCount, "identity")
        guard let object = try store(handle).object(entity, identity: identity) else {
            throw StoreError(.notFound, "\(entity) has no such row")
        }
        unsafe out.pointee = try newObjectHandle(object)
    }
}

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

@_cdecl("fr_store_wait") @implementation
public func fr_store_wait(_ handle: OpaquePointer!, _ milliseconds: Int32) -> fr_status {
    // Nothing is under way while it waits, and so the thread can be cancelled then.
    var descriptor: Int32 = -1
    let failure = status { descriptor = try store(handle).fileDescriptor }
    if failure != 0 { return failure }
    Store.wait(for: descriptor, milliseconds: milliseconds)
    return status { _ = try store(handle).dispatch() }
}

@_cdecl("fr_store_sqlite") @implementation
public func fr_store_sqlite(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).sqliteHandle }
}

/// Names and values of the caller, copied.
private func pairs(
    _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ given: UnsafePointer<fr_value>?, _ count: Int
) throws -> [(String, Value)] {
    unsafe Array(zip(try strings(names, count, "names"), try values(given, count, "values")))
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
