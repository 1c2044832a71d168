public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_store_start_history") @implementation
public func fr_store_start_history(_ handle: OpaquePointer!, _ table: UnsafePointer<CChar>!) -> fr_status {
    status { unsafe try store(handle).startHistory(of: try string(table, "table")) }
}

@_cdecl("fr_store_stop_history") @implementation
public func fr_store_stop_history(_ handle: OpaquePointer!, _ table: UnsafePointer<CChar>!) -> fr_status {
    status { unsafe try store(handle).stopHistory(of: try string(table, "table")) }
}

@_cdecl("fr_store_has_history") @implementation
public func fr_store_has_history(
    _ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!, _ table: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        let table = unsafe try string(table, "table")
        unsafe out.pointee = try store.historyTables.contains {
            isSameName($0, table) || isSameName("main." + $0, table)
        }
    }
}

@_cdecl("fr_store_history_generation") @implementation
public func fr_store_history_generation(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).historyGeneration }
}

@_cdecl("fr_store_touched_rows") @implementation
public func fr_store_touched_rows(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ table: UnsafePointer<CChar>!,
    _ since: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        let table = unsafe try string(table, "table")
        let statement = try store.prepareTouchedRows(of: table, since: since)
        // Checked again after the first step: if the history reaches back to `since` in the state
        // that the statement reads, or in a later one, the rows are complete.
        let box = StatementBox(store: store, statement: statement) {
            _ = try store.prepareTouchedRows(of: table, since: since)
        }
        unsafe out.pointee = try newHandle(box, .statement)
    }
}

@_cdecl("fr_store_history_limit") @implementation
public func fr_store_history_limit(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try store(handle).historyLimit }
}

@_cdecl("fr_store_set_history_limit") @implementation
public func fr_store_set_history_limit(_ handle: OpaquePointer!, _ limit: Int64) -> fr_status {
    status { try store(handle).setHistoryLimit(limit) }
}

@_cdecl("fr_store_delete_history") @implementation
public func fr_store_delete_history(_ handle: OpaquePointer!, _ before: Int64) -> fr_status {
    status { try store(handle).deleteHistory(before: before) }
}
