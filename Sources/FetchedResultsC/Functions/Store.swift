public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

private let allFlags = UInt32(
    FR_STORE_READ_ONLY | FR_STORE_NO_CREATE | FR_STORE_NO_FOREIGN_KEYS | FR_STORE_QUEUED | FR_STORE_IMMUTABLE
        | FR_STORE_FOLLOW_PATH)

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
    options.followsPath = unsafe given.flags & UInt32(FR_STORE_FOLLOW_PATH) != 0
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

@_cdecl("fr_store_sqlite") @implementation
public func fr_store_sqlite(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).sqliteHandle }
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
