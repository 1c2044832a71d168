public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

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

@_cdecl("fr_statement_prepare") @implementation
public func fr_statement_prepare(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ sql: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(handle)
        unsafe out.pointee = try newHandle(
            StatementBox(store: store, statement: try store.prepare(try string(sql, "sql"))), .statement)
    }
}

@_cdecl("fr_statement_free") @implementation
public func fr_statement_free(_ handle: OpaquePointer!) {
    uncancelled {
        guard let box = HandleTable.release(handle, .statement) as? StatementBox, !box.store.isClosed else { return }
        // A failure rolls back what the statement wrote. The header refers programs that need to
        // detect it to fr_statement_reset.
        _ = Result { try reset(box) }
    }
}

@_cdecl("fr_statement_bind") @implementation
public func fr_statement_bind(
    _ handle: OpaquePointer!, _ index: Int32, _ value: UnsafePointer<fr_value>!
) -> fr_status {
    status {
        try withStatement(handle) { box in
            try checkBindable(box)
            unsafe try bind(try required(value, "value").pointee, to: box.statement, at: Int(index))
        }
    }
}

@_cdecl("fr_statement_bind_named") @implementation
public func fr_statement_bind_named(
    _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<fr_value>!
) -> fr_status {
    status {
        let box = try statement(handle)
        try checkBindable(box)
        let name = unsafe try string(name, "name")
        guard let index = box.statement.parameterIndex(name) else {
            throw StoreError(.sql, "the statement has no parameter named \(name)", sql: box.statement.sql)
        }
        unsafe try bind(try required(value, "value").pointee, to: box.statement, at: index)
    }
}

@_cdecl("fr_statement_execute") @implementation
public func fr_statement_execute(_ handle: OpaquePointer!) -> fr_status {
    status {
        let box = try open(handle)
        try reset(box)
        try box.store.run(box.statement)
    }
}

@_cdecl("fr_statement_step") @implementation
public func fr_statement_step(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try open(handle)
        box.hasRow = false
        box.row = nil
        box.hasRow = try box.statement.isUnderWay ? box.store.step(box.statement) : begin(box)
        unsafe out.pointee = box.hasRow
    }
}

@_cdecl("fr_statement_column_count") @implementation
public func fr_statement_column_count(_ out: UnsafeMutablePointer<Int32>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int32(try open(handle).statement.columnCount) }
}

@_cdecl("fr_statement_column_name") @implementation
public func fr_statement_column_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int32
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let statement = try open(handle).statement
        unsafe out.pointee = statement.columnName(try checked(Int64(index), below: statement.columnCount, "column"))
    }
}

@_cdecl("fr_statement_value") @implementation
public func fr_statement_value(
    _ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int32
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try open(handle)
        guard box.hasRow else { throw StoreError(.misuse, "the statement has no current row") }
        let row = box.row ?? box.statement.rowValues(from: 0, count: box.statement.columnCount)
        box.row = row
        unsafe out.pointee = borrowedValue(row, try checked(Int64(index), below: row.count, "column"))
    }
}

@_cdecl("fr_statement_reset") @implementation
public func fr_statement_reset(_ handle: OpaquePointer!) -> fr_status {
    status { try reset(try open(handle)) }
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

@safe private func open(_ handle: OpaquePointer?) throws -> StatementBox {
    let box = try statement(handle)
    try box.store.checkOpen()
    return box
}

private func checkBindable(_ box: StatementBox) throws {
    try box.store.checkOpen()
    guard !box.statement.isUnderWay else { throw StoreError(.misuse, "the statement is under way; reset it first") }
}

/// The first step.
private func begin(_ box: StatementBox) throws -> Bool {
    let step = Result { try box.store.step(box.statement) }
    do { try box.check?() } catch {
        try reset(box)
        throw error
    }
    return try step.get()
}

private func reset(_ box: StatementBox) throws {
    box.hasRow = false
    box.row = nil
    try box.store.end(box.statement)
}

/// Names and values of the caller, copied.
private func pairs(
    _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ given: UnsafePointer<fr_value>?, _ count: Int
) throws -> [(String, Value)] {
    unsafe Array(zip(try strings(names, count, "names"), try values(given, count, "values")))
}
